// SPDX-License-Identifier: GPL-3.0-or-later
// POST /v1/responses/compact: a conversation in fewer tokens. What the user said stays; all else is
// summed up by the model, in an item that takes its place in the input of a later request.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerResponseCompaction(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
