// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/output_format.h"

#include "runtime/grammar/gbnf.h"
#include "runtime/grammar/json_schema.h"
#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

constexpr const char* kDefinition = "text.format.definition";
constexpr const char* kSchema = "text.format.schema";

// Returns the schema as it was written: Json sorts the names in objects, this does not.
std::string schemaText(std::string_view message) {
  using Ordered = nlohmann::ordered_json;
  const Ordered whole = Ordered::parse(message, nullptr, /*allow_exceptions=*/false);
  const Ordered::json_pointer place("/text/format/schema");
  return whole.contains(place) ? whole[place].dump() : std::string();
}

}  // namespace

OutputFormat readOutputFormat(JsonFields& fields) {
  namespace field = protocol::field::response_create;
  if (!fields.has(field::kText)) return {};
  JsonFields text = fields.part(field::kText);
  OutputFormat read;
  if (text.has("format")) {
    JsonFields format = text.part("format");
    const std::string type =
        format.text(base::Field{.name = "type", .required = true, .bytes = 64});
    if (type == "json_schema") {
      read.kind = OutputFormat::Kind::kJsonSchema;
      format.object("schema");
      if (!format.problem()) read.definition = schemaText(fields.source());
    } else if (type == "json_object") {
      read = {OutputFormat::Kind::kJsonSchema, R"({"type":"object"})"};
    } else if (type == "grammar") {
      const std::string syntax = format.text(base::Field{.name = "syntax", .bytes = 64});
      if (!syntax.empty() && syntax != "gbnf")
        format.fail("syntax", "is \"" + syntax + "\".", "Only gbnf can be read.");
      read = {OutputFormat::Kind::kGbnf,
              format.text(
                  base::Field{.name = "definition", .required = true, .bytes = grammar::kMaxGbnf})};
    } else if (type != "text" && !format.problem()) {
      format.fail("type", "is \"" + type + "\".",
                  "Give text, json_schema, json_object or grammar.");
    }
    text.adopt(format);
  }
  fields.adopt(text);
  return read;
}

Checked<std::shared_ptr<const inference::TokenGrammar>> outputGrammar(
    const OutputFormat& format, const inference::ModelCard& card, bool chat,
    const std::shared_ptr<const inference::TokenTrie>& trie) {
  if (format.kind == OutputFormat::Kind::kText) return nullptr;
  const bool schema = format.kind == OutputFormat::Kind::kJsonSchema;
  if (chat && card.chat == inference::ChatStyle::kHarmony)
    return reject({protocol::error_code::kInvalidField,
                   "text.format",
                   {"text.format cannot be kept in a conversation with " + card.name +
                        ", which thinks aloud before it answers.",
                    "Send input as a string."}});
  auto grammar = schema ? grammar::jsonSchemaGrammar(format.definition)
                        : grammar::parseGbnf(format.definition);
  if (!grammar)
    return reject(
        {protocol::error_code::kInvalidField, schema ? kSchema : kDefinition, grammar.error()});
  return std::make_shared<const inference::TokenGrammar>(
      inference::TokenGrammar{std::move(*grammar), trie});
}

}  // namespace waferpair::server
