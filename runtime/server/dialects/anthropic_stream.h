// SPDX-License-Identifier: GPL-3.0-or-later
// One answer of /v1/messages, from request to its last event.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/server/core/events.h"
#include "runtime/server/core/outbox.h"
#include "runtime/server/dialects/answer_parts.h"

namespace waferpair::server {

class AnthropicStream {
 public:
  // The card outlives this.
  AnthropicStream(const TextRequest& request, const inference::ModelCard& card);

  // The body of an answer with that problem; the status follows from it unless it is given.
  static Json errorBody(const Problem& problem) { return errorBody(problem, httpStatus(problem)); }
  static Json errorBody(const Problem& problem, int status);

  // From here on events go to `outbox`, which outlives this. Unless this is called only object() is
  // of interest.
  void streamTo(Outbox& outbox) { outbox_ = &outbox; }

  // These are called in this order, but for prompt() and text() each once; begun() not if it ends
  // before.
  void prompt(const inference::PromptProgress& progress) { prompt_ = progress; }
  void begun();
  void text(std::string_view added);
  void ended(const inference::JobReport& report);

  // It has failed, or was cancelled; why.
  const std::optional<Problem>& problem() const { return problem_; }
  // The whole answer, once it has ended.
  Json object() const;

 private:
  // A part of the answer: thoughts, text, or a call of a tool.
  struct Block {
    enum class Kind { kThought, kText, kCall };
    Kind kind = Kind::kText;
    std::string id = {}, name = {};  // of a call
    std::string text = {};           // or the call's input
  };
  Json blockJson(const Block& block) const;
  void addTo(Block::Kind kind, std::string_view added);

  void take(const std::vector<inference::AnswerPart>& parts);
  void open(Block block);
  void add(std::string_view added);
  void close();
  void send(const Json& event);
  Json message() const;
  Json usage() const;

  const std::string id_;
  const TextRequestFields names_;
  const std::vector<std::string> stop_;
  const bool mayCall_;
  const inference::ModelCard& card_;
  inference::AnswerReader reader_;
  std::vector<Block> blocks_;
  bool isOpen_ = false;      // the last of them
  std::string head_, tail_;  // of an event with text of that block, around it
  Outbox* outbox_ = nullptr;
  Outbox::Ticket lastText_ = 0;
  inference::PromptProgress prompt_;
  std::optional<inference::JobReport> report_;
  std::string_view stopReason_ = "end_turn";
  Json stopSequence_ = nullptr;
  std::optional<Problem> problem_;
};

}  // namespace waferpair::server
