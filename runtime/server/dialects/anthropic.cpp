// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/anthropic.h"

#include "runtime/server/dialects/answer.h"
#include "runtime/server/dialects/anthropic_request.h"
#include "runtime/server/dialects/anthropic_stream.h"
#include "runtime/server/dialects/loaded_model.h"

namespace waferpair::server {

void answerAnthropicMessages(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseAnthropicBody, [exchange](const Checked<TextRequest>& parsed) {
    if (!parsed) return refuse<AnthropicStream>(*exchange, parsed.error());
    answerText<AnthropicStream>(exchange, *parsed);
  });
}

void answerAnthropicCount(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseAnthropicCountBody, [exchange](const Checked<TextRequest>& parsed) {
    if (!parsed) return refuse<AnthropicStream>(*exchange, parsed.error());
    answerWithEngine<AnthropicStream>(
        exchange, parsed->model, [exchange, request = *parsed](const inference::Engine& engine) {
          const inference::CompiledModel& model = engine.model();
          const auto prompt = responsePrompt(request, model.card(), nullptr);
          if (!prompt) return refuse<AnthropicStream>(*exchange, prompt.error());
          const auto tokens = promptTokens(*prompt, request, model);
          if (!tokens) return refuse<AnthropicStream>(*exchange, tokens.error());
          exchange->json({{"input_tokens", *tokens}});
        });
  });
}

}  // namespace waferpair::server
