// SPDX-License-Identifier: GPL-3.0-or-later
// A small map of the wafer that shows where a zoomed-in view lies.
#pragma once

#include <QRect>

#include "wafer_view/planes.h"
#include "wafer_view/theme.h"
#include "wafer_view/viewport.h"

class QPainter;

namespace waferpair::view {

// Its place in the lower right of `map`; empty when the view shows most of the wafer anyway, or
// the map is too small to spare the room.
QRect miniMapRect(const QRect& map, const Planes& planes, const Viewport& viewport);

void drawMiniMap(QPainter& painter, const QRect& rect, const Planes& planes,
                 const Viewport& viewport, const WaferColors& theme, const LevelColors& colors);

}  // namespace waferpair::view
