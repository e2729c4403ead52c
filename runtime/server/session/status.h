// SPDX-License-Identifier: GPL-3.0-or-later
// Reports what the server is doing: status.get, and the status event that follows a change of a
// model.
#pragma once

#include "runtime/server/session/client.h"
#include "runtime/server/session/completions.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/feature.h"
#include "runtime/server/session/responses.h"

namespace waferpair::server {

// Returns state, model, shadow, error and models, which session.ready and status have in common.
Json stateJson(const Hub& hub);

class Status : public Feature {
 public:
  Status(Client& client, Dispatch& dispatch, const Completions& completions,
         const Responses& responses);

  void modelChanged(HostedModel& /*model*/) override { tellStatus(); }

 private:
  void tellStatus();

  Client& client_;
  const Completions& completions_;
  const Responses& responses_;
};

}  // namespace waferpair::server
