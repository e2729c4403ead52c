// SPDX-License-Identifier: GPL-3.0-or-later
// The face of one PE drawn large: its value, its SRAM by kind, and with room enough every figure.
// PEs of a region are alike, so one tile serves all of them.
#pragma once

#include <QFont>
#include <QImage>

#include "wafer_view/planes.h"
#include "wafer_view/theme.h"

class QPainter;
class QRectF;

namespace waferpair::view {

// Draws it over (0, 0) to (side, side) in logical pixels, `heat` being the color of its value. No
// text runs into another or out of the tile: what does not fit is shortened or left out.
void drawPeTile(QPainter& painter, const Planes& planes, int region, int side, QRgb heat,
                const WaferColors& theme, const QFont& font);

// "PE 381, 586" into the free upper part of a tile whose corner is `at`, from
// WaferPainter::kCoordinateScale on. PEs of a region share a tile, and each has a name of its own.
void drawPeName(QPainter& painter, const QPointF& at, int side, int x, int y, QRgb color,
                const QFont& font);

// A tile of `side` logical pixels; opaque.
QImage peTile(const Planes& planes, int region, int side, double devicePixelRatio,
              const WaferColors& theme, const LevelColors& colors, const QFont& font);

// A horizontal bar of all bytes of a PE, stacked by kind.
void drawSramBar(QPainter& painter, const QRectF& rect, const protocol::RegionLayout& region,
                 std::uint32_t sramPerPe, const WaferColors& theme);

QString sramKindName(protocol::SramKind kind);  // "KV cache"

}  // namespace waferpair::view
