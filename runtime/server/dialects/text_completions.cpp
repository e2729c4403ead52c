// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/text_completions.h"

#include <vector>

#include "runtime/server/dialects/choices.h"
#include "runtime/server/dialects/plain_answer.h"
#include "runtime/server/dialects/text_completion_request.h"
#include "runtime/server/dialects/text_completion_stream.h"

namespace waferpair::server {

namespace {

void answerSeveral(const std::shared_ptr<Exchange>& exchange,
                   const TextCompletionRequest& request) {
  const auto model = exchange->hub()->models().choose(request.model);
  if (!model) return exchange->fail(model.error());
  if (const auto refusal = Models::refusal(**model)) return exchange->fail(*refusal);
  const inference::ModelCard& card = *(*model)->card();
  const auto choices =
      std::make_shared<Choices<TextCompletionStream>>(exchange, *model, request.stream);
  std::vector<PlainRequest> asked = eachPrompt(request, request.written);
  if (request.written > request.choices) {
    for (PlainRequest& each : asked) each.chances = true;
    choices->tellLikeliest(request.choices, request.written);
  }
  for (std::size_t i = 0; i < asked.size(); ++i)
    choices->add(TextCompletionStream(request, card, static_cast<int>(i)));
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i].isFillIn)
      choices->submit(i, fillInJob(asked[i], card, exchange->received()),
                      keepTo<inference::CompletionRequest>(request.format));
    else
      choices->submit(i, continuationJob(asked[i], card, exchange->received()),
                      keepTo<inference::GenerationRequest>(request.format));
  }
}

}  // namespace

void answerTextCompletions(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseTextCompletionBody,
           [exchange](const Checked<TextCompletionRequest>& parsed) {
             if (parsed && (parsed->written > 1 || parsed->prompts.size() > 1))
               return answerSeveral(exchange, *parsed);
             answerParsed<TextCompletionStream>(exchange, parsed);
           });
}

void answerFimCompletions(const std::shared_ptr<Exchange>& exchange) {
  answerPlain<TextCompletionStream>(exchange, parseFimCompletionBody);
}

}  // namespace waferpair::server
