// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/http/health.h"

#include "runtime/protocol/messages.h"

namespace waferpair::server {

void answerHealth(const std::shared_ptr<Exchange>& exchange) {
  exchange->json({{"status", "ok"}, {protocol::field::state::kState, exchange->hub()->state()}});
}

}  // namespace waferpair::server
