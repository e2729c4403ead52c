// SPDX-License-Identifier: GPL-3.0-or-later
// The samples behind a strip chart, each with its place along the strip. No picture in here.
#pragma once

#include <array>
#include <deque>
#include <vector>

namespace waferpair::view {

struct StripSample {
  static constexpr int kMaxBands = 4;
  double seconds = 0;
  double x = 0;                            // pixels along the strip; only rises
  bool afterPause = false;                 // no line leads here: nothing happened for a while
  std::array<double, kMaxBands> values{};  // NaN: none
};

class StripHistory {
 public:
  static constexpr double kPixelsPerSecond = 40;
  static constexpr double kPauseSeconds = 0.5;  // longer silences take kPausePixels
  static constexpr double kPausePixels = 12;
  static constexpr std::size_t kCapacity = 8192;

  explicit StripHistory(int bands) : bands_(bands) {}

  // Values beyond the bands are ignored, missing ones are NaN. Time that falls counts as a silence.
  const StripSample& append(double seconds, const std::vector<double>& values);
  void clear() { samples_.clear(); }

  const std::deque<StripSample>& samples() const { return samples_; }
  bool isEmpty() const { return samples_.empty(); }
  double headX() const { return samples_.empty() ? 0 : samples_.back().x; }

  // The maximum of samples at `fromX` or later; 0 when there are none.
  double maximum(int band, double fromX) const;
  // Index of the sample nearest to `x`, -1 when empty.
  int nearest(double x) const;
  // The newest value of a band that is not NaN; NaN when there is none.
  double latest(int band) const;

  // The smallest of 1, 2 or 5 times a power of ten that is not below `value`; 1 for nothing.
  static double niceCeiling(double value);

 private:
  int bands_;
  std::deque<StripSample> samples_;
};

}  // namespace waferpair::view
