// SPDX-License-Identifier: GPL-3.0-or-later
// Paces repaints and animations: at most 60 ticks a second, and none that nobody asked for.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace waferpair::view {

class FrameClock : public QObject {
  Q_OBJECT
 public:
  static constexpr qint64 kFrameNs = 1'000'000'000 / 60;

  explicit FrameClock(QObject* parent = nullptr);

  // One tick, a frame after the last one or at once. Asking again before it comes changes nothing;
  // an animation asks for the next tick from within each tick.
  void request();
  // Forgets the tick that was asked for. Animated time does not pass until the next request.
  void cancel();

  bool isActive() const { return timer_.isActive(); }
  int tickCount() const { return tickCount_; }

 Q_SIGNALS:
  // Seconds since the tick before; zero for the first one after a rest.
  void tick(double seconds);

 private:
  void fire();

  QTimer timer_{this};
  QElapsedTimer time_;
  qint64 dueNs_ = 0;    // on a grid of frames, so that milliseconds' rounding does not add up
  qint64 lastNs_ = -1;  // of the last tick; -1 after a rest
  int tickCount_ = 0;
};

}  // namespace waferpair::view
