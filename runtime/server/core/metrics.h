// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what GET /metrics tells, as text for Prometheus. A metric is a row of the table in
// metrics.cpp.
#pragma once

#include <string>

#include "runtime/server/core/hub.h"

namespace waferpair::server {

// Figures of a model are left out while it is not in memory, and carry its name where there are
// several. Host and wafer figures have separate names.
std::string metricsText(const Hub& hub);

}  // namespace waferpair::server
