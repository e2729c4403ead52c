// SPDX-License-Identifier: GPL-3.0-or-later
// GET /v1/models and /v1/models/ID: the loaded model, in the form of the OpenAI API.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerModels(const std::shared_ptr<Exchange>& exchange);
void answerModel(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
