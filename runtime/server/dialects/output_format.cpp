// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/output_format.h"

#include "runtime/grammar/gbnf.h"
#include "runtime/grammar/json_schema.h"
#include "runtime/protocol/messages.h"
#include "runtime/server/dialects/sent_text.h"

namespace waferpair::server {
namespace {

constexpr const char* kAnyObject = R"({"type":"object"})";

// Makes the grammar of it, as far as that goes: outputGrammar() tells what is wrong.
OutputFormat made(OutputFormat format) {
  auto grammar = format.kind == OutputFormat::Kind::kGbnf
                     ? grammar::parseGbnf(format.definition)
                     : grammar::jsonSchemaGrammar(format.definition,
                                                  format.strict ? nullptr : &format.leftOut);
  if (grammar) format.grammar = std::make_shared<const grammar::Grammar>(std::move(*grammar));
  return format;
}

OutputFormat gbnf(std::string definition, std::string field) {
  return made({OutputFormat::Kind::kGbnf, std::move(definition), std::move(field)});
}

// The schema in a field of `part`, which is at `place`, a JSON pointer.
OutputFormat schemaAt(JsonFields& part, const char* name, const std::string& place,
                      std::string field, std::string_view source) {
  if (part.isText(base::Field{name})) return schemaFormat(part.text(name), std::move(field));
  part.object(name);
  if (part.problem()) return {};
  return schemaFormat(SentText(source).at(place + "/" + name), std::move(field));
}

// One of these texts, as it is.
OutputFormat choiceOf(JsonFields& part, const base::Field& name, std::string field) {
  std::string rule;
  for (const Json& choice : part.list(name)) {
    if (!choice.is_string()) {
      part.fail(name, "has an entry that is no text.", "Give texts.");
      return {};
    }
    rule += rule.empty() ? "root ::= \"" : " | \"";
    for (const char c : choice.get_ref<const std::string&>()) {
      if (c == '"' || c == '\\') rule += '\\';
      rule += c == '\n' ? "\\n" : std::string(1, c);
    }
    rule += '"';
  }
  if (rule.empty()) part.fail(name, "is empty.", "Give at least one text.");
  return part.problem() ? OutputFormat() : gbnf(std::move(rule), std::move(field));
}

// vLLM's fields, which stand beside one another with a prefix, or in an object without.
OutputFormat readGuided(JsonFields& part, const std::string& prefix, const std::string& place,
                        const std::string& path, std::string_view source) {
  const std::string json = prefix + "json", choice = prefix + "choice",
                    grammar = prefix + "grammar", regex = prefix + "regex";
  if (part.has(json.c_str())) return schemaAt(part, json.c_str(), place, path + json, source);
  if (part.has(choice.c_str())) return choiceOf(part, base::Field{choice.c_str()}, path + choice);
  if (part.has(grammar.c_str()))
    return gbnf(part.text(base::Field{.name = grammar.c_str(), .bytes = grammar::kMaxGbnf}),
                path + grammar);
  if (part.has(regex.c_str()))
    part.fail(regex, "cannot be kept to.", "Give a grammar, or a schema with a pattern.");
  return {};
}

}  // namespace

OutputFormat schemaFormat(std::string schema, std::string field) {
  return made({OutputFormat::Kind::kJsonSchema, std::move(schema), std::move(field)});
}

void tellLeftOut(Json& answer, const OutputFormat& format) {
  if (!format.leftOut.empty()) answer["not_kept"] = format.leftOut;
}

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
      format.object("schema");
      if (!format.problem())
        read = made({.kind = OutputFormat::Kind::kJsonSchema,
                     .definition = SentText(fields.source()).at("/text/format/schema"),
                     .field = "text.format.schema",
                     .strict = format.booleanOr("strict", false)});
    } else if (type == "json_object") {
      read = schemaFormat(kAnyObject, "text.format");
    } else if (type == "grammar") {
      const std::string syntax = format.text(base::Field{.name = "syntax", .bytes = 64});
      if (!syntax.empty() && syntax != "gbnf")
        format.fail("syntax", "is \"" + syntax + "\".", "Only gbnf can be read.");
      read = gbnf(format.text(base::Field{
                      .name = "definition", .required = true, .bytes = grammar::kMaxGbnf}),
                  "text.format.definition");
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
  if (!fields.has(kFormat)) return readLlamaFormat(fields);
  JsonFields format = fields.part(kFormat);
  OutputFormat read;
  const std::string type = format.text(base::Field{.name = "type", .required = true, .bytes = 64});
  const std::string place = "/response_format";
  if (type == "json_schema" && !format.has("json_schema") && format.has("schema")) {
    // As llama.cpp had it first.
    read = schemaAt(format, "schema", place, "response_format.schema", fields.source());
  } else if (type == "json_schema") {
    JsonFields named = format.part("json_schema");
    named.object("schema");
    if (!named.problem())
      read = made({.kind = OutputFormat::Kind::kJsonSchema,
                   .definition = SentText(fields.source()).at(place + "/json_schema/schema"),
                   .field = "response_format.json_schema.schema",
                   .strict = named.booleanOr("strict", false)});
    format.adopt(named);
  } else if (type == "json_object" && format.has("schema")) {
    read = schemaAt(format, "schema", place, "response_format.schema", fields.source());
  } else if (type == "json_object") {
    read = schemaFormat(kAnyObject, "response_format");
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
  if (!grammar.empty() && fields.has(kSchema))
    fields.fail(kSchema, "stands beside grammar.", "Give one of them.");
  if (fields.problem()) return {};
  if (!grammar.empty()) return gbnf(grammar, "grammar");
  if (fields.has(kSchema)) return schemaAt(fields, kSchema.name, "", kSchema.name, fields.source());
  if (fields.has("structured_outputs")) {
    JsonFields outputs = fields.part("structured_outputs");
    OutputFormat read =
        readGuided(outputs, "", "/structured_outputs", "structured_outputs.", fields.source());
    fields.adopt(outputs);
    return read;
  }
  return readGuided(fields, "guided_", "", "", fields.source());
}

Checked<std::shared_ptr<const inference::TokenGrammar>> outputGrammar(
    const OutputFormat& format, std::optional<inference::Prelude> prelude,
    const std::shared_ptr<const inference::TokenTrie>& trie) {
  if (format.kind == OutputFormat::Kind::kText) return nullptr;
  const auto formed = [&](grammar::Grammar grammar) {
    return std::make_shared<const inference::TokenGrammar>(inference::TokenGrammar{
        .grammar = std::move(grammar), .trie = trie, .prelude = std::move(prelude)});
  };
  if (format.grammar) return formed(*format.grammar);
  auto grammar = format.kind == OutputFormat::Kind::kJsonSchema
                     ? grammar::jsonSchemaGrammar(format.definition)
                     : grammar::parseGbnf(format.definition);
  if (!grammar) return reject({protocol::error_code::kInvalidField, format.field, grammar.error()});
  return formed(std::move(*grammar));
}

}  // namespace waferpair::server
