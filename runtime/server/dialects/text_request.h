// SPDX-License-Identifier: GPL-3.0-or-later
// What a request asks of a model, in whatever dialect: a text to go on with, or a conversation to
// answer, and what the answer may be like.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/prompt/chat_template.h"
#include "runtime/inference/sampling/sampler.h"
#include "runtime/server/dialects/output_format.h"
#include "runtime/server/dialects/tool_fields.h"

namespace waferpair::server {

// How a dialect calls the fields, for what is wrong with them.
struct TextRequestFields {
  std::string_view input = "input";
  std::string_view format = "text.format";
};

struct TextRequest {
  std::string model;  // empty: the first
  std::string instructions;
  // One of these: text to be continued, or a conversation to be answered.
  std::string input;
  std::vector<inference::ChatMessage> messages;
  std::optional<int> maxOutputTokens;  // none: as many as there is room for
  bool stream = false;                 // HTTP only
  inference::SamplingOptions sampling;
  std::vector<std::string> stop;
  bool speculation = true;
  OutputFormat format;
  ToolFields tools;
  TextRequestFields names = {};
};

}  // namespace waferpair::server
