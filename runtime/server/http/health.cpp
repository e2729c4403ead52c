// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/http/health.h"

namespace waferpair::server {

void answerHealth(const std::shared_ptr<Exchange>& exchange) {
  exchange->json({{"status", "ok"}, {"state", exchange->hub()->state()}});
}

}  // namespace waferpair::server
