// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/infill.h"

#include "runtime/server/dialects/answer.h"
#include "runtime/server/dialects/infill_request.h"
#include "runtime/server/dialects/infill_stream.h"

namespace waferpair::server {

void answerInfill(const std::shared_ptr<Exchange>& exchange) {
  const auto refused = [&](const Problem& problem) { refuse<InfillStream>(*exchange, problem); };
  const auto parsed = parseInfillBody(exchange->body());
  if (!parsed) return refused(parsed.error());
  const auto model = exchange->hub()->models().choose(parsed->model);
  if (!model) return refused(model.error());
  if (const auto refusal = Models::refusal(**model)) return refused(*refusal);
  const inference::ModelCard& card = *(*model)->card();
  std::make_shared<HttpAnswer<InfillStream>>(exchange, *model, parsed->stream,
                                             InfillStream(*parsed, card))
      ->start(infillJob(*parsed, card, exchange->received()));
}

}  // namespace waferpair::server
