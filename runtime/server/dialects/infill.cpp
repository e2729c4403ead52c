// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/infill.h"

#include "runtime/server/dialects/infill_request.h"
#include "runtime/server/dialects/infill_stream.h"
#include "runtime/server/dialects/plain_answer.h"

namespace waferpair::server {

void answerInfill(const std::shared_ptr<Exchange>& exchange) {
  answerPlain<InfillStream>(exchange, parseInfillBody);
}

void answerCompletion(const std::shared_ptr<Exchange>& exchange) {
  answerPlain<InfillStream>(exchange, parseCompletionBody);
}

}  // namespace waferpair::server
