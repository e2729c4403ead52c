// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/considered.h"

#include <algorithm>
#include <cmath>

#include "runtime/inference/sampling/sampler.h"

namespace waferpair::inference {

std::array<Alternative, Considered::kMost> likeliestOf(std::span<const float> logits, double all) {
  struct Known {
    float logit = -INFINITY;
    std::int32_t token = -1;
  };
  std::array<Known, Considered::kMost> most{};
  for (std::int32_t token = 0; token < std::ssize(logits); ++token) {
    const float logit = logits[static_cast<std::size_t>(token)];
    if (!(logit > most.back().logit)) continue;  // NaN and what is forbidden, too
    // Ties go to the lower token, as a sampler's do.
    auto at = most.end() - 1;
    for (; at != most.begin() && logit > (at - 1)->logit; --at) *at = *(at - 1);
    *at = {logit, token};
  }
  std::array<Alternative, Considered::kMost> likeliest{};
  std::ranges::transform(most, likeliest.begin(), [&](const Known& known) {
    return known.token < 0
               ? Alternative{}
               : Alternative{known.token, static_cast<float>(std::exp(known.logit - all))};
  });
  return likeliest;
}

Considered considered(std::int32_t token, std::span<const float> logits, double all,
                      std::span<const float> network) {
  const auto at = static_cast<std::size_t>(token);
  const bool same = logits.data() == network.data();
  return {.likeliest = likeliestOf(logits, all),
          .probability = static_cast<float>(std::exp(logits[at] - all)),
          .network = static_cast<float>(std::exp(network[at] - (same ? all : logOfSum(network))))};
}

}  // namespace waferpair::inference
