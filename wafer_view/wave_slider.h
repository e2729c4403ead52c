// SPDX-License-Identifier: GPL-3.0-or-later
// The decode step being replayed, as a line of time that can be taken hold of: which region had the
// token when, where the replay is, and (if it is high enough) at which op.
#pragma once

#include <QSlider>

namespace waferpair::view {

class WaferView;

class WaveSlider : public QSlider {
  Q_OBJECT
 public:
  // `view` outlives this. Left and Right step from op to op, Page Up and Page Down a tenth of the
  // token, Home and End to its ends. The wave stands still while the mouse holds it.
  WaveSlider(WaferView* view, QWidget* parent);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void follow();
  QRectF track() const;
  void moveTo(double x);

  WaferView* view_;
};

}  // namespace waferpair::view
