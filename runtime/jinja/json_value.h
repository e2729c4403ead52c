// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as values. All its texts, keys among them, count as coming from outside.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/jinja/value.h"

namespace waferpair::jinja {

// Nothing where it is no JSON, or nested too deeply.
std::optional<Value> valueOfJson(std::string_view json);

}  // namespace waferpair::jinja
