// SPDX-License-Identifier: GPL-3.0-or-later
// How a client calls its jobs, by what the engines call them.
#pragma once

#include <map>
#include <utility>

#include "runtime/server/core/events.h"
#include "runtime/server/core/hosted_model.h"

namespace waferpair::server {

using JobNames = std::map<std::pair<const HostedModel*, inference::JobId>, Json>;

}  // namespace waferpair::server
