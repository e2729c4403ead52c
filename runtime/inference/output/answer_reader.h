// SPDX-License-Identifier: GPL-3.0-or-later
// Takes an answer apart while it streams in: thoughts, text, and calls of tools.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/inference/output/answer_part.h"
#include "runtime/inference/output/bare_call_reader.h"
#include "runtime/inference/output/thinking_reader.h"
#include "runtime/inference/output/tool_call_reader.h"

namespace waferpair::inference {

// Not thread-safe.
class AnswerReader {
 public:
  // Without the one there are no thoughts, without the other no calls. `bare` reads calls that are
  // not in the model's own form, where there may be such.
  AnswerReader(std::optional<ThinkingReader> thinking, std::optional<ToolCallReader> calls,
               std::optional<BareCallReader> bare = std::nullopt)
      : thinking_(std::move(thinking)), calls_(std::move(calls)), bare_(std::move(bare)) {}

  std::vector<AnswerPart> push(std::string_view text);
  // The answer is over: returns what was held back.
  std::vector<AnswerPart> finish();
  // What the answer begins with is known from its first text alone.
  bool tellsParts() const { return thinking_ || calls_; }

 private:
  void add(const ThinkingReader::Told& told, std::vector<AnswerPart>& parts);
  void say(std::string_view text, std::vector<AnswerPart>& parts);
  void read(std::string_view text, std::vector<AnswerPart>& parts);

  std::optional<ThinkingReader> thinking_;
  std::optional<ToolCallReader> calls_;
  std::optional<BareCallReader> bare_;  // in front of the other; there are calls
};

}  // namespace waferpair::inference
