// SPDX-License-Identifier: GPL-3.0-or-later
// Sends one subscriber the frames it asked for: at most `hz` a second, only while the model works,
// one quiet frame at the end of each burst, and then nothing, not even a timer.
//
// No frame is made for a reader that lags behind until it has caught up: the next one then covers
// the time that it missed.
//
// The frames of a reproducible engine are reproducible too: one for each burst, before the quiet
// one. Their host time is not measured but counted, so much for each frame.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "runtime/server/core/outbox.h"
#include "runtime/server/session/telemetry_frames.h"

namespace waferpair::server {

// Used with the server's baton only.
class TelemetryFeed : public std::enable_shared_from_this<TelemetryFeed> {
 public:
  // Tells of what the model shows now (shownLayout); `engine` and `outbox` outlive this. Owned by a
  // shared_ptr; start() begins. `silent` is called behind each quiet frame, and may let go of this.
  TelemetryFeed(const boost::asio::any_io_executor& executor, const inference::Engine& engine,
                Outbox& outbox, inference::Clock::time_point serverStart, double hz,
                std::function<void()> silent);

  // The first frame is sent even if nothing runs: it tells the sums so far.
  void start();
  void setRate(double hz);
  // The model began to work.
  void wake();
  // Returns true between wake() and the quiet frame.
  bool isActive() const { return active_; }
  // The outbox has nothing left.
  void drained();

 private:
  using Clock = inference::Clock;

  const wafer::Program& program() const;
  Clock::time_point now();  // for the next frame
  void schedule();
  void tick();

  const inference::Engine& engine_;
  const std::shared_ptr<const wafer::Program> shadow_;
  Outbox& outbox_;
  const std::function<void()> silent_;
  boost::asio::steady_timer timer_;
  Clock::duration period_;
  wafer::CounterSnapshot counters_;  // kept to save allocations
  std::optional<TelemetryFrames> frames_;
  Clock::time_point lastSent_;
  Clock::time_point counted_;  // host time by frames, where it is not measured
  bool active_ = false;        // between wake() and the quiet frame
  bool blocked_ = false;       // a frame is due, but the reader lags behind
};

}  // namespace waferpair::server
