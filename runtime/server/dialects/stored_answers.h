// SPDX-License-Identifier: GPL-3.0-or-later
// /v1/responses/ID: what becomes of a response that was stored (core/stored_responses.h).
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

// GET: the response, also while it is under way.
void answerStoredResponse(const std::shared_ptr<Exchange>& exchange);
// POST .../cancel: the response, once it has ended.
void answerResponseCancel(const std::shared_ptr<Exchange>& exchange);
// DELETE: it is forgotten, and cancelled if it runs in the background.
void answerResponseDelete(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
