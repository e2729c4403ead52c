// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/http/health.h"

#include "runtime/protocol/messages.h"
#include "runtime/server/dialects/infill_stream.h"

namespace waferpair::server {

void answerHealth(const std::shared_ptr<Exchange>& exchange) {
  const Hub& hub = *exchange->hub();
  Json told = {{"status", "ok"}, {protocol::field::state::kState, hub.state()}};
  if (hub.state() != protocol::state::kLoading) return exchange->json(told);
  // As llama-server says it: whoever waits for a server waits for its model.
  told["status"] = "loading model";
  const Problem problem = hub.notReady();
  told.update(InfillStream::errorBody(problem));
  exchange->fail(problem, told);
}

}  // namespace waferpair::server
