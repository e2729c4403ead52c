// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/http/routes.h"

#include <algorithm>

#include "runtime/server/dialects/models.h"
#include "runtime/server/dialects/responses.h"
#include "runtime/server/http/health.h"
#include "runtime/server/http/metrics_page.h"

namespace waferpair::server {
namespace {

using boost::beast::http::verb;

constexpr Route kRoutes[] = {
    {verb::get, "/health", answerHealth, /*open=*/true},
    {verb::get, "/metrics", answerMetrics},
    {verb::get, "/v1/models", answerModels},
    {verb::post, "/v1/responses", answerResponses},
};

}  // namespace

const Route* findRoute(verb method, std::string_view path) {
  const auto* found = std::ranges::find_if(
      kRoutes, [&](const Route& route) { return route.method == method && route.path == path; });
  return found == std::end(kRoutes) ? nullptr : found;
}

bool isPathKnown(std::string_view path) {
  return std::ranges::find(kRoutes, path, &Route::path) != std::end(kRoutes);
}

}  // namespace waferpair::server
