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

// A tile of `side` logical pixels; opaque.
QImage peTile(const Planes& planes, int region, int side, double devicePixelRatio,
              const Theme& theme, const LevelColours& colours, const QFont& font);

// A horizontal bar of all bytes of a PE, stacked by kind.
void drawSramBar(QPainter& painter, const QRectF& rect, const protocol::RegionLayout& region,
                 std::uint32_t sramPerPe, const Theme& theme);

QString sramKindName(protocol::SramKind kind);  // "KV cache"

}  // namespace waferpair::view
