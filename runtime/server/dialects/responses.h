// SPDX-License-Identifier: GPL-3.0-or-later
// POST /v1/responses: the Responses API over HTTP, as one JSON object or event by event (SSE). A
// client that hangs up cancels its response, unless that is one of the background.
#pragma once

#include <string>

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerResponses(const std::shared_ptr<Exchange>& exchange);
// POST /v1/responses/input_tokens: how many tokens the input of such a request has.
void answerResponseInputTokens(const std::shared_ptr<Exchange>& exchange);

// previous_response_id names a response that nobody keeps.
Problem previousNotFound(const std::string& id);

}  // namespace waferpair::server
