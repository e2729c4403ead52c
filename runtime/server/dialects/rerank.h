// SPDX-License-Identifier: GPL-3.0-or-later
// POST /v1/rerank, as llama-server, Jina and Cohere have it, and as Hugging Face's server does:
// documents in the order of how well they answer a query, by a model that ranks.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerRerank(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
