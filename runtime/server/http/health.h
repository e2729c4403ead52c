// SPDX-License-Identifier: GPL-3.0-or-later
// GET /health: that the server is there, and whether its model can be used; 503 while it is loaded.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerHealth(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
