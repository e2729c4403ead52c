// SPDX-License-Identifier: GPL-3.0-or-later
// One answer of Chat Completions, from request to its last chunk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/server/core/jobs.h"
#include "runtime/server/core/outbox.h"
#include "runtime/server/dialects/answer_parts.h"
#include "runtime/server/dialects/chat_request.h"

namespace waferpair::server {

class ChatStream {
 public:
  // The card outlives this. One of several has an index, and leaves the end of their stream to
  // others.
  ChatStream(const ChatRequest& request, const inference::ModelCard& card,
             std::optional<int> index = std::nullopt);
  static constexpr const char* kLastEvent = "[DONE]";
  // The body of several answers.
  static Json joined(std::vector<Json> all) { return joinedChoices(std::move(all)); }

  // From here on chunks go to `outbox`, which outlives this. Unless this is called only object() is
  // of interest.
  void streamTo(Outbox& outbox) { outbox_ = &outbox; }

  // The client wants to hear what it waits for, and how its prompt is read.
  bool tellsWaits() const { return returnsProgress_; }

  // These are called in this order, but for waiting(), prompt() and text() each once; begun() not
  // if it ends before.
  void waiting(const JobWait&) { outbox_->pushComment(); }
  void prompt(const inference::PromptProgress& progress);
  void begun();
  void chances(const std::vector<inference::TokenChance>& added);
  void text(std::string_view added);
  void ended(const inference::JobReport& report);

  // It has failed, or was cancelled; why.
  const std::optional<Problem>& problem() const { return problem_; }
  // The whole answer, once it has ended.
  Json object() const;

 private:
  void take(const std::vector<inference::AnswerPart>& parts);
  void addText(std::string_view added);
  void addThought(std::string_view added);
  void addCall(const std::string& name);
  void addArguments(std::string_view added);
  // The chunk with what is new of the answer.
  void sendDelta(Json delta, const Json& finishReason = nullptr);
  void send(const Json& chunk);
  Json chunk(Json choices) const;
  Json choiceOf(Json delta, const Json& finishReason = nullptr) const;

  std::optional<int> index_;
  std::string id_;
  std::int64_t createdAt_;
  TextRequestFields names_;
  OutputFormat format_;
  bool tellsChances_;
  int mostAlternatives_;
  Json chances_ = Json::array();
  bool mayCall_, olderCalls_, includeUsage_, returnsProgress_;
  bool begun_ = false;
  inference::PromptProgress progress_;
  const inference::ModelCard& card_;
  inference::AnswerReader reader_;
  std::string text_, thought_;
  std::vector<inference::ToolCall> calls_;
  std::string head_, tail_;                // of a chunk with text, around it
  std::string thoughtHead_, thoughtTail_;  // likewise
  Outbox* outbox_ = nullptr;
  Outbox::Ticket lastText_ = 0, lastThought_ = 0;
  std::optional<inference::JobReport> report_;
  std::string_view finishReason_ = "stop";
  std::optional<Problem> problem_;
};

}  // namespace waferpair::server
