// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of models that LM Studio's own API has; all else of it is as OpenAI's.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerLmStudioModels(const std::shared_ptr<Exchange>& exchange);   // GET /api/v0/models
void answerLmStudioModel(const std::shared_ptr<Exchange>& exchange);    // GET /api/v0/models/ID
void answerLmStudioCatalog(const std::shared_ptr<Exchange>& exchange);  // GET /api/v1/models

}  // namespace waferpair::server
