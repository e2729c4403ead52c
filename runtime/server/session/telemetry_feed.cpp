// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/telemetry_feed.h"

#include <algorithm>
#include <utility>

namespace waferpair::server {
namespace {

// The time of a frame where time is counted and not measured.
constexpr auto kCountedFrame = std::chrono::milliseconds(16);

}  // namespace

TelemetryFeed::TelemetryFeed(const boost::asio::any_io_executor& executor,
                             const inference::Engine& engine, Outbox& outbox,
                             Clock::time_point serverStart, double hz, std::function<void()> silent)
    : engine_(engine),
      shadow_(engine.model().shadow()),
      outbox_(outbox),
      silent_(std::move(silent)),
      timer_(executor),
      lastSent_(Clock::now()),
      counted_(serverStart) {
  setRate(hz);
  program().counters().read(counters_);
  frames_.emplace(program(), serverStart, engine.isReproducible() ? counted_ : lastSent_, counters_,
                  engine.stats(), shadow_ ? Shown::kShadow : Shown::kModel);
}

const wafer::Program& TelemetryFeed::program() const {
  return shadow_ ? *shadow_ : engine_.model().program();
}

void TelemetryFeed::start() { wake(); }

void TelemetryFeed::setRate(double hz) {
  period_ = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / hz));
}

void TelemetryFeed::wake() {
  if (active_) return;
  active_ = true;
  schedule();
}

void TelemetryFeed::drained() {
  if (!blocked_) return;
  blocked_ = false;
  tick();
}

TelemetryFeed::Clock::time_point TelemetryFeed::now() {
  return engine_.isReproducible() ? counted_ += kCountedFrame : Clock::now();
}

void TelemetryFeed::schedule() {
  timer_.expires_at(std::max(lastSent_ + period_, Clock::now()));
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto feed = weak.lock();
    if (feed && !error) feed->tick();
  });
}

void TelemetryFeed::tick() {
  if (!outbox_.idle()) {
    blocked_ = true;  // drained() comes back here
    return;
  }
  // Asked before the counters are read: a job that ends in between is seen in the next frame.
  const bool idle = engine_.queue() == inference::QueueDepth{};
  program().counters().read(counters_);
  const bool changed = frames_->changed(counters_);
  active_ = changed || !idle;
  // A frame in the midst of a burst would hold as much of it as there was time for.
  if (idle || (changed && !engine_.isReproducible())) {
    const auto bytes = protocol::encode(frames_->next(now(), counters_, engine_.stats()));
    outbox_.pushBinary({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    lastSent_ = Clock::now();
  } else {
    lastSent_ = Clock::now();  // nothing to tell yet; look again in a period
  }
  if (active_) return schedule();
  silent_();
}

}  // namespace waferpair::server
