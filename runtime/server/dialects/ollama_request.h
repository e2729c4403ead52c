// SPDX-License-Identifier: GPL-3.0-or-later
// The bodies of POST to /api/generate and /api/chat.
#pragma once

#include <string_view>

#include "runtime/server/core/problem.h"
#include "runtime/server/dialects/plain_request.h"
#include "runtime/server/dialects/text_request.h"

namespace waferpair::server {

struct OllamaText : TextRequest {
  bool isChat = false;   // of /api/chat
  bool unloads = false;  // where there is no text: the model is to give its memory back
};

// A text is filled in, or answered and gone on with.
struct OllamaGenerate {
  PlainRequest gap;      // with isFillIn
  OllamaText text;       // else
  bool isEmpty = false;  // neither: the model is to be loaded
};

// Fields that are not known are ignored; what is known and cannot be done is a problem.
Checked<OllamaGenerate> parseOllamaGenerate(std::string_view body);
Checked<OllamaText> parseOllamaChat(std::string_view body);  // without messages: as isEmpty

// The name without the tag that Ollama's clients add.
std::string ollamaName(std::string name);

}  // namespace waferpair::server
