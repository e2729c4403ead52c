// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/drafts/draft_policy.h"

#include <time.h>

#include <algorithm>

namespace waferpair::inference {
namespace {

// The assumed cost of a row before it was measured: a drafted token that is likely is tried once,
// at least.
constexpr double kUnknownRow = 0.4;
// A step that was interrupted says little about the next one.
constexpr double kLeastOff = 0.5, kMostOff = 2;
// Shares of a new measurement. What disturbs a step makes it longer, so shorter ones count more.
constexpr double kOfShorter = 1.0 / 4, kOfLonger = 1.0 / 16;
constexpr double kHopeless = 0.02;  // of being right so far
constexpr double kOfOdds = 1.0 / 24;

double shareOf(double off) { return off * (off < 0 ? kOfShorter : kOfLonger); }

}  // namespace

double computingTime() {
  timespec time;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return 0;
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

StepCosts::StepCosts() {
  measured_[1] = true;
  relative_.fill(1);
  fillIn();
}

void StepCosts::measured(int rows, double nanoseconds) {
  if (nanoseconds <= 0) return;
  rows = std::clamp(rows, 1, kMostRows);
  double& known = relative_[static_cast<std::size_t>(rows)];
  if (oneRow_ == 0) oneRow_ = nanoseconds / known;
  const double off = std::clamp(nanoseconds / (oneRow_ * known), kLeastOff, kMostOff) - 1;
  if (rows == 1) {
    oneRow_ *= 1 + shareOf(off);
    return;
  }
  // Either steps of so many rows cost another share than was thought, or all steps take another
  // time than before: the computer has more to do, or the context has grown.
  bool& before = measured_[static_cast<std::size_t>(rows)];
  known = std::max(known * (1 + (before ? shareOf(off) : off / 2)), 1.0);
  before = true;
  oneRow_ *= 1 + shareOf(off) / 4;
  fillIn();
}

// Fills in the costs that were not measured: on the line between their measured neighbors, or
// behind the last of these.
void StepCosts::fillIn() {
  int below = 1;
  for (int above = 2; above <= kMostRows + 1; ++above) {
    const bool end = above > kMostRows;
    if (!end && !measured_[static_cast<std::size_t>(above)]) continue;
    const double from = relative_[static_cast<std::size_t>(below)];
    double slope = below > 1 ? (from - 1) / (below - 1) : kUnknownRow;
    if (!end) slope = (relative_[static_cast<std::size_t>(above)] - from) / (above - below);
    for (int rows = below + 1; rows < above; ++rows)
      relative_[static_cast<std::size_t>(rows)] = from + slope * (rows - below);
    below = above;
  }
}

int DraftOdds::classOf(int matched) {
  constexpr int kFrom[kClasses] = {0, 1, 3, 4, 5, 7, 11, 19};
  int found = 0;
  while (found + 1 < kClasses && matched >= kFrom[found + 1]) ++found;
  return found;
}

DraftOdds::DraftOdds() {
  odds_.fill({0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.87, 0.93});  // soon replaced by what is seen
}

void DraftOdds::seen(DraftSource source, int matched, bool right) {
  double& odds = odds_[static_cast<std::size_t>(source)][classOf(matched)];
  odds += ((right ? 1 : 0) - odds) * kOfOdds;
}

double DraftOdds::of(DraftSource source, int matched) const {
  return odds_[static_cast<std::size_t>(source)][classOf(matched)];
}

DraftLength bestLength(DraftSource source, const Draft& draft, const DraftOdds& odds,
                       const StepCosts& costs) {
  DraftLength best;
  double tokens = 1, reached = 1;
  const auto most = std::min(static_cast<int>(draft.tokens.size()), kMostDrafted);
  for (int n = 1; n <= most; ++n) {
    reached *= odds.of(source, draft.matched + n - 1);
    if (reached < kHopeless) break;
    tokens += reached;
    const double gain = tokens / costs.relative(n + 1);
    if (gain > best.gain) best = {n, gain};
  }
  return best;
}

}  // namespace waferpair::inference
