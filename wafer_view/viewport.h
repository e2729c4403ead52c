// SPDX-License-Identifier: GPL-3.0-or-later
// The visible part of the fabric and its scale: the way from screen to cores and back. Cores are
// drawn square, so that a hop is as long in x as in y.
//
// Pure maths in logical pixels; the caller says how much time has passed.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>

namespace waferpair::view {

class Viewport {
 public:
  static constexpr double kFitMargin = 10;  // pixels around a fabric fitted into the view
  static constexpr double kPanMargin = 28;  // how far inside the view its edge may be dragged

  // Sets the cores across and down. A new fabric is fitted at once.
  void setFabric(QSizeF cores);
  // Keeps the middle where it is; what was fitted stays so until a zoom or pan.
  void setSize(QSizeF pixels);
  QSizeF size() const { return size_; }

  double scale() const { return now_.scale; }  // pixels per core
  double targetScale() const { return to_.scale; }
  double minimumScale() const;  // the whole fabric fits
  double maximumScale() const;  // one PE fills most of the view
  bool isFitted() const;        // on the way to, or at, the whole fabric

  QPointF toCore(QPointF pixel) const;
  QPointF toPixel(QPointF core) const;
  QRectF visibleCores() const;  // may reach beyond the fabric
  QPointF targetCenter() const { return to_.center; }

  enum class Motion { kAnimated, kAtOnce };
  // The core under `pixel` stays under it, unless the fabric's edge comes into the way.
  void zoomAt(QPointF pixel, double factor, Motion motion);
  void panBy(QPointF pixels, Motion motion);  // the fabric follows the hand
  void fit(const QRectF& cores, Motion motion);
  void fitAll(Motion motion);

  // Moves an animation on; true while it goes on. Never true without a request above.
  bool advance(double seconds);
  void stop();  // where it is now
  bool isMoving() const { return moving_; }

 private:
  struct Pose {
    double scale = 1;
    QPointF center;  // core in the middle of the view
  };

  Pose clamped(Pose pose) const;
  void go(const Pose& pose, Motion motion);

  QSizeF fabric_{1, 1};
  QSizeF size_{1, 1};
  Pose now_, from_, to_;
  double progress_ = 1;
  bool moving_ = false;
  std::optional<QRectF> fitted_;  // cores
};

}  // namespace waferpair::view
