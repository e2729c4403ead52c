// SPDX-License-Identifier: GPL-3.0-or-later
// The way of an answer to a PlainRequest over HTTP.
#pragma once

#include <memory>
#include <string_view>

#include "runtime/server/dialects/answer.h"
#include "runtime/server/dialects/plain_request.h"

namespace waferpair::server {

// Answers a request that was parsed, or says what is wrong with it.
template <typename Stream, typename Request>
void answerParsed(const std::shared_ptr<Exchange>& exchange, const Checked<Request>& parsed) {
  const auto refused = [&](const Problem& problem) { refuse<Stream>(*exchange, problem); };
  if (!parsed) return refused(parsed.error());
  const auto model = exchange->hub()->models().choose(parsed->model);
  if (!model) return refused(model.error());
  if (const auto refusal = Models::refusal(**model)) return refused(*refusal);
  const inference::ModelCard& card = *(*model)->card();
  const auto answer =
      std::make_shared<HttpAnswer<Stream>>(exchange, *model, parsed->stream, Stream(*parsed, card));
  if (parsed->isFillIn)
    answer->start(fillInJob(*parsed, card, exchange->received()));
  else
    answer->start(continuationJob(*parsed, exchange->received()));
}

// The same for a body that is yet to be parsed.
template <typename Stream, typename Request>
void answerPlain(const std::shared_ptr<Exchange>& exchange,
                 Checked<Request> (*parse)(std::string_view body)) {
  readBody(exchange, parse,
           [exchange](const Checked<Request>& parsed) { answerParsed<Stream>(exchange, parsed); });
}

}  // namespace waferpair::server
