// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/certainty.h"

#include <algorithm>
#include <utility>

namespace waferpair::inference {

bool isWordByte(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || byte == '_' || (byte & 0x80) != 0;
}

// Returns true if all text so far is likely enough together with one more token of this
// probability.
bool Certainty::enough(double probability) {
  const double whole = whole_ * probability;
  ended_ = ended_ || whole < least_;
  if (!ended_) whole_ = whole;
  return !ended_;
}

std::string Certainty::push(std::string text, double probability) {
  if (ended_) return {};
  if (!enough(probability)) {
    // The next token is not sure, but it does say that the word has ended.
    const bool wordEnds = !text.empty() && !isWordByte(text.front());
    return wordEnds ? std::exchange(held_, {}) : std::string();
  }
  if (least_ <= 0) return text;
  held_ += text;
  const auto word = std::find_if_not(held_.rbegin(), held_.rend(), isWordByte).base();
  std::string shown(held_.begin(), word);
  held_.erase(held_.begin(), word);
  return shown;
}

// A word ends at an end that was chosen, even one that is not sure.
std::string Certainty::finish(std::string text, TextEnd end, double probability) {
  if (ended_ || end == TextEnd::kCut) return {};
  const bool all = end == TextEnd::kComplete || enough(probability);
  return all ? std::move(held_) + text : std::move(held_);
}

std::optional<StopReason> Certainty::stop() const {
  return ended_ ? std::optional(StopReason::kUnsure) : std::nullopt;
}

}  // namespace waferpair::inference
