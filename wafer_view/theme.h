// SPDX-License-Identifier: GPL-3.0-or-later
// Every color of this room, derived from the widget's palette: dark or light ground, the same
// meaning on both.
#pragma once

#include <QColor>
#include <QPalette>
#include <array>

#include "runtime/protocol/telemetry.h"
#include "wafer_view/color_map.h"
#include "wafer_view/metric.h"

namespace waferpair::view {

using LevelColors = std::array<QRgb, 256>;  // by Level; entry 0 is plain unused silicon

struct WaferColors {
  Ground ground = Ground::kDark;
  QRgb backdrop = 0;   // around the wafer, and of the strips above and below it
  QRgb waferEdge = 0;  // rim of silicon outside the fabric
  QRgb waferRim = 0;   // thin line around it
  QRgb silicon = 0;    // cores that no region uses
  QRgb gap = 0;        // between dies, and between cores drawn large
  QRgb outline = 0;    // around regions
  QRgb accent = 0;     // what the mouse points at
  QRgb text = 0;
  QRgb dimText = 0;
  QRgb panel = 0;  // read-outs and badges
  QRgb panelBorder = 0;
  QRgb badge = 0;  // "Paused"
  QRgb badgeText = 0;
  QRgb hostSeries = 0;                            // strip charts: measured on this computer
  QRgb waferSeries = 0;                           // emulated
  std::array<QRgb, protocol::kSramKinds> sram{};  // by SramKind
  LevelColors levels{};                           // while frames come
  LevelColors idleLevels{};                       // the last activity, when no frames come any more
};

WaferColors waferColors(const QPalette& palette);

// The color of unused silicon of one die: a slight sheen from corner to corner, as on a real wafer.
QRgb dieSilicon(const WaferColors& theme, int column, int row, int columns, int rows);

// The color of one of several series side by side, by number: told apart on light and dark ground,
// as the kinds of SRAM are.
QColor seriesColor(const QPalette& palette, int series);

// Returns black or white, whichever reads better on `ground`.
QRgb textOn(QRgb ground);

}  // namespace waferpair::view
