// SPDX-License-Identifier: GPL-3.0-or-later
// GET /metrics, in Prometheus' text format. The metrics themselves are in core/metrics.cpp.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerMetrics(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
