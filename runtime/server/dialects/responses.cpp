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
  if (!hub.engine()) return exchange->fail(hub.notReady());
  const inference::ModelCard& card = hub.engine()->model().card();
  const auto prompt = responsePrompt(*parsed, card, nullptr);
  if (!prompt) return exchange->fail(prompt.error());
  auto request = generationRequest(*parsed, *prompt, hub, exchange->received());
  if (!request) return exchange->fail(request.error());
  std::make_shared<Answer<ResponseStream>>(exchange, parsed->stream, ResponseStream(*parsed, card))
      ->start(std::move(*request));
}

}  // namespace waferpair::server
