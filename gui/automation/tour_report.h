// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that the tour measured, as a table for people and as JSON. Each says of which clock
// it is; what was not measured is left out.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>

#include "gui/client/runtime_figures.h"

namespace waferpair::gui {

struct TourFigures {
  std::optional<double> windowUpMs;    // process start to first paint; start is known to 10 ms
  QVector<double> keyToPaintedMs;      // one each key typed
  std::optional<double> firstGhostMs;  // from the key press to the ghost on screen, first one seen
  std::optional<double> waferViewFps;  // paints a second of the wafer view while it is animated
  RuntimeFigures runtime;
  QStringList screenshots;  // file names
  QStringList steps;        // that happened, in order
};

// The value below which a share of the values lies (0.5: the median). `values` is not empty.
double quantile(QVector<double> values, double share);

QString tourTable(const TourFigures& figures);  // Markdown
QJsonObject tourJson(const TourFigures& figures);

// Writes figures.md and figures.json into `directory`. False when they cannot be written.
bool writeTourReport(const QString& directory, const TourFigures& figures);

}  // namespace waferpair::gui
