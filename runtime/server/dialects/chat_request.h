// SPDX-License-Identifier: GPL-3.0-or-later
// The body of a POST to /v1/chat/completions.
#pragma once

#include <string_view>

#include "runtime/server/dialects/text_request.h"

namespace waferpair::server {

struct ChatRequest : TextRequest {
  int choices = 1;               // answers that are wanted
  bool includeUsage = false;     // stream_options: a last chunk has the usage
  bool olderCalls = false;       // functions in place of tools: the answer has a function_call
  bool returnsProgress = false;  // llama-server's: chunks tell how far the prompt has been read
};

// Fields that are not known are ignored; what is known and cannot be done is a problem.
Checked<ChatRequest> parseChatBody(std::string_view body);

}  // namespace waferpair::server
