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
  const auto model = hub.models().choose(parsed->model);
  if (!model) return exchange->fail(model.error());
  if (const auto refusal = Models::refusal(**model)) return exchange->fail(*refusal);
  const inference::ModelCard& card = *(*model)->card();
  const auto prompt = responsePrompt(*parsed, card, nullptr);
  if (!prompt) return exchange->fail(prompt.error());
  auto request = generationRequest(*parsed, *prompt, **model, exchange->received());
  if (!request) return exchange->fail(request.error());
  std::make_shared<Answer<ChatStream>>(exchange, *model, *parsed, ChatStream(*parsed, card))
      ->start(std::move(*request));
}

}  // namespace waferpair::server
