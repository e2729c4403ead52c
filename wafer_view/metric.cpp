// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/metric.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "wafer_view/translate.h"

namespace waferpair::view {
namespace {

// One way of writing numbers, whatever the desktop's language: the program's text is English.
const QLocale& locale() {
  static const QLocale english(QLocale::English, QLocale::UnitedStates);
  return english;
}

// Three significant digits, so that a read-out neither jumps in width nor hides small shares.
QString significant(double value) {
  const double size = std::abs(value);
  if (size == 0) return QStringLiteral("0");
  const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 7);
  return locale().toString(value, 'f', decimals);
}

}  // namespace

Level Scale::level(double value) const {
  if (!(value > 0)) return kZeroLevel;
  return static_cast<Level>(2 + std::lround(253 * position(value)));
}

double Scale::position(double value) const {
  if (!(value > low)) return 0;
  if (value >= high) return 1;
  return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

bool isSram(Metric metric) { return metric >= Metric::kSramUsed; }

QString metricName(Metric metric) {
  switch (metric) {
    case Metric::kUtilization:
      return tr("Utilization");
    case Metric::kActivity:
      return tr("Activity");
    case Metric::kTraffic:
      return tr("Fabric traffic");
    case Metric::kSramUsed:
      return tr("SRAM used");
    case Metric::kSramCode:
      return tr("SRAM: code");
    case Metric::kSramWeights:
      return tr("SRAM: weights");
    case Metric::kSramKvCache:
      return tr("SRAM: KV cache");
    case Metric::kSramActivations:
      return tr("SRAM: activations");
  }
  return {};
}

QString metricUnit(Metric metric) {
  switch (metric) {
    case Metric::kUtilization:
      return tr("share of cycles computing");
    case Metric::kActivity:
      return tr("share of cycles with an op running");
    case Metric::kTraffic:
      return tr("wavelets per cycle and PE");
    default:
      return tr("bytes per PE");
  }
}

Scale metricScale(Metric metric, std::uint32_t sramPerPe) {
  switch (metric) {
    case Metric::kUtilization:
    case Metric::kActivity:
      return {1e-4, 1, true};
    // A router moves at most one wavelet a cycle on each of its five ports.
    case Metric::kTraffic:
      return {1e-4, 5, true};
    default:
      return {0, std::max(1.0, static_cast<double>(sramPerPe)), false};
  }
}

std::vector<double> metricTicks(Metric metric, std::uint32_t sramPerPe) {
  if (metric == Metric::kTraffic) return {1e-4, 1e-3, 1e-2, 1e-1, 1, 5};
  if (!isSram(metric)) return {1e-4, 1e-3, 1e-2, 1e-1, 1};
  const double top = sramPerPe;
  return {0, top / 4, top / 2, top * 3 / 4, top};
}

QString tickText(Metric metric, double value) {
  if (isSram(metric)) return tr("%1 KiB").arg(locale().toString(value / 1024, 'g', 3));
  if (metric == Metric::kTraffic) return locale().toString(value, 'g', 3);
  return tr("%1 %").arg(locale().toString(value * 100, 'g', 3));
}

QString valueText(Metric metric, double value) {
  if (isSram(metric)) return bytesText(static_cast<std::uint32_t>(std::max(0.0, value)));
  if (metric == Metric::kTraffic) return tr("%1 wavelets/cycle").arg(significant(value));
  return shareText(value);
}

QString bytesText(std::uint32_t bytes) { return tr("%1 B").arg(locale().toString(bytes)); }

QString largeBytesText(std::int64_t bytes) {
  const double size = static_cast<double>(bytes);
  if (size < 1e3) return tr("%1 B").arg(locale().toString(static_cast<qlonglong>(bytes)));
  if (size < 1e6) return tr("%1 kB").arg(significant(size / 1e3));
  if (size < 1e9) return tr("%1 MB").arg(significant(size / 1e6));
  return tr("%1 GB").arg(significant(size / 1e9));
}

QString countText(std::uint64_t count) { return locale().toString(static_cast<qulonglong>(count)); }

QString shareText(double share) { return tr("%1 %").arg(significant(share * 100)); }

QString secondsText(double seconds) {
  const double size = std::abs(seconds);
  if (size < 1e-3) return tr("%1 µs").arg(significant(seconds * 1e6));
  if (size < 1) return tr("%1 ms").arg(significant(seconds * 1e3));
  return tr("%1 s").arg(significant(seconds));
}

QString rateText(double perSecond) {
  return perSecond < 100 ? significant(perSecond) : locale().toString(perSecond, 'f', 0);
}

QString axisText(double value) {
  return value < 100 ? locale().toString(value, 'g', 3) : locale().toString(value, 'f', 0);
}

QString clockText(double hertz) { return tr("%1 GHz").arg(locale().toString(hertz / 1e9, 'f', 2)); }

}  // namespace waferpair::view
