// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/chat_completions.h"

#include "runtime/server/dialects/answer.h"
#include "runtime/server/dialects/chat_request.h"
#include "runtime/server/dialects/chat_stream.h"
#include "runtime/server/dialects/response_prompt.h"

namespace waferpair::server {

void answerChatCompletions(const std::shared_ptr<Exchange>& exchange) {
  const auto parsed = parseChatBody(exchange->body());
  if (!parsed) return exchange->fail(parsed.error());
  Hub& hub = *exchange->hub();
  if (!hub.engine()) return exchange->fail(hub.notReady());
  const inference::ModelCard& card = hub.engine()->model().card();
  const auto prompt = responsePrompt(*parsed, card, nullptr);
  if (!prompt) return exchange->fail(prompt.error());
  auto request = generationRequest(*parsed, *prompt, hub, exchange->received());
  if (!request) return exchange->fail(request.error());
  std::make_shared<Answer<ChatStream>>(exchange, parsed->stream, ChatStream(*parsed, card))
      ->start(std::move(*request));
}

}  // namespace waferpair::server
