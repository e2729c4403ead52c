// SPDX-License-Identifier: GPL-3.0-or-later
// Sends the wafer's activity as frames: telemetry.subscribe and telemetry.unsubscribe.
#pragma once

#include <memory>

#include "runtime/server/session/client.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/feature.h"
#include "runtime/server/session/telemetry_feed.h"

namespace waferpair::server {

class Telemetry : public Feature {
 public:
  Telemetry(Client& client, Dispatch& dispatch);

  void modelChanged() override { start(); }
  void shadowChanged() override;
  void workBegan() override;
  void drained() override;
  void closed() override { feed_.reset(); }
  void ended() override { feed_.reset(); }

 private:
  void subscribe(double hz);
  void start();

  Client& client_;
  double hz_ = 0;  // 0: not subscribed
  std::shared_ptr<TelemetryFeed> feed_;
};

}  // namespace waferpair::server
