// SPDX-License-Identifier: GPL-3.0-or-later
// A client's message, or the body of its request, as JSON.
#pragma once

#include <cstddef>
#include <string_view>

#include "runtime/base/json_fields.h"
#include "runtime/server/core/problem.h"

namespace waferpair::server {

using base::Json;
using base::JsonFields;

// The longest message or body that is read.
inline constexpr std::size_t kMaxMessageBytes = std::size_t{32} << 20;

// Returns an object; never throws.
Checked<Json> parseMessage(std::string_view text);

}  // namespace waferpair::server
