// SPDX-License-Identifier: GPL-3.0-or-later
// The request of response.create, and of a POST to /v1/responses: the Responses API.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/prompt/chat_template.h"
#include "runtime/inference/sampling/sampler.h"
#include "runtime/server/core/message.h"
#include "runtime/server/dialects/output_format.h"

namespace waferpair::server {

struct ResponseCreate {
  std::string id;  // empty: the server makes one up
  std::string instructions;
  // One of these: text to be continued, or a conversation to be answered.
  std::string input;
  std::vector<inference::ChatMessage> messages;
  std::string previousResponseId;      // empty: none
  std::optional<int> maxOutputTokens;  // none: as many as there is room for
  bool stream = false;                 // HTTP only
  inference::SamplingOptions sampling;
  std::vector<std::string> stop;
  bool speculation = true;
  OutputFormat format;
};

ResponseCreate readResponseCreate(JsonFields& fields);
// The body of POST /v1/responses: a response.create without its type.
Checked<ResponseCreate> parseResponseBody(std::string_view body);

}  // namespace waferpair::server
