// SPDX-License-Identifier: GPL-3.0-or-later
// Drafts the rest of the last draft: where one token came that it did not foresee, the rest of it
// may still be right.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/inference/drafts/draft.h"

namespace waferpair::inference {

// Not thread-safe.
class ResumeSource {
 public:
  // `rest` begins with the drafted token that was wrong; the token chosen in its place is at place
  // `at` of the context.
  void parted(std::span<const std::int32_t> rest, std::size_t at);

  // Right behind the other token: the rest, as if it had been replaced. A little later: the rest
  // from where it has been met again.
  Draft propose(std::span<const std::int32_t> context, int most) const;

 private:
  std::vector<std::int32_t> rest_;
  std::size_t at_ = 0;
};

}  // namespace waferpair::inference
