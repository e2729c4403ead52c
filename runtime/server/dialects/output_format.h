// SPDX-License-Identifier: GPL-3.0-or-later
// The form that a client wants an answer's text to have.
#pragma once

#include <memory>
#include <string>

#include "runtime/inference/model/compiled_model.h"
#include "runtime/inference/sampling/token_filter.h"
#include "runtime/server/core/message.h"

namespace waferpair::server {

struct OutputFormat {
  enum class Kind { kText, kJsonSchema, kGbnf };
  Kind kind = Kind::kText;
  std::string definition;  // the schema as JSON text, or the grammar
  std::string field = {};  // that it stood in, for what is wrong with it
};

// text.format of the Responses API, and response_format of Chat Completions. The order of a
// schema's properties is taken from the text that `fields` was parsed from.
OutputFormat readOutputFormat(JsonFields& fields);
OutputFormat readResponseFormat(JsonFields& fields);
// `grammar` (GBNF) or `json_schema`, as llama-server has them.
OutputFormat readLlamaFormat(JsonFields& fields);

// Null for plain text. `chat`: the response answers a conversation; `name` is what the dialect
// calls the form.
Checked<std::shared_ptr<const inference::TokenGrammar>> outputGrammar(
    const OutputFormat& format, const inference::ModelCard& card, bool chat, std::string_view name,
    const std::shared_ptr<const inference::TokenTrie>& trie);

}  // namespace waferpair::server
