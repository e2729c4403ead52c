// SPDX-License-Identifier: GPL-3.0-or-later
// The form that a client wants an answer's text to have.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/inference/model/compiled_model.h"
#include "runtime/inference/sampling/token_filter.h"
#include "runtime/server/core/message.h"

namespace waferpair::server {

struct OutputFormat {
  enum class Kind { kText, kJsonSchema, kGbnf };
  Kind kind = Kind::kText;
  std::string definition;  // the schema as JSON text, or the grammar
  std::string field = {};  // that it stood in, for what is wrong with it
  bool strict = false;     // what of a schema cannot be kept to is an error; else it is left out
  std::shared_ptr<const grammar::Grammar> grammar = {};  // null: it could not be made of that
  std::vector<std::string> leftOut = {};                 // as jsonSchemaGrammar() tells it
};

// text.format of the Responses API, and what clients of Chat Completions send: response_format, and
// the fields of readLlamaFormat(). The order of a schema's properties is taken from the text that
// `fields` was parsed from.
OutputFormat readOutputFormat(JsonFields& fields);
OutputFormat readResponseFormat(JsonFields& fields);
// `grammar` (GBNF) or `json_schema`, as llama-server has them, and vLLM's `guided_json`,
// `guided_choice`, `guided_grammar` and `structured_outputs`.
OutputFormat readLlamaFormat(JsonFields& fields);
// That schema, which is not strict.
OutputFormat schemaFormat(std::string schema, std::string field);

// Adds "not_kept", a list of what of the schema is not kept to, to an answer where there is any.
void tellLeftOut(Json& answer, const OutputFormat& format);

// Null for plain text. `prelude` may come ahead of the form.
Checked<std::shared_ptr<const inference::TokenGrammar>> outputGrammar(
    const OutputFormat& format, std::optional<inference::Prelude> prelude,
    const std::shared_ptr<const inference::TokenTrie>& trie);

}  // namespace waferpair::server
