// SPDX-License-Identifier: GPL-3.0-or-later
// Sends the wafer's activity as frames: telemetry.subscribe and telemetry.unsubscribe. Each model
// is placed on a wafer of its own. The one that works is shown, the first one at first; while it
// works it stays, though another one begins. That one is shown next, even if it has ended by then.
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

  void modelLoaded(HostedModel& model) override;
  void modelLeaves(HostedModel& model) override;
  void shadowChanged() override;
  void workBegan(HostedModel& model) override;
  void drained() override;
  void closed() override { feed_.reset(); }
  void ended() override { feed_.reset(); }

 private:
  void subscribe(double hz);
  void show(HostedModel& model);
  void showFirst();
  void followWork();

  Client& client_;
  double hz_ = 0;                        // 0: not subscribed
  const HostedModel* shown_ = nullptr;   // with feed_
  HostedModel* next_ = nullptr;          // began while another was shown
  std::shared_ptr<TelemetryFeed> feed_;  // of the model that is shown
};

}  // namespace waferpair::server
