// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that are gone on with, or filled in, as one JSON object or in chunks (SSE). A client that
// hangs up cancels its answer.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

// POST /v1/completions: OpenAI's older API.
void answerTextCompletions(const std::shared_ptr<Exchange>& exchange);

// POST /v1/fim/completions: Mistral's.
void answerFimCompletions(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
