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
    showFirst();
}

void Telemetry::showFirst() {
  if (client_.engine()) show(*client_.models().first());
}

// The model is ready.
void Telemetry::show(HostedModel& model) {
  if (hz_ == 0) return;
  const inference::Engine& engine = *model.engine();
  shown_ = &model;
  next_ = nullptr;
  client_.tell(protocol::event::kTelemetryLayout, {{protocol::field::telemetry_layout::kLayout,
                                                    layoutJson(shownLayout(engine.model()))}});
  feed_ = std::make_shared<TelemetryFeed>(client_.hub().executor(), engine, client_.outbox(),
                                          client_.hub().startedAt(), hz_, [this] { followWork(); });
  feed_->start();
}

// The model that is shown is silent: another one that began meanwhile, or works, has its turn.
void Telemetry::followWork() {
  if (next_) return show(*next_);
  for (const auto& model : client_.models().all()) {
    if (model.get() == shown_ || !model->engine()) continue;
    if (model->engine()->isAtWork()) return show(*model);
  }
}

void Telemetry::modelLoaded(HostedModel& model) {
  if (!feed_ && &model == client_.models().first().get()) show(model);
}

void Telemetry::modelLeaves(HostedModel& model) {
  if (next_ == &model) next_ = nullptr;
  if (shown_ != &model) return;
  feed_.reset();
  shown_ = nullptr;
  if (&model != client_.models().first().get()) showFirst();
}

void Telemetry::shadowChanged() {
  feed_.reset();
  showFirst();  // the layout is another one
}

void Telemetry::workBegan(HostedModel& model) {
  if (feed_ && shown_ == &model) return feed_->wake();
  if (feed_ && feed_->isActive())
    next_ = &model;  // it may have ended by then
  else
    show(model);
}

void Telemetry::drained() {
  if (feed_) feed_->drained();
}

}  // namespace waferpair::server
