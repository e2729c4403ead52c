// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/repetition_check.h"

#include <algorithm>

namespace waferpair::inference {
namespace {

// Returns true if `text` ends with the same `length` bytes three times.
bool endsWithThree(std::string_view text, std::size_t length) {
  if (text.size() < 3 * length) return false;
  const std::string_view once = text.substr(text.size() - length);
  return text.substr(text.size() - 2 * length, length) == once &&
         text.substr(text.size() - 3 * length, length) == once;
}

}  // namespace

Verdict RepetitionCheck::judge(std::string_view bytes) const {
  if (text_.size() + bytes.size() < 3 * kShortest || bytes.empty()) return Verdict::kFits;
  const std::size_t seen = std::min(text_.size(), 3 * kLongest);
  const std::string text = text_.substr(text_.size() - seen) + std::string(bytes);
  for (std::size_t length = kShortest; 3 * length <= text.size(); ++length)
    if (endsWithThree(text, length)) return Verdict::kEndsHere;
  return Verdict::kFits;
}

}  // namespace waferpair::inference
