// SPDX-License-Identifier: GPL-3.0-or-later
// Names of regions written into their rectangles, where there is room to read them. Laid out once
// per zoom, drawn with every frame.
#pragma once

#include <QFont>
#include <QRect>
#include <QStaticText>
#include <QString>
#include <optional>

class QPainter;

namespace waferpair::view {

struct RegionLabel {
  int region = 0;
  QRect visible;  // the part of the region on screen, logical pixels
  QStaticText text;
  QFont font;
  QPointF at;  // upper left of the text
  QRectF ground;
};

// `name` in the upper left of `visible`, shortened to fit; nothing when even that cannot be read.
std::optional<RegionLabel> layoutRegionLabel(int region, const QRect& visible, const QString& name,
                                             const QFont& font);

// `fill` is the color of the region.
void drawRegionLabel(QPainter& painter, const RegionLabel& label, unsigned fill);

}  // namespace waferpair::view
