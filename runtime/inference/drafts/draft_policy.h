// SPDX-License-Identifier: GPL-3.0-or-later
// Decides how much of a draft is worth verifying, by how often such drafts were right and by the
// cost of steps of several tokens on this computer. Both are measured as the work goes on. Where a
// step of two tokens takes as long as two steps, or drafts are mostly wrong, nothing is drafted.
#pragma once

#include <array>

#include "runtime/inference/drafts/draft.h"

namespace waferpair::inference {

inline constexpr int kMostDrafted = 31;  // tokens in one step, beside the one that is sure

// Returns the time this thread has computed, in nanoseconds, for measuring what a step costs. Time
// that other programs take in between would count against long steps, which they interrupt more
// often.
double computingTime();

// The time of a step by its rows. Not thread-safe.
class StepCosts {
 public:
  StepCosts();
  // A step of 1 to kMostDrafted + 1 rows, all with logits.
  void measured(int rows, double nanoseconds);
  // The time relative to a step of one row, which is 1. Row counts between those that were measured
  // are interpolated.
  double relative(int rows) const { return relative_[static_cast<std::size_t>(rows)]; }

 private:
  static constexpr int kMostRows = kMostDrafted + 1;
  void fillIn();

  double oneRow_ = 0;  // nanoseconds; 0: none was measured
  std::array<double, kMostRows + 1> relative_;
  std::array<bool, kMostRows + 1> measured_ = {};
};

// The odds that the next token of a draft is right, by its source and by how many tokens in front
// of it agreed. Old measurements fade: only the last few dozen count. Not thread-safe.
class DraftOdds {
 public:
  DraftOdds();
  void seen(DraftSource source, int matched, bool right);
  double of(DraftSource source, int matched) const;

 private:
  static constexpr int kClasses = 8;
  static int classOf(int matched);
  std::array<std::array<double, kClasses>, kDraftSources> odds_;
};

struct DraftLength {
  int tokens = 0;
  double gain = 0;  // tokens that come out, by the cost of the step, of plain decoding's
};
// The length from 1 up to all of the draft that promises most; {} for an empty one.
DraftLength bestLength(DraftSource source, const Draft& draft, const DraftOdds& odds,
                       const StepCosts& costs);

}  // namespace waferpair::inference
