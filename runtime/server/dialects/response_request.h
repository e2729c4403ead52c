// SPDX-License-Identifier: GPL-3.0-or-later
// The request of response.create, and of a POST to /v1/responses: the Responses API.
#pragma once

#include <string>
#include <string_view>

#include "runtime/server/dialects/text_request.h"

namespace waferpair::server {

// What the content of a compaction item of this server begins with; a summary follows.
inline constexpr std::string_view kCompactionMark = "waferd-summary:";

struct ResponseCreate : TextRequest {
  std::string id;                  // empty: the server makes one up
  std::string previousResponseId;  // empty: none
  bool generate = true;            // with false the input is read ahead, and nothing is said
  bool store = true;               // it can be asked for by its id
  Json sentText = {{"format", {{"type", "text"}}}};  // the field text, to be told again
  bool background = false;       // HTTP only: it goes on when its client hangs up
  bool returnsProgress = false;  // events tell how far the prompt has been read
};

// With the protocol's own limits; and as clients of OpenAI send it (Outside::kClamped).
ResponseCreate readResponseCreate(JsonFields& fields);
ResponseCreate readForeignResponse(JsonFields& fields);
// The body of POST /v1/responses: a response.create without its type.
Checked<ResponseCreate> parseResponseBody(std::string_view body);

}  // namespace waferpair::server
