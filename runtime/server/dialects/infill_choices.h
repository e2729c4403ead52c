// SPDX-License-Identifier: GPL-3.0-or-later
// Several texts for one request of /infill or /completion, of one prompt or of several.
#pragma once

#include <memory>

#include "runtime/server/core/exchange.h"
#include "runtime/server/dialects/infill_request.h"

namespace waferpair::server {

// Answers a request that wants more than one.
void answerChoices(const std::shared_ptr<Exchange>& exchange, const InfillRequest& request);

}  // namespace waferpair::server
