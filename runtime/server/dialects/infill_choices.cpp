// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/infill_choices.h"

#include <memory>
#include <utility>

#include "runtime/server/dialects/choices.h"
#include "runtime/server/dialects/infill_stream.h"
#include "runtime/server/dialects/plain_answer.h"

namespace waferpair::server {

void answerChoices(const std::shared_ptr<Exchange>& exchange, const InfillRequest& request) {
  const auto model = exchange->hub()->models().choose(request.model);
  if (!model) return refuse<InfillStream>(*exchange, model.error());
  if (const auto refusal = Models::refusal(**model))
    return refuse<InfillStream>(*exchange, *refusal);
  const inference::ModelCard& card = *(*model)->card();
  const auto choices = std::make_shared<Choices<InfillStream>>(exchange, *model, request.stream);
  const std::vector<PlainRequest> asked = eachPrompt(request, request.choices);
  for (std::size_t i = 0; i < asked.size(); ++i)
    choices->add(InfillStream(request, card, static_cast<int>(i)));
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i].isFillIn) {
      auto job = fillInJob(asked[i], card, exchange->received());
      job.alternative = job.limits.sampling.temperature > 0 ? 0 : static_cast<int>(i);
      choices->submit(i, std::move(job), keepTo<inference::CompletionRequest>(request.format));
    } else {
      choices->submit(i, continuationJob(asked[i], card, exchange->received()),
                      keepTo<inference::GenerationRequest>(request.format));
    }
  }
}

}  // namespace waferpair::server
