// SPDX-License-Identifier: GPL-3.0-or-later
// POST /v1/messages: Anthropic's conversations, as one JSON object or in events (SSE). A client
// that hangs up cancels its answer.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerAnthropicMessages(const std::shared_ptr<Exchange>& exchange);
// POST /v1/messages/count_tokens: how many tokens the conversation of such a request has.
void answerAnthropicCount(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
