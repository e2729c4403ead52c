// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/responses.h"

#include "runtime/protocol/messages.h"
#include "runtime/server/dialects/answer.h"
#include "runtime/server/dialects/response_prompt.h"
#include "runtime/server/dialects/response_stream.h"

namespace waferpair::server {

void answerResponses(const std::shared_ptr<Exchange>& exchange) {
  const auto parsed = parseResponseBody(exchange->body());
  if (!parsed) return exchange->fail(parsed.error());
  if (!parsed->previousResponseId.empty())
    return exchange->fail(
        {protocol::error_code::kPreviousResponseNotFound,
         protocol::field::response_create::kPreviousResponseId,
         {"Responses are kept by WebSocket sessions only.",
          "Send the whole input, or use " + std::string(protocol::kSocketPath) + "."}});
  Hub& hub = *exchange->hub();
  const auto model = hub.models().choose(parsed->model);
  if (!model) return exchange->fail(model.error());
  if (const auto refusal = Models::refusal(**model)) return exchange->fail(*refusal);
  const inference::ModelCard& card = *(*model)->card();
  const auto prompt = responsePrompt(*parsed, card, nullptr);
  if (!prompt) return exchange->fail(prompt.error());
  auto request = generationRequest(*parsed, *prompt, **model, exchange->received());
  if (!request) return exchange->fail(request.error());
  std::make_shared<Answer<ResponseStream>>(exchange, *model, *parsed, ResponseStream(*parsed, card))
      ->start(std::move(*request));
}

}  // namespace waferpair::server
