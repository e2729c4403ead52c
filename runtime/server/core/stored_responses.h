// SPDX-License-Identifier: GPL-3.0-or-later
// The responses that clients ask for by id: those that were to be stored, from their beginning on
// and up to an hour after their end, in memory alone. Their texts live on the memory that their
// model's KV caches may have: where those of a model come to more than it may keep, the ones that
// ended first are forgotten first.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/json_fields.h"
#include "runtime/inference/prompt/chat_template.h"

namespace waferpair::server {

using base::Json;

// What a response is an answer to: a conversation, or a text. One of the two is empty.
struct ResponsePrompt {
  std::string text;
  std::vector<inference::ChatMessage> messages;
  // Of this request alone: what goes on from here has its own, or none.
  std::string instructions = {};

  // As the model reads it, with the instructions in front.
  std::vector<inference::ChatMessage> conversation() const;
  std::string wholeText() const;
};

// A response under way.
class LiveResponse {
 public:
  // The response object in its present state.
  virtual Json object() const = 0;
  // Its end comes later.
  virtual void cancel() = 0;

 protected:
  ~LiveResponse() = default;
};

// Used with the server's baton only.
class StoredResponses {
 public:
  static constexpr std::chrono::hours kLifetime{1};
  static constexpr std::size_t kAtFirstBytes = std::size_t{1} << 20;  // of a model, until limit()

  // `hear` hears of every change of bytes(model).
  using Hear = std::function<void(const std::string& model, std::size_t bytes)>;
  explicit StoredResponses(boost::asio::any_io_executor executor, Hear hear = {})
      : expiry_(std::move(executor)), hear_(std::move(hear)) {}

  // A response of the model, which any name stands for, begins, whose id nothing else has. `live`
  // lives until end() or forget(); `owner`, which may be null, is kept that long.
  void begin(const std::string& id, LiveResponse& live, const std::string& model,
             std::shared_ptr<void> owner = nullptr);
  // It has ended as `object`. `prompt`, with what the model said, is what another one goes on from;
  // null where none can.
  void end(const std::string& id, const Json& object, const ResponsePrompt* prompt);
  // Forgets it, also while it is under way; false if there is none.
  bool forget(const std::string& id);

  // The response object; null if there is none of that id.
  Json find(const std::string& id) const;
  // Null where no response can go on from it.
  const ResponsePrompt* promptOf(const std::string& id) const;
  // The response under way; null if there is none of that id, or it has ended.
  LiveResponse* underWay(const std::string& id) const;
  // `hear` hears its end, or null where it is forgotten before that. It is under way.
  void whenEnded(const std::string& id, std::function<void(const Json& object)> hear);

  // How many are under way that have an owner.
  std::size_t owned() const;

  // The bytes that those of the model take which have ended.
  std::size_t bytes(const std::string& model) const;
  // They take no more from now on.
  void limit(const std::string& model, std::size_t bytes);
  // Forgets as many of them as it takes for once.
  void shrink(const std::string& model, std::size_t bytes);
  // Forgets all that have ended, and waits for nothing any longer.
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Ended {
    std::string id;
    Clock::time_point until;
  };
  // The responses of a model.
  struct Share {
    std::size_t bytes = 0;
    std::size_t mostBytes = kAtFirstBytes;
    std::deque<Ended> ended = {};  // in order; some are forgotten by now
  };
  using Shares = std::map<std::string, Share>;
  struct Entry {
    LiveResponse* live = nullptr;  // null once it has ended
    Shares::iterator share = {};   // that stays
    std::shared_ptr<void> owner = nullptr;
    std::string object = {};  // its JSON, once it has ended
    std::optional<ResponsePrompt> prompt = std::nullopt;
    std::size_t bytes = 0;
    std::vector<std::function<void(const Json& object)>> listeners = {};
  };

  void expire(Share& share, std::size_t mostBytes);
  void watch();
  void tell(const Shares::value_type& share) const;

  std::map<std::string, Entry> all_;
  Shares shares_;
  boost::asio::steady_timer expiry_;
  Hear hear_;
  bool watching_ = false;
  bool stopped_ = false;
};

}  // namespace waferpair::server
