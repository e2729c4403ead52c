// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/frame_clock.h"

#include <algorithm>

namespace waferpair::view {

FrameClock::FrameClock(QObject* parent) : QObject(parent) {
  timer_.setSingleShot(true);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &FrameClock::fire);
  time_.start();
}

void FrameClock::request() {
  if (timer_.isActive()) return;
  const qint64 now = time_.nsecsElapsed();
  // Late by more than a frame: the grid starts anew, ticks are never made up for.
  dueNs_ = std::max(dueNs_ + kFrameNs, now);
  if (dueNs_ > now + kFrameNs) dueNs_ = now + kFrameNs;
  timer_.start(static_cast<int>((dueNs_ - now + 999'999) / 1'000'000));
}

void FrameClock::cancel() {
  timer_.stop();
  lastNs_ = -1;
}

void FrameClock::fire() {
  const qint64 now = time_.nsecsElapsed();
  const double seconds = lastNs_ < 0 ? 0 : (now - lastNs_) * 1e-9;
  lastNs_ = now;
  ++tickCount_;
  emit tick(seconds);
  if (!timer_.isActive()) lastNs_ = -1;  // nobody wants the next one: a rest begins
}

}  // namespace waferpair::view
