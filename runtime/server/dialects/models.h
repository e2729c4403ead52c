// SPDX-License-Identifier: GPL-3.0-or-later
// GET /v1/models and /v1/models/ID: the loaded model, in the form of the OpenAI API.
#pragma once

#include <memory>
#include <string_view>

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

// The model whose name is the rest of the path behind `folder`; its file has been read.
Checked<std::shared_ptr<HostedModel>> modelAt(const Exchange& exchange, std::string_view folder);

void answerModels(const std::shared_ptr<Exchange>& exchange);
void answerModel(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
