// SPDX-License-Identifier: GPL-3.0-or-later
// The ids of clients and jobs that every folder of this room uses.
#pragma once

#include <cstdint>

namespace waferpair::inference {

using JobId = std::uint64_t;     // 0 is never a job
using ClientId = std::uint64_t;  // whoever shares the model fairly with others: a connection

}  // namespace waferpair::inference
