// SPDX-License-Identifier: GPL-3.0-or-later
// The way of an answer to a PlainRequest over HTTP.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/server/dialects/answer.h"
#include "runtime/server/dialects/plain_request.h"

namespace waferpair::server {

// Has a job keep to the form that was asked for, once the model is in memory, or reports how it
// ends without.
template <typename Job>
Jobs::Prepare<Job> keepTo(const OutputFormat& format) {
  if (format.kind == OutputFormat::Kind::kText) return {};
  return [format](Job& job, HostedModel& ready) -> std::optional<inference::JobReport> {
    auto grammar = outputGrammar(format, std::nullopt, ready.tokenTrie());
    if (grammar) {
      job.limits.sampling.grammar = std::move(*grammar);
      return std::nullopt;
    }
    inference::JobReport report;
    report.reason = inference::StopReason::kGrammarStuck;
    report.error = grammar.error();
    return report;
  };
}

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
    answer->start(fillInJob(*parsed, card, exchange->received()),
                  keepTo<inference::CompletionRequest>(parsed->format));
  else
    answer->start(continuationJob(*parsed, card, exchange->received()),
                  keepTo<inference::GenerationRequest>(parsed->format));
}

// The same for a body that is yet to be parsed.
template <typename Stream, typename Request>
void answerPlain(const std::shared_ptr<Exchange>& exchange,
                 Checked<Request> (*parse)(std::string_view body)) {
  readBody(exchange, parse,
           [exchange](const Checked<Request>& parsed) { answerParsed<Stream>(exchange, parsed); });
}

}  // namespace waferpair::server
