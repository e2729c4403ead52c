// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/strip_history.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace waferpair::view {
namespace {
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
}

const StripSample& StripHistory::append(double seconds, const std::vector<double>& values) {
  StripSample sample;
  sample.seconds = seconds;
  sample.values.fill(kNone);
  for (int band = 0; band < bands_ && band < static_cast<int>(values.size()); ++band)
    if (std::isfinite(values[band])) sample.values[band] = values[band];
  if (!samples_.empty()) {
    const double elapsed = seconds - samples_.back().seconds;
    sample.afterPause = !(elapsed >= 0 && elapsed <= kPauseSeconds);
    sample.x = samples_.back().x + (sample.afterPause ? kPausePixels : elapsed * kPixelsPerSecond);
  }
  samples_.push_back(sample);
  if (samples_.size() > kCapacity) samples_.pop_front();
  return samples_.back();
}

double StripHistory::maximum(int band, double fromX) const {
  double found = 0;
  for (auto it = samples_.rbegin(); it != samples_.rend() && it->x >= fromX; ++it)
    if (it->values[band] > found) found = it->values[band];
  return found;
}

int StripHistory::nearest(double x) const {
  if (samples_.empty()) return -1;
  const auto next = std::lower_bound(samples_.begin(), samples_.end(), x,
                                     [](const StripSample& s, double at) { return s.x < at; });
  if (next == samples_.begin()) return 0;
  const auto before = std::prev(next);
  const bool takeNext = next != samples_.end() && next->x - x < x - before->x;
  return static_cast<int>((takeNext ? next : before) - samples_.begin());
}

double StripHistory::latest(int band) const {
  for (auto it = samples_.rbegin(); it != samples_.rend(); ++it)
    if (!std::isnan(it->values[band])) return it->values[band];
  return kNone;
}

double StripHistory::niceCeiling(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0})
    if (value <= step * power * (1 + 1e-9)) return step * power;
  return 10 * power;
}

}  // namespace waferpair::view
