// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/telemetry.h"

#include "runtime/protocol/messages.h"

namespace waferpair::server {

namespace request = protocol::request;

Telemetry::Telemetry(Client& client, Dispatch& dispatch) : client_(client) {
  dispatch.add(
      request::kTelemetrySubscribe,
      [](JsonFields& fields) { return fields.number(protocol::field::telemetry_subscribe::kHz); },
      [this](double hz) { subscribe(hz); });
  dispatch.add(request::kTelemetryUnsubscribe, [this] {
    hz_ = 0;
    feed_.reset();
  });
}

void Telemetry::subscribe(double hz) {
  hz_ = hz;
  if (feed_)
    feed_->setRate(hz);
  else
    start();
}

void Telemetry::start() {
  if (hz_ == 0 || feed_ || !client_.engine()) return;
  const inference::Engine& engine = *client_.engine();
  client_.tell(protocol::event::kTelemetryLayout, {{protocol::field::telemetry_layout::kLayout,
                                                    layoutJson(shownLayout(engine.model()))}});
  feed_ = std::make_shared<TelemetryFeed>(client_.hub().executor(), engine, client_.outbox(),
                                          client_.hub().startedAt(), hz_);
  feed_->start();
}

void Telemetry::shadowChanged() {
  feed_.reset();
  start();  // the layout is another one
}

void Telemetry::workBegan() {
  if (feed_) feed_->wake();
}

void Telemetry::drained() {
  if (feed_) feed_->drained();
}

}  // namespace waferpair::server
