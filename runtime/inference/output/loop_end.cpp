// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/loop_end.h"

#include <algorithm>
#include <cctype>

namespace waferpair::inference {
namespace {

constexpr std::string_view kFence = "```";

std::size_t lettersIn(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }));
}

}  // namespace

// The last tokens are kMostCopies + 1 times the same ones.
bool LoopEnd::isRepeated(std::size_t tokens) const {
  const std::size_t all = tokens * (kMostCopies + 1);
  if (all > tokens_.size()) return false;
  const auto last = tokens_.end() - static_cast<std::ptrdiff_t>(tokens);
  for (auto at = tokens_.end() - static_cast<std::ptrdiff_t>(all); at != last; ++at)
    if (*at != *(at + static_cast<std::ptrdiff_t>(tokens))) return false;
  std::string once;
  for (auto at = last; at != tokens_.end(); ++at) once += *at;
  if (lettersIn(once) < kFewestLetters) return false;
  const bool isLine = once.find('\n') != once.npos && once.size() >= kShortestLine;
  return isLine || tokens >= kFewestTokens;
}

bool LoopEnd::counts(std::string_view text) {
  bool counts = false;
  for (const char byte : text) {
    if (byte == '\n') {
      if (line_ == kFence) fenced_ = !fenced_;
      line_.clear();
    } else if (byte != ' ' && byte != '\t' && line_.size() < kFence.size()) {
      line_ += byte;
    }
    counts = takeCounted(byte) || counts;
  }
  return counts;
}

// Returns whether the last bytes are one text again and again, but for its numbers.
bool LoopEnd::takeCounted(char byte) {
  if (byte == '\t') byte = ' ';
  if (byte >= '0' && byte <= '9') byte = '0';
  // Numbers grow by a digit, and columns of them are filled with blanks.
  if ((byte == '0' || byte == ' ') && counted_.ends_with(byte)) return false;
  counted_ += byte;
  if (counted_.size() > 2 * kLongestCounted)
    counted_.erase(0, counted_.size() - kLongestCounted - 1);
  const std::size_t copies = fenced_ ? kMostCountedInCode : kMostCounted;
  bool counts = false;
  for (std::size_t distance = 1; distance < counted_.size() && distance <= kLongestCounted;
       ++distance) {
    const bool isAlike = counted_[counted_.size() - 1 - distance] == byte;
    alike_[distance] = isAlike ? alike_[distance] + 1 : 0;
    if (alike_[distance] < copies * distance) continue;
    const auto once = std::string_view(counted_).substr(counted_.size() - distance);
    const bool isBare = lettersIn(once) < kFewestLetters;
    counts = counts || (once.find('0') != once.npos &&
                        (!isBare || alike_[distance] >= kBareNumbers * copies * distance));
  }
  return counts;
}

std::string LoopEnd::push(std::string text, double) {
  if (found_) return {};
  if (text.empty()) return text;
  tokens_.push_back(text);
  if (tokens_.size() > 2 * kMostTokens * (kMostCopies + 1))
    tokens_.erase(tokens_.begin(),
                  tokens_.end() - static_cast<std::ptrdiff_t>(kMostTokens * (kMostCopies + 1)));
  for (std::size_t tokens = 1; tokens <= kMostTokens && !found_; ++tokens)
    if (tokens * (kMostCopies + 1) <= tokens_.size() &&
        tokens_[tokens_.size() - 1 - tokens] == tokens_.back())
      found_ = isRepeated(tokens);
  if (counts(text)) found_ = true;
  return text;
}

std::string LoopEnd::finish(std::string text, TextEnd, double probability) {
  return push(std::move(text), probability);
}

std::optional<StopReason> LoopEnd::stop() const {
  return found_ ? std::optional(StopReason::kLoop) : std::nullopt;
}

}  // namespace waferpair::inference
