// SPDX-License-Identifier: GPL-3.0-or-later
// Several texts for one request of /infill or /completion: each a job of its own, which share the
// prompt's keys and values. In a stream their events come as they come, told apart by `index`.
#pragma once

#include <memory>

#include "runtime/server/core/exchange.h"
#include "runtime/server/dialects/infill_request.h"

namespace waferpair::server {

// Answers a request with more than one choice.
void answerChoices(const std::shared_ptr<Exchange>& exchange, const InfillRequest& request);

}  // namespace waferpair::server
