// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/short_prompt.h"

#include <utility>

namespace waferpair::inference {
namespace {

// Tokens that are read with the first key, without a wait that one notices.
constexpr int kFewUnread = 16;

struct Brief {
  std::vector<std::int32_t> tokens;
  int unread = 0;
};

// The one that would be read soon, or another of which much less is unread. Of equals the longest.
Brief briefOf(const PromptChoice& choice, const ReadingPace& pace) {
  const auto made = [&choice](std::size_t size) {
    Brief brief{choice.brief(size)};
    if (!brief.tokens.empty()) brief.unread = choice.unread(brief.tokens);
    return brief;
  };
  const std::size_t soon = pace.soon();
  Brief best = made(soon);
  for (std::size_t size = ReadingPace::kLongestBrief; size >= ReadingPace::kShortestBrief;
       size /= 2) {
    if (size == soon || (!best.tokens.empty() && best.unread <= kFewUnread)) continue;
    Brief other = made(size);
    if (other.tokens.empty()) continue;
    // Known at the front only, as all prompts are, it gains nothing.
    const bool isKnown = 2 * other.unread < static_cast<int>(other.tokens.size());
    if (isKnown && (best.tokens.empty() || 2 * other.unread < best.unread)) best = std::move(other);
  }
  return best;
}

}  // namespace

ChosenPrompt choosePrompt(std::vector<std::int32_t> whole, const PromptChoice& choice,
                          const ReadingPace& pace) {
  const int left = choice.unread(whole);
  if (!pace.isSlow(left)) return {std::move(whole)};
  Brief brief = briefOf(choice, pace);
  const bool isNearer = !brief.tokens.empty() && 2 * brief.unread < left;
  // Whoever types before all of it has been read ahead is answered from the short one.
  const bool isRead = choice.ahead && brief.unread <= kFewUnread;
  if (!isNearer || isRead) return {std::move(whole)};
  return {std::move(brief.tokens), true};
}

}  // namespace waferpair::inference
