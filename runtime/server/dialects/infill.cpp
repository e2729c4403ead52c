// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/infill.h"

#include "runtime/server/dialects/infill_choices.h"
#include "runtime/server/dialects/infill_request.h"
#include "runtime/server/dialects/infill_stream.h"
#include "runtime/server/dialects/plain_answer.h"

namespace waferpair::server {
namespace {

void answerInfillBody(const std::shared_ptr<Exchange>& exchange,
                      Checked<InfillRequest> (*parse)(std::string_view body)) {
  readBody(exchange, parse, [exchange](const Checked<InfillRequest>& parsed) {
    if (parsed && (parsed->choices > 1 || parsed->prompts.size() > 1))
      return answerChoices(exchange, *parsed);
    answerParsed<InfillStream>(exchange, parsed);
  });
}

}  // namespace

void answerInfill(const std::shared_ptr<Exchange>& exchange) {
  answerInfillBody(exchange, parseInfillBody);
}

void answerCompletion(const std::shared_ptr<Exchange>& exchange) {
  answerInfillBody(exchange, parseCompletionBody);
}

}  // namespace waferpair::server
