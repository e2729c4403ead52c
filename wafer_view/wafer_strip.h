// SPDX-License-Identifier: GPL-3.0-or-later
// All wafers of a model that takes several, as small pictures in a row: which one the map shows,
// and where the work is. A click on one shows it.
#pragma once

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>

#include "wafer_view/planes.h"
#include "wafer_view/theme.h"

class QPainter;

namespace waferpair::view {

inline constexpr int kWaferStripHeight = 46, kCompactStripHeight = 26;

class WaferStrip {
 public:
  // `planes` outlives this.
  WaferStrip(const QRectF& rect, const Planes& planes, const QFont& font);

  // "Wafer 2 of 4"
  QString text() const;
  QRectF picture(int wafer) const;
  // Returns -1 beside the pictures.
  int waferAt(const QPointF& at) const;
  void draw(QPainter& painter, const WaferColors& theme, const LevelColors& colors) const;

 private:
  QRectF rect_;
  const Planes& planes_;
  QFont font_;
  double left_ = 0;  // of the first picture
  double step_ = 0;  // from one to the next
};

}  // namespace waferpair::view
