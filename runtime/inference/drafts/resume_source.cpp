// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/drafts/resume_source.h"

#include <algorithm>

namespace waferpair::inference {
namespace {

constexpr std::size_t kNearTokens = 8;  // tokens, of the context and of the rest

}  // namespace

void ResumeSource::parted(std::span<const std::int32_t> rest, std::size_t at) {
  rest_.assign(rest.begin(), rest.end());
  at_ = at;
}

Draft ResumeSource::propose(std::span<const std::int32_t> context, int most) const {
  Draft draft;
  if (rest_.empty() || context.size() <= at_ || context.size() - at_ > kNearTokens) return draft;
  const std::size_t since = context.size() - at_;
  // The first place in the rest that ends as the context does.
  std::size_t next = 0;
  for (std::size_t i = 0; i < std::min(rest_.size(), kNearTokens) && next == 0; ++i)
    if (rest_[i] == context.back()) next = i + 1;
  for (std::size_t i = 0; i < std::min(next, since); ++i, ++draft.matched)
    if (rest_[next - 1 - i] != context[context.size() - 1 - i]) break;
  if (next == 0 && since == 1) next = 1;
  if (next == 0) return draft;
  const auto length = std::min(rest_.size() - next, static_cast<std::size_t>(std::max(most, 0)));
  const auto from = rest_.begin() + static_cast<std::ptrdiff_t>(next);
  draft.tokens.assign(from, from + static_cast<std::ptrdiff_t>(length));
  return draft;
}

}  // namespace waferpair::inference
