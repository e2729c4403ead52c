// SPDX-License-Identifier: GPL-3.0-or-later
// The bodies of POST to /v1/completions and to /v1/fim/completions.
#pragma once

#include <string_view>

#include "runtime/server/core/problem.h"
#include "runtime/server/dialects/plain_request.h"

namespace waferpair::server {

struct TextCompletionRequest : PlainRequest {
  bool isFim = false;         // Mistral's: the answer has the form of a chat's
  int choices = 1;            // texts of each prompt that are told,
  int written = 1;            // of so many that are written: the likeliest
  bool includeUsage = false;  // stream_options: a last chunk has the usage
};

// Fields that are not known are ignored; what is known and cannot be done is a problem.
Checked<TextCompletionRequest> parseTextCompletionBody(std::string_view body);
Checked<TextCompletionRequest> parseFimCompletionBody(std::string_view body);

}  // namespace waferpair::server
