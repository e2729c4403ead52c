// SPDX-License-Identifier: GPL-3.0-or-later
// The body of a POST to /v1/chat/completions.
#pragma once

#include <string_view>

#include "runtime/server/dialects/text_request.h"

namespace waferpair::server {

struct ChatRequest : TextRequest {
  bool includeUsage = false;  // stream_options: a last chunk has the usage
};

// Fields that are not known are ignored; what is known and cannot be done is a problem.
Checked<ChatRequest> parseChatBody(std::string_view body);

}  // namespace waferpair::server
