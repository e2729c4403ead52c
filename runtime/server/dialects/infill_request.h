// SPDX-License-Identifier: GPL-3.0-or-later
// The bodies of POST to llama-server's own paths for text, /infill and /completion.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/server/core/problem.h"
#include "runtime/server/dialects/plain_request.h"

namespace waferpair::server {

struct InfillRequest : PlainRequest {
  static constexpr int kMostChoices = 8;
  std::chrono::milliseconds mostPredicting{0};  // from the first text on; 0: no limit
  std::vector<std::string> responseFields;  // paths as "timings/prompt_n"; none: the whole answer
  bool returnsProgress = false;             // events tell how far the prompt has been read
  bool returnsTokens = false;               // the answer has its tokens, too
  int choices = 1;  // texts that are wanted; the first is the one that would come alone
};

// Fields that are not known are ignored; what is known and cannot be done is a problem.
Checked<InfillRequest> parseInfillBody(std::string_view body);
Checked<InfillRequest> parseCompletionBody(std::string_view body);

}  // namespace waferpair::server
