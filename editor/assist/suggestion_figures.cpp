// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/suggestion_figures.h"

#include <algorithm>
#include <cmath>

namespace waferpair::editor {

namespace {

constexpr double kStep = 1.15;
constexpr int kLastStep = 80;  // over a minute

}  // namespace

// Step 0 is up to a millisecond, step n from kStep^(n-1) to kStep^n.
void LatencyCounts::add(double milliseconds) {
  const double step = milliseconds > 1 ? std::ceil(std::log(milliseconds) / std::log(kStep)) : 0.0;
  ++steps_[static_cast<int>(std::min<double>(step, kLastStep))];
}

std::optional<double> LatencyCounts::percentile(double share) const {
  qint64 all = 0;
  for (const qint64 count : steps_) all += count;
  if (all == 0) return {};
  const double wanted = share * static_cast<double>(all);
  qint64 reached = 0;
  for (auto step = steps_.cbegin(); step != steps_.cend(); ++step) {
    reached += step.value();
    // In the middle of the step.
    if (static_cast<double>(reached) >= wanted) return std::pow(kStep, step.key() - 0.5);
  }
  return std::pow(kStep, steps_.lastKey() - 0.5);
}

LatencyCounts& LatencyCounts::operator+=(const LatencyCounts& other) {
  for (auto step = other.steps_.cbegin(); step != other.steps_.cend(); ++step)
    steps_[step.key()] += step.value();
  return *this;
}

LatencyCounts LatencyCounts::fromSteps(const QMap<int, qint64>& steps) {
  LatencyCounts counts;
  for (auto step = steps.cbegin(); step != steps.cend(); ++step)
    if (step.key() >= 0 && step.key() <= kLastStep && step.value() > 0)
      counts.steps_.insert(step.key(), step.value());
  return counts;
}

SuggestionFigures& SuggestionFigures::operator+=(const SuggestionFigures& other) {
  shown += other.shown;
  accepted += other.accepted;
  retained += other.retained;
  dismissed += other.dismissed;
  latency += other.latency;
  return *this;
}

}  // namespace waferpair::editor
