// SPDX-License-Identifier: GPL-3.0-or-later
// The metrics that a core's color can show, and the fixed scale each of them is drawn on. Scales
// never follow the data, so that a color means the same today and tomorrow.
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

namespace waferpair::view {

enum class Metric {
  kUtilization,  // compute cycles / interval cycles
  kActivity,     // active cycles / interval cycles
  kTraffic,      // wavelets per cycle through a PE's router
  kSramUsed,     // bytes of a PE: code, weights, KV cache and activations together
  kSramCode,     // bytes of a PE, by kind
  kSramWeights,
  kSramKvCache,
  kSramActivations,
};
inline constexpr int kMetrics = 8;

// A core's byte in a plane. Level 0 is silicon that no region uses, 1 is the value zero, 2 to 255
// rise with the value. The order matters: drawn small, many cores become one pixel by maximum.
using Level = std::uint8_t;
inline constexpr Level kUnusedLevel = 0;
inline constexpr Level kZeroLevel = 1;

// The mapping of values to levels. Shares and traffic at batch 1 span four decades, so those scales
// are logarithmic; bytes are linear.
struct Scale {
  double low = 0;   // value of level 2; smaller positive values are drawn as level 2
  double high = 1;  // value of level 255; larger ones are drawn as it
  bool logarithmic = false;

  Level level(double value) const;
  // Returns where `value` lies along the color ramp, 0 to 1.
  double position(double value) const;
};

bool isSram(Metric metric);
QString metricName(Metric metric);  // "Utilization"
QString metricUnit(Metric metric);  // "% of cycles computing"
// `sramPerPe` in bytes bounds the SRAM scales.
Scale metricScale(Metric metric, std::uint32_t sramPerPe);
// Values to print along the legend, all within the scale.
std::vector<double> metricTicks(Metric metric, std::uint32_t sramPerPe);
// Returns the shortest readable text: "0.1 %", "0.02", "12 KiB".
QString tickText(Metric metric, double value);

// Returns the exact value with its unit, for read-outs: "0.83 %", "0.0213 wavelets/cycle", "12,288
// B".
QString valueText(Metric metric, double value);
QString bytesText(std::uint32_t bytes);      // "12,288 B"
QString largeBytesText(std::int64_t bytes);  // "15.1 GB", decimal units
QString countText(std::uint64_t count);      // "74,000"
QString shareText(double share);             // "0.83 %"
QString secondsText(double seconds);         // "67.3 µs", "41 ms"
QString rateText(double perSecond);          // "1,034", "14,860"
QString axisText(double value);              // "0.5", "20", "1,000"
QString clockText(double hertz);             // "1.10 GHz"

}  // namespace waferpair::view
