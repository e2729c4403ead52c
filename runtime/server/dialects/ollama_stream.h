// SPDX-License-Identifier: GPL-3.0-or-later
// One answer of /api/generate or /api/chat, from request to its last line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/server/core/outbox.h"
#include "runtime/server/dialects/answer_parts.h"
#include "runtime/server/dialects/ollama_request.h"

namespace waferpair::server {

// "2026-01-31T12:00:00Z"
std::string ollamaTime(std::int64_t unixSeconds);

class OllamaStream {
 public:
  static constexpr Framing kFraming = Framing::kLines;

  // The card outlives this.
  OllamaStream(const OllamaText& request, const inference::ModelCard& card);
  OllamaStream(const PlainRequest& request, const inference::ModelCard& card);

  // The body of an answer with that problem.
  static Json errorBody(const Problem& problem);

  // From here on lines go to `outbox`, which outlives this. Unless this is called only object() is
  // of interest.
  void streamTo(Outbox& outbox) { outbox_ = &outbox; }

  // These are called in this order, but for prompt() and text() each once; begun() not if it ends
  // before.
  void prompt(const inference::PromptProgress& progress);
  void begun() {}
  void chances(const std::vector<inference::TokenChance>& added);
  void text(std::string_view added);
  void ended(const inference::JobReport& report);

  // It has failed, or was cancelled; why.
  const std::optional<Problem>& problem() const { return problem_; }
  // The whole answer, once it has ended.
  Json object() const { return last(text_, thought_); }

 private:
  void take(const std::vector<inference::AnswerPart>& parts);
  void addText(std::string_view added);
  void addThought(std::string_view added);
  Json line(std::string_view text, std::string_view thought = {}) const;
  Json last(std::string_view text, std::string_view thought) const;

  const bool isChat_, mayCall_;
  const TextRequestFields names_;
  const OutputFormat format_;
  const bool tellsChances_;
  const int mostAlternatives_;
  Json chances_ = Json::array();
  const inference::ModelCard& card_;
  const std::string createdAt_;
  inference::AnswerReader reader_;
  std::string text_, thought_;
  std::vector<inference::ToolCall> calls_;
  std::string head_, tail_;  // of a line with text, around it
  Outbox* outbox_ = nullptr;
  Outbox::Ticket lastText_ = 0;
  std::optional<inference::JobReport> report_;
  std::optional<Problem> problem_;
};

}  // namespace waferpair::server
