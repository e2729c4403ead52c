// SPDX-License-Identifier: GPL-3.0-or-later
// One answer of Chat Completions, from request to its last chunk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/server/core/outbox.h"
#include "runtime/server/dialects/answer_parts.h"
#include "runtime/server/dialects/chat_request.h"

namespace waferpair::server {

class ChatStream {
 public:
  ChatStream(const ChatRequest& request, const inference::ModelCard& card);

  // From here on chunks go to `outbox`, which outlives this. Unless this is called only object() is
  // of interest.
  void streamTo(Outbox& outbox) { outbox_ = &outbox; }

  // These are called in this order, but for text() each once; begun() not if it ends before.
  void begun();
  void text(std::string_view added);
  void ended(const inference::JobReport& report);

  // It has failed, or was cancelled; why.
  const std::optional<Problem>& problem() const { return problem_; }
  // The whole answer, once it has ended.
  Json object() const;

 private:
  void take(const std::vector<inference::AnswerPart>& parts);
  void addText(std::string_view added);
  void addCall(const std::string& name);
  void addArguments(std::string_view added);
  // The chunk with what is new of the answer.
  void sendDelta(Json delta, const Json& finishReason = nullptr);
  void send(const Json& chunk);
  Json chunk(Json choices) const;

  std::string id_;
  std::int64_t createdAt_;
  TextRequestFields names_;
  bool mayCall_, includeUsage_;
  const inference::ModelCard& card_;
  std::optional<inference::ToolCallReader> reader_;  // where tools may be called
  std::string text_;
  std::vector<inference::ToolCall> calls_;
  std::string head_, tail_;  // of a chunk with text, around it
  Outbox* outbox_ = nullptr;
  Outbox::Ticket lastText_ = 0;
  std::optional<inference::JobReport> report_;
  std::string_view finishReason_ = "stop";
  std::optional<Problem> problem_;
};

}  // namespace waferpair::server
