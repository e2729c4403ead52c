// SPDX-License-Identifier: GPL-3.0-or-later
// POST /v1/chat/completions: OpenAI's Chat Completions, as one JSON object or chunk by chunk (SSE).
// A client that hangs up cancels its answer.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerChatCompletions(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
