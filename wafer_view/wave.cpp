// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/wave.h"

#include <algorithm>
#include <cmath>

namespace waferpair::view {
namespace {

// A region stays lit for this part of the step after its op ended, so that the eye sees a wave and
// not a flicker. The legend names the window in cycles.
constexpr double kWindowShare = 1.0 / 12;

double niceFactor(double raw) {
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double digit = raw / power;
  // Borders are geometric means of neighbors.
  return power * (digit < std::sqrt(2.0)    ? 1
                  : digit < std::sqrt(10.0) ? 2
                  : digit < std::sqrt(50.0) ? 5
                                            : 10);
}

}  // namespace

void WaveReplay::setLayout(const protocol::WaferLayout& layout) {
  const double asked = asked_;
  *this = {};
  asked_ = asked;
  clockHz_ = layout.clockHz > 0 && std::isfinite(layout.clockHz) ? layout.clockHz : 0;
  const int regions = static_cast<int>(layout.regions.size());
  for (const protocol::OpLayout& op : layout.ops)
    opRegions_.push_back(op.region >= 0 && op.region < regions ? op.region : -1);
  shares_.assign(regions, 0.0f);
}

void WaveReplay::offer(std::span<const protocol::OpSpan> step) {
  if (clockHz_ == 0) return;  // emulated time is unknown: nothing true can be shown
  next_.clear();
  for (const protocol::OpSpan& span : step)
    if (span.op < opRegions_.size() && opRegions_[span.op] >= 0 && span.endCycle > span.startCycle)
      next_.push_back(span);
  std::stable_sort(next_.begin(), next_.end(),
                   [](const auto& a, const auto& b) { return a.startCycle < b.startCycle; });
  if (totalCycles_ == 0 && !next_.empty()) load();
}

double WaveReplay::slowdown() const {
  if (totalCycles_ == 0) return 0;
  return asked_ > 0 ? asked_ : niceFactor(kAutoSeconds * clockHz_ / totalCycles_);
}

void WaveReplay::advance(double seconds) {
  if (!playing_) return;
  position_ += seconds * clockHz_ / slowdown();
  if (position_ >= double{0} + totalCycles_ + windowCycles()) {
    if (!next_.empty()) {
      load();
    } else {
      position_ = 0;
    }
  }
  computeShares();
}

void WaveReplay::setCycle(std::uint32_t cycle) {
  if (!playing_) return;
  position_ = std::min(cycle, totalCycles_);
  computeShares();
}

void WaveReplay::stepOp(bool forward) {
  if (!playing_) return;
  // The places rise: of ops that start together the last counts.
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    const bool isLast = i + 1 == spans_.size();
    if (!isLast && spans_[i + 1].startCycle == spans_[i].startCycle) continue;
    std::uint32_t end = spans_[i].endCycle;
    if (!isLast) end = std::min(end, spans_[i + 1].startCycle);
    places.push_back(end - 1);
  }
  if (forward) {
    const auto next = std::upper_bound(places.begin(), places.end(), cycle());
    position_ = next == places.end() ? places.front() : *next;
  } else {
    const auto next = std::lower_bound(places.begin(), places.end(), cycle());
    position_ = next == places.begin() ? places.back() : *std::prev(next);
  }
  computeShares();
}

void WaveReplay::restart() {
  if (!next_.empty()) return load();
  if (totalCycles_ == 0) return;
  position_ = 0;
  playing_ = true;
  computeShares();
}

void WaveReplay::stop() {
  playing_ = false;
  computeShares();
}

std::uint32_t WaveReplay::windowCycles() const {
  return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(totalCycles_ * kWindowShare));
}

std::uint32_t WaveReplay::cycle() const {
  return static_cast<std::uint32_t>(std::min<double>(position_, totalCycles_));
}

int WaveReplay::currentOp() const {
  if (!playing_) return -1;
  // Ops of a step may overlap; the last one that started is the one to name.
  int found = -1;
  for (const protocol::OpSpan& span : spans_) {
    if (span.startCycle > position_) break;
    if (position_ < span.endCycle) found = span.op;
  }
  return found;
}

void WaveReplay::load() {
  spans_.swap(next_);
  next_.clear();
  totalCycles_ = 0;
  for (const protocol::OpSpan& span : spans_) totalCycles_ = std::max(totalCycles_, span.endCycle);
  position_ = 0;
  playing_ = true;
  computeShares();
}

void WaveReplay::computeShares() {
  std::fill(shares_.begin(), shares_.end(), 0.0f);
  if (!playing_) return;
  const double window = windowCycles(), from = position_ - window;
  for (const protocol::OpSpan& span : spans_) {
    if (span.startCycle >= position_) break;
    const double lit =
        std::min<double>(span.endCycle, position_) - std::max<double>(span.startCycle, from);
    // Ops of one region may overlap in time; more than all of the window makes no sense.
    float& share = shares_[opRegions_[span.op]];
    if (lit > 0) share = std::min(1.0f, share + static_cast<float>(lit / window));
  }
}

}  // namespace waferpair::view
