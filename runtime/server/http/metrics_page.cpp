// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/http/metrics_page.h"

#include "runtime/server/core/metrics.h"

namespace waferpair::server {

void answerMetrics(const std::shared_ptr<Exchange>& exchange) {
  exchange->text("text/plain; version=0.0.4; charset=utf-8", metricsText(*exchange->hub()));
}

}  // namespace waferpair::server
