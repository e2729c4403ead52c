// SPDX-License-Identifier: GPL-3.0-or-later
// The strip under the map: what the colors mean, in which unit, on which scale.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <utility>
#include <vector>

#include "wafer_view/metric.h"
#include "wafer_view/theme.h"

class QPainter;

namespace waferpair::view {

struct Legend {
  QString title;                                  // "Utilization"
  QString unit;                                   // "share of cycles computing"
  std::vector<std::pair<double, QString>> ticks;  // position along the ramp (0 to 1), text
};

Legend metricLegend(Metric metric, std::uint32_t sramPerPe);
// Returns the legend of the wave: the share of a moving window of emulated cycles.
Legend waveLegend(std::uint32_t windowCycles);

inline constexpr int kLegendHeight = 54;
inline constexpr int kCompactLegendHeight = 20;  // the ramp between its ends

void drawLegend(QPainter& painter, const QRectF& rect, const Legend& legend,
                const WaferColors& theme, const LevelColors& colors, const QFont& font);

}  // namespace waferpair::view
