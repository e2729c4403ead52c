// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/text_completions.h"

#include "runtime/server/dialects/plain_answer.h"
#include "runtime/server/dialects/text_completion_request.h"
#include "runtime/server/dialects/text_completion_stream.h"

namespace waferpair::server {

void answerTextCompletions(const std::shared_ptr<Exchange>& exchange) {
  answerPlain<TextCompletionStream>(exchange, parseTextCompletionBody);
}

void answerFimCompletions(const std::shared_ptr<Exchange>& exchange) {
  answerPlain<TextCompletionStream>(exchange, parseFimCompletionBody);
}

}  // namespace waferpair::server
