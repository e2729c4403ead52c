// SPDX-License-Identifier: GPL-3.0-or-later
// One response of the Responses API, from request to its last event: the state that its JSON object
// is made of, and the events that tell a client how it grows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/inference/engine/engine.h"
#include "runtime/server/core/outbox.h"
#include "runtime/server/dialects/response_request.h"

namespace waferpair::server {

// "resp_" or "msg_" and random digits.
std::string makeId(std::string_view prefix);

class ResponseStream {
 public:
  ResponseStream(const ResponseCreate& request, const inference::ModelCard& card);

  // From here on events go to `outbox`, which outlives this; none did before. Unless this is called
  // only object() is of interest.
  void streamTo(Outbox& outbox) { outbox_ = &outbox; }

  // These are called in this order, each once, but for text() any number of times and begun() not
  // if it ends before.
  void created();
  void begun();
  void text(std::string_view added);
  void ended(const inference::JobReport& report);

  const std::string& id() const { return id_; }
  const std::string& text() const { return text_; }  // so far
  // Ended as wanted: neither cancelled nor failed.
  bool completed() const;
  // Ended without a result; the problem then says why.
  const std::optional<Problem>& problem() const { return problem_; }
  // The response object in its present state.
  Json object() const;

 private:
  // Each event starts with its type, response_id and sequence_number.
  void send(std::string_view type, Json event);
  Json item(std::string_view status) const;
  std::string_view itemStatus() const;  // of an item of a response that has ended
  Json part() const;
  Json place() const;  // the fields that every event of its text has

  std::string id_;
  std::string itemId_;
  std::string instructions_;
  std::string text_;
  std::int64_t createdAt_;  // Unix seconds
  std::optional<int> maxOutputTokens_;
  std::string previousResponseId_;
  inference::SamplingOptions sampling_;
  const inference::ModelCard& card_;
  Outbox* outbox_ = nullptr;
  std::string deltaHead_;  // everything of a delta event in front of its text
  std::string deltaTail_;  // everything behind its text, up to the sequence number
  Outbox::Ticket lastDelta_ = 0;
  int sequenceNumber_ = 0;
  std::string_view status_ = "queued";
  bool begun_ = false;
  std::optional<inference::JobReport> report_;
  std::optional<Problem> problem_;
};

}  // namespace waferpair::server
