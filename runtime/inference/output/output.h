// SPDX-License-Identifier: GPL-3.0-or-later
// From the tokens that a model chose to the text that its client is shown:
//
//   token -> bytes -> whole characters -> stage -> stage -> ... -> text
//
// A stage lets text through, holds it back until it knows more, or ends the stream (stage.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/inference/output/stage.h"
#include "runtime/inference/prompt/chat_template.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

// Not thread-safe.
class Output {
 public:
  // The output of a completion or a text; `tokenizer` outlives it.
  explicit Output(const tokenizer::Tokenizer& tokenizer) : decoder_(tokenizer) {}

  // Shows only the answer in a conversation: a token that the template does not count as part of it
  // has no text.
  void showAnswerOnly(ChatOutput answer) { answer_ = std::move(answer); }
  // Adds a stage behind the others. Called before the first token.
  void add(std::unique_ptr<OutputStage> stage) { stages_.push_back(std::move(stage)); }

  // Returns the text that may be shown after a token, chosen with this probability.
  std::string push(std::int32_t token, double probability);
  // Returns the rest, once there will be no more tokens; `probability` as in OutputStage::finish().
  // Another call gives nothing.
  std::string finish(TextEnd end, double probability = 1);
  // Returns why the text ends here, if a stage says so; of several the last.
  std::optional<StopReason> stop() const;

 private:
  tokenizer::StreamDecoder decoder_;
  std::optional<ChatOutput> answer_;
  std::vector<std::unique_ptr<OutputStage>> stages_;
  bool finished_ = false;
};

}  // namespace waferpair::inference
