// SPDX-License-Identifier: GPL-3.0-or-later
// Names of regions written into their rectangles, where there is room to read them.
#pragma once

#include <QFont>
#include <QRect>
#include <QString>

class QPainter;

namespace waferpair::view {

// Writes `name` in the upper left of `visible` (the part of the region on screen, logical pixels),
// shortened to fit; nothing when even that cannot be read. `fill` is the colour under it.
void drawRegionLabel(QPainter& painter, const QRect& visible, const QString& name,
                     const QFont& font, unsigned fill);

}  // namespace waferpair::view
