// SPDX-License-Identifier: GPL-3.0-or-later
// Source: OpenAI's guide to harmony (docs/format.md, "Function calling") and the golden renderings
// beside it (test-data/test_render_functions_with_parameters.txt).
#include "runtime/inference/prompt/typescript_types.h"

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "runtime/inference/prompt/prompt_json.h"

namespace waferpair::inference {
namespace {

constexpr int kMostNested = 16;
constexpr std::string_view kDeeper = "   ";

std::string textAt(const OrderedJson& schema, const char* key) {
  if (!schema.is_object()) return {};
  const auto found = schema.find(key);
  return found != schema.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool isEnum(const OrderedJson& schema) {
  const auto found = schema.find("enum");
  return found != schema.end() && found->is_array() && !found->empty();
}

// "default: 20"; empty: there is none. A default out of some choices stands as they do.
std::string defaultOf(const OrderedJson& schema) {
  const auto found = schema.find("default");
  if (found == schema.end()) return {};
  const bool bare = found->is_string() && isEnum(schema);
  return "default: " + (bare ? found->get<std::string>() : dumped(*found));
}

class TypeWriter {
 public:
  std::string type(const OrderedJson& schema, const std::string& indent, int depth) {
    if (!schema.is_object() || depth > kMostNested) return "any";
    if (schema.contains("oneOf") && schema["oneOf"].is_array())
      return "\n" + variants(schema["oneOf"], indent, depth, /*hasNote=*/false);
    if (isEnum(schema)) return nullable(schema, choices(schema["enum"]));
    const auto found = schema.find("type");
    if (found == schema.end()) return "any";
    if (found->is_array()) {
      std::string all;
      for (const OrderedJson& each : *found)
        if (each.is_string())
          all += (all.empty() ? "" : " | ") + named(each.get<std::string>(), schema, indent, depth);
      return all.empty() ? "any" : all;
    }
    return nullable(
        schema, named(found->is_string() ? found->get<std::string>() : "", schema, indent, depth));
  }

 private:
  static std::string nullable(const OrderedJson& schema, std::string type) {
    const auto found = schema.find("nullable");
    const bool isNullable = found != schema.end() && *found == true;
    return isNullable ? type + " | null" : type;
  }

  static std::string choices(const OrderedJson& all) {
    std::string text;
    for (const OrderedJson& each : all) text += (text.empty() ? "" : " | ") + dumped(each);
    return text;
  }

  std::string named(const std::string& name, const OrderedJson& schema, const std::string& indent,
                    int depth) {
    if (name == "integer") return "number";
    if (name == "string" || name == "number" || name == "boolean" || name == "null") return name;
    if (name == "array") {
      const auto items = schema.find("items");
      return (items == schema.end() ? "any" : type(*items, indent, depth + 1)) + "[]";
    }
    return name == "object" ? object(schema, indent, depth) : "any";
  }

  std::string object(const OrderedJson& schema, const std::string& indent, int depth) {
    std::string out;
    if (const std::string note = textAt(schema, "description"); !note.empty())
      out += comment(indent, note);
    out += "{\n";
    const auto properties = schema.find("properties");
    if (properties != schema.end() && properties->is_object())
      for (const auto& [name, property] : properties->items())
        out += member(name, property, isRequired(schema, name), indent, depth);
    return out + indent + "}";
  }

  static bool isRequired(const OrderedJson& schema, const std::string& name) {
    const auto required = schema.find("required");
    if (required == schema.end() || !required->is_array()) return false;
    return std::find(required->begin(), required->end(), OrderedJson(name)) != required->end();
  }

  static std::string comment(const std::string& indent, std::string_view text) {
    std::string out;
    while (true) {
      const std::size_t end = text.find('\n');
      out += indent + "// " + std::string(text.substr(0, end)) + "\n";
      if (end == std::string_view::npos) return out;
      text.remove_prefix(end + 1);
    }
  }

  std::string member(const std::string& name, const OrderedJson& property, bool required,
                     const std::string& indent, int depth) {
    std::string out;
    if (const std::string title = textAt(property, "title"); !title.empty())
      out += comment(indent, title) + indent + "//\n";
    const std::string note = textAt(property, "description");
    const bool isOneOf =
        property.is_object() && property.contains("oneOf") && property["oneOf"].is_array();
    // An object tells its description itself.
    const bool tellsItself = textAt(property, "type") == "object";
    if (!note.empty() && !tellsItself) out += comment(indent, note);
    if (property.is_object() && property.contains("examples") && property["examples"].is_array()) {
      std::string lines;
      for (const OrderedJson& each : property["examples"])
        if (each.is_string()) lines += comment(indent, "- " + dumped(each));
      if (!lines.empty()) out += comment(indent, "Examples:") + lines;
    }
    const std::string defaults = property.is_object() ? defaultOf(property) : std::string();
    const std::string key = indent + name + (required ? "" : "?") + ":";
    if (isOneOf) {
      if (!defaults.empty()) out += comment(indent, defaults);
      return out + key + "\n" + variants(property["oneOf"], indent, depth, !note.empty()) + "\n" +
             indent + ",\n";
    }
    out += key + " " + type(property, indent, depth + 1) + ",";
    if (!defaults.empty()) out += " // " + defaults;
    return out + "\n";
  }

  // `hasNote`: what there is to say of the first is said of all of them already.
  std::string variants(const OrderedJson& all, const std::string& indent, int depth, bool hasNote) {
    std::string out;
    bool first = true;
    for (const OrderedJson& each : all) {
      if (!first) out += "\n";
      out += indent + " | " + type(each, indent + std::string(kDeeper), depth + 1);
      std::vector<std::string> notes;
      if (!(first && hasNote))
        if (const std::string note = textAt(each, "description"); !note.empty())
          notes.push_back(note);
      if (each.is_object())
        if (const std::string defaults = defaultOf(each); !defaults.empty())
          notes.push_back(defaults);
      for (std::size_t i = 0; i < notes.size(); ++i) out += (i == 0 ? " // " : " ") + notes[i];
      first = false;
    }
    return out;
  }
};

}  // namespace

std::string typescriptType(std::string_view schema) {
  return TypeWriter().type(parsedJson(schema), "", 0);
}

}  // namespace waferpair::inference
