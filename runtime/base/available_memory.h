// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace waferpair::base {

// The bytes of this computer's memory that can be had without writing others' out. 0: not known.
std::uint64_t availableMemory();

}  // namespace waferpair::base
