// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/chat_completions.h"

#include "runtime/server/dialects/answer.h"
#include "runtime/server/dialects/chat_request.h"
#include "runtime/server/dialects/chat_stream.h"
#include "runtime/server/dialects/choices.h"

namespace waferpair::server {

namespace {

void answerSeveralTimes(const std::shared_ptr<Exchange>& exchange, const ChatRequest& request) {
  auto ready = readyAnswer(exchange->hub()->models(), request, nullptr, exchange->received());
  if (!ready) return exchange->fail(ready.error());
  const auto choices =
      std::make_shared<Choices<ChatStream>>(exchange, ready->model, request.stream);
  for (int i = 0; i < request.choices; ++i)
    choices->add(ChatStream(request, *ready->model->card(), i));
  for (int i = 0; i < request.choices; ++i)
    choices->submit<inference::GenerationRequest>(
        static_cast<std::size_t>(i), ready->job,
        [form = AnswerForm(request)](inference::GenerationRequest& job, HostedModel& model) {
          return addGrammar(job, form, model);
        });
}

}  // namespace

void answerChatCompletions(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseChatBody, [exchange](const Checked<ChatRequest>& parsed) {
    if (!parsed) return exchange->fail(parsed.error());
    if (parsed->choices > 1) return answerSeveralTimes(exchange, *parsed);
    answerText<ChatStream>(exchange, *parsed);
  });
}

}  // namespace waferpair::server
