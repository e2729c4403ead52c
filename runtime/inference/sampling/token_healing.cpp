// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/token_healing.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace waferpair::inference {
namespace {

// Longer runs are not words but base64 or separators. They are continued where they end. Blanks
// are an indentation.
constexpr std::size_t kLongestWord = 32, kMostBlanks = 256;
constexpr std::string_view kIndentation = " \t\r\n";

}  // namespace

std::string_view healedEnd(const tokenizer::Tokenizer& tokenizer, std::string_view prefix) {
  const std::size_t start = tokenizer.lastWord(prefix);
  const std::string_view word = prefix.substr(start);
  const std::size_t blanks = std::min(word.find_first_not_of(kIndentation), word.size());
  if (start == 0 || blanks > kMostBlanks || word.size() - blanks > kLongestWord) return {};
  const bool hasLineEnd = word.find_first_of("\r\n") != std::string_view::npos;
  return hasLineEnd && tokenizer.endsLine(prefix) ? std::string_view() : word;
}

void TokenHealing::apply(std::span<float> logits) {
  const std::string_view left = left_;
  const auto agrees = [&](std::int32_t token) {
    const std::string_view bytes = tokenizer_->bytes(token);
    if (bytes.empty() || bytes.front() != left.front()) return false;  // most of a vocabulary
    return bytes.size() < left.size() ? left.starts_with(bytes) : bytes.starts_with(left);
  };
  std::vector<std::pair<std::size_t, float>> kept;
  for (std::size_t token = 0; token < logits.size(); ++token)
    if (agrees(static_cast<std::int32_t>(token))) kept.emplace_back(token, logits[token]);
  if (kept.empty()) return;  // a character that the vocabulary lacks
  std::fill(logits.begin(), logits.end(), -INFINITY);
  for (const auto& [token, logit] : kept) logits[token] = logit;
}

void TokenHealing::chosen(std::int32_t token) { left_.erase(0, tokenizer_->bytes(token).size()); }

}  // namespace waferpair::inference
