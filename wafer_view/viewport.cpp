// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/viewport.h"

#include <algorithm>
#include <cmath>

namespace waferpair::view {
namespace {

// The time constant, in seconds, of the exponential approach: most of a zoom is done after three.
constexpr double kTimeConstant = 0.065;

// A fabric that fits is centered; a larger one may be dragged until its edge is `margin` inside.
double clampedAxis(double center, double fabric, double visible, double margin) {
  if (fabric <= visible) return fabric / 2;
  const double nearest = visible / 2 - std::min(margin, (fabric - visible) / 2);
  return std::clamp(center, nearest, fabric - nearest);
}

}  // namespace

void Viewport::setFabric(QSizeF cores) {
  fabric_ = {std::max(1.0, cores.width()), std::max(1.0, cores.height())};
  fitAll(Motion::kAtOnce);
}

void Viewport::setSize(QSizeF pixels) {
  const bool fitted = isFitted();
  size_ = {std::max(1.0, pixels.width()), std::max(1.0, pixels.height())};
  if (fitted) {
    fitAll(Motion::kAtOnce);
  } else if (fitted_) {
    fit(*fitted_, Motion::kAtOnce);
  } else {
    go(to_, Motion::kAtOnce);
  }
}

double Viewport::minimumScale() const {
  const double across = std::max(1.0, size_.width() - 2 * kFitMargin) / fabric_.width();
  const double down = std::max(1.0, size_.height() - 2 * kFitMargin) / fabric_.height();
  return std::min({across, down, maximumScale()});
}

double Viewport::maximumScale() const {
  // A PE never outgrows the view: one that does cannot be read.
  return std::clamp(0.8 * std::min(size_.width(), size_.height()), 1.0, 420.0);
}

bool Viewport::isFitted() const { return to_.scale <= minimumScale() * 1.0001; }

QPointF Viewport::toCore(QPointF pixel) const {
  return now_.center + (pixel - QPointF(size_.width(), size_.height()) / 2) / now_.scale;
}

QPointF Viewport::toPixel(QPointF core) const {
  return QPointF(size_.width(), size_.height()) / 2 + (core - now_.center) * now_.scale;
}

QRectF Viewport::visibleCores() const {
  return {toCore({0, 0}), toCore({size_.width(), size_.height()})};
}

void Viewport::zoomAt(QPointF pixel, double factor, Motion motion) {
  fitted_.reset();
  const double scale = std::clamp(to_.scale * factor, minimumScale(), maximumScale());
  const QPointF offset = pixel - QPointF(size_.width(), size_.height()) / 2;
  // The core that will be under the pixel when a zoom under way has ended.
  const QPointF core = to_.center + offset / to_.scale;
  go({scale, core - offset / scale}, motion);
}

void Viewport::panBy(QPointF pixels, Motion motion) {
  fitted_.reset();
  go({to_.scale, to_.center - pixels / to_.scale}, motion);
}

void Viewport::fit(const QRectF& cores, Motion motion) {
  fitted_ = cores;
  const double across = (size_.width() - 2 * kFitMargin) / std::max(1e-9, cores.width());
  const double down = (size_.height() - 2 * kFitMargin) / std::max(1e-9, cores.height());
  go({std::min(across, down), cores.center()}, motion);
}

void Viewport::fitAll(Motion motion) {
  fitted_.reset();  // isFitted() tells
  go({minimumScale(), QPointF(fabric_.width(), fabric_.height()) / 2}, motion);
}

bool Viewport::advance(double seconds) {
  if (!moving_) return false;
  progress_ += (1 - progress_) * (1 - std::exp(-seconds / kTimeConstant));
  if (1 - progress_ < 0.003) {
    now_ = to_;
    progress_ = 1;
    moving_ = false;
    return false;
  }
  now_.scale = from_.scale * std::pow(to_.scale / from_.scale, progress_);
  // When the center moves in step with the size of a core on the wafer (1 / scale), one point of
  // the screen stands still all the way: a zoom at the cursor, not a swing past it.
  const double span = 1 / to_.scale - 1 / from_.scale;
  const double share = std::abs(to_.scale / from_.scale - 1) < 0.01
                           ? progress_
                           : (1 / now_.scale - 1 / from_.scale) / span;
  now_.center = from_.center + (to_.center - from_.center) * share;
  return true;
}

void Viewport::stop() {
  if (moving_) fitted_.reset();
  go(now_, Motion::kAtOnce);
}

Viewport::Pose Viewport::clamped(Pose pose) const {
  pose.scale = std::clamp(pose.scale, minimumScale(), maximumScale());
  const double margin = kPanMargin / pose.scale;
  pose.center = {
      clampedAxis(pose.center.x(), fabric_.width(), size_.width() / pose.scale, margin),
      clampedAxis(pose.center.y(), fabric_.height(), size_.height() / pose.scale, margin)};
  return pose;
}

void Viewport::go(const Pose& pose, Motion motion) {
  to_ = clamped(pose);
  from_ = now_;
  moving_ = motion == Motion::kAnimated && (to_.scale != now_.scale || to_.center != now_.center);
  progress_ = moving_ ? 0 : 1;
  if (!moving_) now_ = to_;
}

}  // namespace waferpair::view
