// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/responses.h"

#include "runtime/protocol/messages.h"
#include "runtime/server/dialects/answer.h"
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
  answerText<ResponseStream>(exchange, *parsed);
}

}  // namespace waferpair::server
