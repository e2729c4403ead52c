// SPDX-License-Identifier: GPL-3.0-or-later
// One response of the Responses API, from request to its last event: the state that its JSON object
// is made of, and the events that tell a client how it grows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/inference/engine/engine.h"
#include "runtime/server/core/jobs.h"
#include "runtime/server/core/outbox.h"
#include "runtime/server/core/stored_responses.h"
#include "runtime/server/dialects/answer_parts.h"
#include "runtime/server/dialects/response_request.h"

namespace waferpair::server {

class ResponseStream {
 public:
  ResponseStream(const ResponseCreate& request, const inference::ModelCard& card);

  // From here on events go to `outbox`, which outlives this; none did before. Unless this is called
  // only object() is of interest.
  void streamTo(Outbox& outbox) { outbox_ = &outbox; }

  // The client wants to hear what it waits for, and how its prompt is read.
  bool tellsWaits() const { return returnsProgress_; }

  // These are called in this order, each once, but for waiting(), prompt() and text() any number of
  // times and begun() not if it ends before; created() may be left to the one that follows.
  // prompt() comes behind begun(), too, and is told from there on.
  void created();
  void waiting(const JobWait& wait);
  void prompt(const inference::PromptProgress& progress);
  void begun();
  void text(std::string_view added);
  void ended(const inference::JobReport& report);

  const std::string& id() const { return id_; }
  // The model is to say something, and not only to read its prompt.
  bool generates() const { return generates_; }
  // What the model has said so far.
  inference::ChatMessage output() const;
  // Ended as wanted: neither cancelled nor failed.
  bool completed() const;
  // Ended without a result; the problem then says why.
  const std::optional<Problem>& problem() const { return problem_; }
  // The response object in its present state.
  Json object() const;

 private:
  // An item of the output: thoughts, the message, or a call of a tool.
  struct Item {
    std::string id;
    bool isThought = false;
    std::string text = {};  // of the call: its arguments
    std::string name = {};  // of the call; empty for the message
    std::string callId = {};
    std::string_view status = "in_progress";
    bool isCall() const { return !name.empty(); }
  };

  // Each event starts with its type, response_id and sequence_number.
  void send(std::string_view type, Json event);
  void take(const std::vector<inference::AnswerPart>& parts);
  void openItem(Item item);
  void addToItem(std::string_view added);
  // To the last item, which is opened where it is none of that kind.
  void say(std::string_view added, bool isThought);
  void closeItem(std::string_view status);
  bool itemOpen() const { return !items_.empty() && items_.back().status == "in_progress"; }
  static Json itemJson(const Item& item);
  static Json partJson(const Item& item);
  // The fields that every event of the last item's text, or arguments, has.
  Json place() const;

  std::string id_;
  std::string instructions_;
  std::vector<Item> items_;  // only the last may be in progress
  inference::AnswerReader reader_;
  std::int64_t createdAt_;  // Unix seconds
  std::optional<int> maxOutputTokens_;
  bool generates_;
  bool store_, background_, returnsProgress_;
  std::string previousResponseId_;
  inference::SamplingOptions sampling_;
  ToolFields tools_;
  TextRequestFields names_;
  OutputFormat format_;
  Json sentText_;
  const inference::ModelCard& card_;
  Outbox* outbox_ = nullptr;
  std::string_view deltaType_;
  std::string deltaHead_;  // everything of a delta event in front of its text
  std::string deltaTail_;  // everything behind its text, up to the sequence number
  Outbox::Ticket lastDelta_ = 0;
  int sequenceNumber_ = 0;
  std::string_view status_ = "queued";
  bool created_ = false, begun_ = false;
  inference::PromptProgress progress_;
  std::optional<inference::JobReport> report_;
  std::optional<Problem> problem_;
};

// What another response goes on from: the prompt of one, with what the model said.
ResponsePrompt promptBehind(const ResponseStream& stream, ResponsePrompt prompt);

}  // namespace waferpair::server
