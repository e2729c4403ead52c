// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/chat_completions.h"

#include "runtime/server/dialects/answer.h"
#include "runtime/server/dialects/chat_request.h"
#include "runtime/server/dialects/chat_stream.h"

namespace waferpair::server {

void answerChatCompletions(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseChatBody, [exchange](const Checked<ChatRequest>& parsed) {
    if (!parsed) return exchange->fail(parsed.error());
    answerText<ChatStream>(exchange, *parsed);
  });
}

}  // namespace waferpair::server
