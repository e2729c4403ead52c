// SPDX-License-Identifier: GPL-3.0-or-later
// The body of a POST to /v1/messages.
#pragma once

#include <string_view>

#include "runtime/server/dialects/text_request.h"

namespace waferpair::server {

// Fields that are not known are ignored; what is known and cannot be done is a problem.
Checked<TextRequest> parseAnthropicBody(std::string_view body);
// Of a request that asks how many tokens its conversation has: max_tokens may be missing.
Checked<TextRequest> parseAnthropicCountBody(std::string_view body);

}  // namespace waferpair::server
