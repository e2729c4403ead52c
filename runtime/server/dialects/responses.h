// SPDX-License-Identifier: GPL-3.0-or-later
// POST /v1/responses: the Responses API over HTTP, as one JSON object or event by event (SSE). A
// client that hangs up cancels its response.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerResponses(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
