// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/xml_parameters.h"

#include <algorithm>

#include "runtime/grammar/free_text.h"
#include "runtime/grammar/json_schema.h"
#include "runtime/grammar/schema_algebra.h"
#include "runtime/grammar/schema_value.h"

namespace waferpair::grammar {
namespace {

using Value = XmlParameter::Value;

constexpr int kMostHops = 8;

// What a schema that only refers to another leads to.
const SchemaJson& referredTo(const SchemaJson& schema, const SchemaJson& root) {
  const SchemaAlgebra algebra(root);
  const SchemaJson* at = &schema;
  for (int hop = 0; hop < kMostHops && at->is_object(); ++hop) {
    const SchemaJson* reference = onlyReference(*at);
    const SchemaJson* next = reference ? algebra.find(reference->get<std::string>()) : nullptr;
    if (!next) break;
    at = next;
  }
  return *at;
}

// The strings that a schema lists as all that may come; empty where it does not.
std::vector<std::string> choicesOf(const SchemaJson& schema, std::string_view valueEnd) {
  std::vector<std::string> choices;
  for (const SchemaJson& each : valuesOf(schema)) {
    if (!each.is_string() || each.get<std::string>().find(valueEnd) != std::string::npos) return {};
    choices.push_back(each.get<std::string>());
  }
  return choices;
}

XmlParameter parameterOf(const std::string& name, const SchemaJson& property,
                         const SchemaJson& root, std::string_view valueEnd) {
  XmlParameter parameter{.name = name};
  SchemaJson whole = property;
  if (whole.is_object()) addDefinitions(whole, root);
  parameter.schema = whole.dump();
  const SchemaJson& schema = referredTo(property, root);
  parameter.choices = choicesOf(schema, valueEnd);
  if (!parameter.choices.empty()) {
    parameter.value = Value::kChoice;
    return parameter;
  }
  parameter.types = typesOf(schema);
  const bool mayBeText = parameter.types.erase("string") > 0;
  if (!mayBeText)
    parameter.value = Value::kJson;
  else
    parameter.value = parameter.types.empty() ? Value::kText : Value::kEither;
  return parameter;
}

// Says nothing of a value but its type.
bool saysTypesOnly(std::string_view schema) {
  const SchemaJson parsed = SchemaJson::parse(schema, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object()) return parsed.is_boolean();
  for (const auto& entry : parsed.items())
    if (!isNote(entry.key()) && entry.key() != "type") return false;
  return true;
}

Sequence anyText(Builder& builder, const ArgumentTags& tags) {
  return textUpTo(builder, tags.valueEnd, builder.literal(tags.behindValue));
}

std::string endOf(const ArgumentTags& tags) {
  return std::string(tags.valueEnd) + std::string(tags.behindValue);
}

}  // namespace

std::optional<std::vector<XmlParameter>> xmlParameters(std::string_view schema,
                                                       std::string_view valueEnd) {
  if (schema.size() > kMaxSchema) return std::nullopt;
  const SchemaJson root = SchemaJson::parse(schema, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object()) return std::nullopt;
  const auto properties = root.find("properties");
  if (properties == root.end() || !properties->is_object()) {
    const auto more = root.find("additionalProperties");
    if (more != root.end() && *more == false) return std::vector<XmlParameter>();
    return std::nullopt;
  }
  std::set<std::string> required;
  if (const auto names = root.find("required"); names != root.end() && names->is_array())
    for (const SchemaJson& name : *names)
      if (name.is_string()) required.insert(name.get<std::string>());
  std::vector<XmlParameter> parameters;
  for (const auto& [name, property] : properties->items()) {
    // A name that the tag cannot hold is one that no call has.
    if (name.empty() || name.find_first_of(">\n") != std::string::npos) continue;
    parameters.push_back(parameterOf(name, property, root, valueEnd));
    parameters.back().required = required.contains(name);
  }
  return parameters;
}

base::Result<Sequence> xmlArguments(Builder& builder, JsonRules& json, const ArgumentTags& tags,
                                    std::string_view schema, bool strict) {
  const auto parameters = xmlParameters(schema, tags.valueEnd);
  if (!parameters) {
    if (strict)
      return base::fail("The schema at # does not list the properties.",
                        "List them, or leave strict out.");
    const Sequence letter = builder.characters({{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}});
    const Sequence one =
        joined({builder.literal(tags.key), builder.repeat(letter, 1, Builder::kNoLimit),
                builder.literal(tags.keyEnd), anyText(builder, tags)});
    return builder.repeat(one, 0, Builder::kNoLimit);
  }
  std::vector<Sequence> all;
  for (const XmlParameter& parameter : *parameters) {
    if (builder.tooLarge()) break;
    Sequence value;
    const bool isText = parameter.value == Value::kText || parameter.value == Value::kEither;
    if (isText) {
      if (strict && !saysTypesOnly(parameter.schema))
        return base::fail("The schema at #/properties/" + parameter.name +
                              " says more of a text than this model's form of calls can keep.",
                          "Leave that out, or strict.");
      value = anyText(builder, tags);
    } else if (parameter.value == Value::kChoice) {
      std::vector<Sequence> choices;
      for (const std::string& choice : parameter.choices)
        choices.push_back(builder.literal(choice));
      value = joined({builder.anyOf(choices), builder.literal(endOf(tags))});
    } else {
      const auto written = jsonSchemaValue(builder, json, parameter.schema);
      if (!written)
        return base::fail("In #/properties/" + parameter.name + ": " + written.error().what,
                          written.error().remedy);
      value = joined({*written, builder.literal(endOf(tags))});
    }
    const bool isJson = parameter.value == Value::kJson;
    const Sequence one =
        joined({builder.literal(tags.key), builder.literal(parameter.name),
                builder.literal(isJson ? tags.jsonKeyEnd : tags.keyEnd), builder.group(value)});
    all.push_back(parameter.required ? one : builder.optional(one));
  }
  return joined(all);
}

}  // namespace waferpair::grammar
