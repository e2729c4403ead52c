// SPDX-License-Identifier: GPL-3.0-or-later
// The responses that clients ask for by id: those that were to be stored, from their beginning on
// and up to an hour after their end, in memory alone. Where their texts come to more than
// mostBytes(), those that ended first are forgotten first.
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

// What a response is an answer to. One of the two is empty.
struct ResponsePrompt {
  std::string text;
  std::vector<inference::ChatMessage> messages;
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
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // until limitTo()

  explicit StoredResponses(boost::asio::any_io_executor executor) : expiry_(std::move(executor)) {}

  // A response begins, whose id nothing else has. `live` lives until end() or forget(); `owner`,
  // which may be null, is kept that long.
  void begin(const std::string& id, LiveResponse& live, std::shared_ptr<void> owner = nullptr);
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

  std::size_t bytes() const { return bytes_; }  // of those that have ended
  std::size_t mostBytes() const { return mostBytes_; }
  void limitTo(std::size_t bytes);
  // Forgets all that have ended, and waits for nothing any longer.
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    LiveResponse* live = nullptr;  // null once it has ended
    std::shared_ptr<void> owner = nullptr;
    std::string object = {};  // its JSON, once it has ended
    std::optional<ResponsePrompt> prompt = std::nullopt;
    std::size_t bytes = 0;
    std::vector<std::function<void(const Json& object)>> listeners = {};
  };
  struct Ended {
    std::string id;
    Clock::time_point until;
  };

  void expire();
  void watch();

  std::map<std::string, Entry> all_;
  std::deque<Ended> ended_;  // in order; some are forgotten by now
  std::size_t bytes_ = 0;
  std::size_t mostBytes_ = kMostBytes;
  boost::asio::steady_timer expiry_;
  bool watching_ = false;
  bool stopped_ = false;
};

}  // namespace waferpair::server
