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
constexpr const char* kDefinitions[] = {"$defs", "definitions"};

// What a $ref of `schema` leads to.
SchemaJson resolved(SchemaJson schema, const SchemaJson& root) {
  for (int step = 0; step < kMostHops && schema.is_object(); ++step) {
    const auto reference = schema.find("$ref");
    if (reference == schema.end() || !reference->is_string()) break;
    const std::string path = reference->get<std::string>();
    bool found = false;
    for (const std::string name : kDefinitions) {
      const std::string folder = "#/" + name + "/";
      if (!path.starts_with(folder) || !root.contains(name)) continue;
      const SchemaJson& definitions = root[name];
      const std::string key = path.substr(folder.size());
      if (!definitions.is_object() || !definitions.contains(key)) continue;
      SchemaJson next = definitions[key];
      schema = std::move(next);
      found = true;
      break;
    }
    if (!found) break;
  }
  return schema;
}

std::set<std::string> typesOf(const SchemaJson& schema) {
  const std::set<std::string> all = {"null",   "boolean", "integer", "number",
                                     "object", "array",   "string"};
  if (!schema.is_object()) return all;
  std::set<std::string> types;
  const auto type = schema.find("type");
  if (type == schema.end()) return all;
  if (type->is_string()) types.insert(type->get<std::string>());
  if (type->is_array())
    for (const SchemaJson& each : *type)
      if (each.is_string()) types.insert(each.get<std::string>());
  return types.empty() ? all : types;
}

// The strings that a schema lists as all that may come; empty where it does not.
std::vector<std::string> choicesOf(const SchemaJson& schema) {
  if (!schema.is_object()) return {};
  SchemaJson all = SchemaJson::array();
  if (const auto only = schema.find("const"); only != schema.end()) all.push_back(*only);
  if (const auto some = schema.find("enum"); some != schema.end() && some->is_array()) all = *some;
  std::vector<std::string> choices;
  for (const SchemaJson& each : all) {
    if (!each.is_string() || each.get<std::string>().find(kXmlValueEnd) != std::string::npos)
      return {};
    choices.push_back(each.get<std::string>());
  }
  return choices;
}

XmlParameter parameterOf(const std::string& name, const SchemaJson& property,
                         const SchemaJson& root) {
  XmlParameter parameter{.name = name};
  SchemaJson whole = property;
  if (whole.is_object())
    for (const char* definitions : kDefinitions)
      if (root.contains(definitions)) whole[definitions] = root[definitions];
  parameter.schema = whole.dump();
  const SchemaJson schema = resolved(property, root);
  parameter.choices = choicesOf(schema);
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
  constexpr std::string_view kWords[] = {"type",     "title",    "description", "default",
                                         "examples", "$comment", "$defs",       "definitions"};
  const SchemaJson parsed = SchemaJson::parse(schema, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object()) return parsed.is_boolean();
  return std::all_of(parsed.items().begin(), parsed.items().end(), [&](const auto& entry) {
    return std::ranges::find(kWords, entry.key()) != std::end(kWords);
  });
}

Sequence anyText(Builder& builder) {
  return textUpTo(builder, kXmlValueEnd, builder.literal("\n"));
}

}  // namespace

std::optional<std::vector<XmlParameter>> xmlParameters(std::string_view schema) {
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
    parameters.push_back(parameterOf(name, property, root));
    parameters.back().required = required.contains(name);
  }
  return parameters;
}

base::Result<Sequence> xmlArguments(Builder& builder, JsonRules& json, std::string_view schema,
                                    bool strict) {
  const auto parameters = xmlParameters(schema);
  if (!parameters) {
    if (strict)
      return base::fail("The schema at # does not list the properties.",
                        "List them, or leave strict out.");
    const Sequence letter = builder.characters({{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}});
    const Sequence one =
        joined({builder.literal("<parameter="), builder.repeat(letter, 1, Builder::kNoLimit),
                builder.literal(">\n"), anyText(builder)});
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
      value = anyText(builder);
    } else if (parameter.value == Value::kChoice) {
      std::vector<Sequence> choices;
      for (const std::string& choice : parameter.choices)
        choices.push_back(builder.literal(choice));
      value = joined({builder.anyOf(choices), builder.literal(std::string(kXmlValueEnd) + "\n")});
    } else {
      const auto written = jsonSchemaValue(builder, json, parameter.schema);
      if (!written)
        return base::fail("In #/properties/" + parameter.name + ": " + written.error().what,
                          written.error().remedy);
      value = joined({*written, builder.literal(std::string(kXmlValueEnd) + "\n")});
    }
    const Sequence one =
        joined({builder.literal("<parameter=" + parameter.name + ">\n"), builder.group(value)});
    all.push_back(parameter.required ? one : builder.optional(one));
  }
  return joined(all);
}

}  // namespace waferpair::grammar
