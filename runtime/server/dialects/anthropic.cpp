// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/anthropic.h"

#include "runtime/server/dialects/answer.h"
#include "runtime/server/dialects/anthropic_request.h"
#include "runtime/server/dialects/anthropic_stream.h"

namespace waferpair::server {

void answerAnthropicMessages(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseAnthropicBody, [exchange](const Checked<TextRequest>& parsed) {
    if (!parsed) return refuse<AnthropicStream>(*exchange, parsed.error());
    answerText<AnthropicStream>(exchange, *parsed);
  });
}

}  // namespace waferpair::server
