// SPDX-License-Identifier: GPL-3.0-or-later
// A request to a model, in whatever dialect: a text to go on with, or a conversation to answer, and
// the form of the answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/prompt/chat_template.h"
#include "runtime/server/core/sampling_fields.h"
#include "runtime/server/dialects/output_format.h"
#include "runtime/server/dialects/tool_fields.h"

namespace waferpair::server {

// How a dialect calls the fields, for what is wrong with them.
struct TextRequestFields {
  std::string_view input = "input";
  std::string_view format = "text.format";
};

// The form that the answer keeps to, and the tools that it may call.
struct AnswerForm {
  OutputFormat format;
  ToolFields tools;
  TextRequestFields names = {};
};

struct TextRequest : AnswerForm {
  std::string model;  // empty: the first
  std::string instructions;
  // One of these: text to be continued, or a conversation to be answered.
  std::string input;
  std::vector<inference::ChatMessage> messages;
  std::optional<int> maxOutputTokens;  // none: as many as there is room for
  bool stream = false;                 // HTTP only
  AskedSampling sampling;
  std::vector<std::string> stop;
  bool speculation = true;
  std::vector<inference::TemplateVariable> variables = {};
  bool chances = false;           // how likely each token was is told,
  int mostAlternatives = 0;       // with so many others
  bool separatesThinking = true;  // from what is said; else it stands in the text

  bool isConversation() const { return !messages.empty() || tools.mayCall(); }
  // The last message is the model's own, which it goes on with.
  bool goesOnAnswering() const {
    return !messages.empty() && messages.back().role == inference::ChatRole::kAssistant &&
           messages.back().calls.empty() && !messages.back().text.empty();
  }
};

}  // namespace waferpair::server
