// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/output_format.h"

#include "runtime/grammar/gbnf.h"
#include "runtime/grammar/json_schema.h"
#include "runtime/protocol/messages.h"
#include "runtime/server/dialects/sent_text.h"

namespace waferpair::server {
namespace {

constexpr const char* kAnyObject = R"({"type":"object"})";

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
      if (!format.problem()) read.definition = SentText(fields.source()).at("/text/format/schema");
      read.field = "text.format.schema";
    } else if (type == "json_object") {
      read = {OutputFormat::Kind::kJsonSchema, kAnyObject};
    } else if (type == "grammar") {
      const std::string syntax = format.text(base::Field{.name = "syntax", .bytes = 64});
      if (!syntax.empty() && syntax != "gbnf")
        format.fail("syntax", "is \"" + syntax + "\".", "Only gbnf can be read.");
      read = {OutputFormat::Kind::kGbnf,
              format.text(
                  base::Field{.name = "definition", .required = true, .bytes = grammar::kMaxGbnf}),
              "text.format.definition"};
    } else if (type != "text" && !format.problem()) {
      format.fail("type", "is \"" + type + "\".",
                  "Give text, json_schema, json_object or grammar.");
    }
    text.adopt(format);
  }
  fields.adopt(text);
  return read;
}

OutputFormat readResponseFormat(JsonFields& fields) {
  constexpr base::Field kFormat{.name = "response_format"};
  if (!fields.has(kFormat)) return {};
  JsonFields format = fields.part(kFormat);
  OutputFormat read;
  const std::string type = format.text(base::Field{.name = "type", .required = true, .bytes = 64});
  if (type == "json_schema") {
    JsonFields named = format.part("json_schema");
    named.object("schema");
    if (!named.problem())
      read = {OutputFormat::Kind::kJsonSchema,
              SentText(fields.source()).at("/response_format/json_schema/schema"),
              "response_format.json_schema.schema"};
    format.adopt(named);
  } else if (type == "json_object") {
    read = {OutputFormat::Kind::kJsonSchema, kAnyObject};
  } else if (type != "text" && !format.problem()) {
    format.fail("type", "is \"" + type + "\".", "Give text, json_schema or json_object.");
  }
  fields.adopt(format);
  return read;
}

OutputFormat readLlamaFormat(JsonFields& fields) {
  constexpr base::Field kGrammar{.name = "grammar", .bytes = grammar::kMaxGbnf};
  constexpr base::Field kSchema{.name = "json_schema"};
  const std::string grammar = fields.text(kGrammar);
  if (!fields.has(kSchema)) {
    if (grammar.empty()) return {};
    return {OutputFormat::Kind::kGbnf, grammar, "grammar"};
  }
  if (!grammar.empty()) fields.fail(kSchema, "stands beside grammar.", "Give one of them.");
  fields.object("json_schema");
  if (fields.problem()) return {};
  return {OutputFormat::Kind::kJsonSchema, SentText(fields.source()).at("/json_schema"),
          "json_schema"};
}

Checked<std::shared_ptr<const inference::TokenGrammar>> outputGrammar(
    const OutputFormat& format, const inference::ModelCard& card, bool chat, std::string_view name,
    const std::shared_ptr<const inference::TokenTrie>& trie) {
  if (format.kind == OutputFormat::Kind::kText) return nullptr;
  const bool schema = format.kind == OutputFormat::Kind::kJsonSchema;
  if (chat && card.chat == inference::ChatStyle::kHarmony)
    return reject({protocol::error_code::kInvalidField,
                   std::string(name),
                   {std::string(name) + " cannot be kept in a conversation with " + card.name +
                        ", which thinks aloud before it answers.",
                    "Leave it out, or send input as a string to POST /v1/responses."}});
  auto grammar = schema ? grammar::jsonSchemaGrammar(format.definition)
                        : grammar::parseGbnf(format.definition);
  if (!grammar) return reject({protocol::error_code::kInvalidField, format.field, grammar.error()});
  return std::make_shared<const inference::TokenGrammar>(
      inference::TokenGrammar{std::move(*grammar), trie});
}

}  // namespace waferpair::server
