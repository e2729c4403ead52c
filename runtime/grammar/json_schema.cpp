// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/json_schema.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "runtime/grammar/builder.h"

namespace waferpair::grammar {
namespace {

using Json = nlohmann::ordered_json;  // properties come in the order of the schema

constexpr int kMaxNesting = 64;
constexpr std::uint32_t kControl = 0x1f;

// They say nothing of the text.
constexpr const char* kNotes[] = {"title",       "description", "default",  "examples",
                                  "$schema",     "$id",         "$comment", "$defs",
                                  "definitions", "deprecated",  "readOnly", "writeOnly"};

// Rules of JSON itself, made when first needed.
class JsonRules {
 public:
  explicit JsonRules(Builder& builder) : builder_(builder) {}

  // Nothing, a space, or a new line with its indent: without a limit a model could go on with it.
  Sequence space() {
    return rule("space", [&] {
      return builder_.anyOf(
          {{},
           builder_.literal(" "),
           joined({builder_.literal("\n"), builder_.repeat(builder_.literal(" "), 0, 32)})});
    });
  }
  // One character of a string as it is spelled. No halves of surrogate pairs.
  Sequence character() {
    return rule("character", [&] {
      const Sequence hex = builder_.characters({{'0', '9'}, {'a', 'f'}, {'A', 'F'}});
      const Sequence highest =
          builder_.characters({{'0', '9'}, {'a', 'c'}, {'e', 'f'}, {'A', 'C'}, {'E', 'F'}});
      const Sequence d = builder_.characters({{'d', 'd'}, {'D', 'D'}});
      const Sequence low = builder_.characters({{'0', '7'}});
      return builder_.anyOf(
          {builder_.characters(complement({{0, kControl}, {'"', '"'}, {'\\', '\\'}})),
           joined({builder_.literal("\\"), characters("\"\\/bfnrt")}),
           joined({builder_.literal("\\u"), highest, hex, hex, hex}),
           joined({builder_.literal("\\u"), d, low, hex, hex})});
    });
  }
  Sequence string(int least, int most) {
    return joined({builder_.literal("\""), builder_.repeat(character(), least, most),
                   builder_.literal("\"")});
  }
  Sequence anyString() {
    return rule("string", [&] { return string(0, Builder::kNoLimit); });
  }
  // At most 15 digits: every reader keeps them exactly.
  Sequence integer() {
    return rule("integer", [&] {
      const Sequence digits = builder_.characters({{'0', '9'}});
      return joined(
          {builder_.optional(builder_.literal("-")),
           builder_.anyOf({builder_.literal("0"), joined({builder_.characters({{'1', '9'}}),
                                                          builder_.repeat(digits, 0, 14)})})});
    });
  }
  Sequence number() {
    return rule("number", [&] {
      const Sequence digits = builder_.characters({{'0', '9'}});
      return joined(
          {integer(),
           builder_.optional(joined({builder_.literal("."), builder_.repeat(digits, 1, 15)})),
           builder_.optional(joined({characters("eE"), builder_.optional(characters("+-")),
                                     builder_.repeat(digits, 1, 2)}))});
    });
  }
  Sequence boolean() {
    return builder_.anyOf({builder_.literal("true"), builder_.literal("false")});
  }
  Sequence null() { return builder_.literal("null"); }
  Sequence anyValue() {
    return rule("value", [&] {
      return builder_.anyOf({anyString(), number(), boolean(), null(),
                             array(anyValue(), 0, Builder::kNoLimit), object(anyValue())});
    });
  }

  Sequence array(const Sequence& item, int least, int most) {
    const Sequence next = joined({builder_.literal(","), space(), item});
    const int others = most == Builder::kNoLimit ? most : most - 1;
    Sequence items = most == 0
                         ? Sequence()
                         : joined({item, builder_.repeat(next, std::max(0, least - 1), others)});
    if (least == 0) items = builder_.optional(items);
    return joined({builder_.literal("["), space(), items, space(), builder_.literal("]")});
  }
  // With any names.
  Sequence object(const Sequence& value) {
    const Sequence member = joined({anyString(), builder_.literal(":"), space(), value});
    const Sequence next = joined({builder_.literal(","), space(), member});
    return braces(builder_.optional(joined({member, builder_.repeat(next, 0, Builder::kNoLimit)})));
  }
  Sequence braces(const Sequence& members) {
    return joined({builder_.literal("{"), space(), members, space(), builder_.literal("}")});
  }

  static Sequence joined(const std::vector<Sequence>& parts) {
    Sequence all;
    for (const Sequence& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

 private:
  // Made once; a rule may be in itself, deeper down.
  template <typename Make>
  Sequence rule(const char* name, Make make) {
    const auto [it, isNew] = rules_.try_emplace(name);
    if (isNew) {
      const std::int32_t index = it->second = builder_.addRule(name);
      builder_.addAlternative(index, make());
      return {Builder::ruleSymbol(index)};
    }
    return {Builder::ruleSymbol(it->second)};
  }
  Sequence characters(std::string_view all) {
    std::vector<CharacterRange> ranges;
    for (const char c : all) {
      const auto character = static_cast<std::uint32_t>(c);
      ranges.push_back({character, character});
    }
    return builder_.characters(ranges);
  }

  Builder& builder_;
  std::map<std::string, std::int32_t> rules_;
};

class Converter {
 public:
  explicit Converter(const Json& root) : root_(root), json_(builder_) {}

  base::Result<Grammar> convert() {
    reference("#", "#");
    for (std::size_t i = 0; i < pending_.size() && !problem_; ++i) {
      const Pending next = pending_[i];
      builder_.addAlternative(next.rule, value(*next.schema, next.path));
    }
    if (problem_) return tl::unexpected(*problem_);
    return builder_.finish(pending_.front().rule);
  }

 private:
  using Path = const std::string&;
  struct Pending {
    const Json* schema = nullptr;
    std::string path;
    std::int32_t rule = 0;
  };

  Sequence problem(Path path, const std::string& what, std::string remedy) {
    if (!problem_) problem_ = base::Error{"The schema at " + path + " " + what, std::move(remedy)};
    return {};
  }

  // What is referred to is a rule of its own, filled in later: schemas may contain themselves.
  Sequence reference(const std::string& target, Path path) {
    const auto [it, isNew] = references_.try_emplace(target);
    if (!isNew) return {Builder::ruleSymbol(it->second)};
    const Json* schema = &root_;
    if (target != "#") {
      schema = nullptr;
      for (const char* place : {"$defs", "definitions"}) {
        const std::string prefix = std::string("#/") + place + "/";
        if (!target.starts_with(prefix) || !root_.is_object() || !root_.contains(place)) continue;
        const Json& definitions = root_[place];
        const auto found = definitions.find(target.substr(prefix.size()));
        if (definitions.is_object() && found != definitions.end()) schema = &*found;
      }
      if (!schema)
        return problem(path, "refers to " + target.substr(0, 200) + ", which is not known.",
                       "Refer to #, #/$defs/NAME or #/definitions/NAME of this schema.");
    }
    const std::int32_t rule = it->second = builder_.addRule(target);
    pending_.push_back({schema, target, rule});
    return {Builder::ruleSymbol(rule)};
  }

  Sequence value(const Json& schema, Path path) {
    if (problem_) return {};
    if (schema.is_boolean() && schema.get<bool>()) return json_.anyValue();
    if (!schema.is_object())
      return problem(path, "is neither an object nor true.", "Send a schema that can be met.");
    const struct Deeper {
      int& depth;
      explicit Deeper(int& d) : depth(d) { ++depth; }
      ~Deeper() { --depth; }
    } deeper(depth_);
    if (depth_ > kMaxNesting)
      return problem(path, "is nested too deeply.",
                     "At most " + std::to_string(kMaxNesting) + " levels are read; use $ref.");

    for (const char* alone : {"$ref", "const", "enum", "anyOf"}) {
      if (!schema.contains(alone)) continue;
      // Beside these, further conditions would have to hold at the same time; only the type of
      // listed values is looked at.
      const bool listed = std::string_view(alone) == "const" || std::string_view(alone) == "enum";
      allowOnly(schema, path, {alone, listed ? "type" : alone});
      if (problem_) return {};
      return special(schema, alone, path);
    }
    if (!schema.contains("type")) {
      for (const char* hint : {"properties", "items"})
        if (schema.contains(hint))
          return problem(path, std::string("has ") + hint + " but no type.",
                         "Add \"type\": \"object\" or \"array\".");
      allowOnly(schema, path, {});
      return json_.anyValue();
    }
    const Json& type = schema["type"];
    if (type.is_string()) return typed(schema, type.get<std::string>(), path);
    if (!type.is_array() || type.empty())
      return problem(path, "has a type that is neither a string nor a list.", "Name a type.");
    std::vector<Sequence> all;
    for (const Json& one : type) {
      if (!one.is_string()) return problem(path, "has a type that is no string.", "Name types.");
      all.push_back(typed(schema, one.get<std::string>(), path, /*several=*/true));
    }
    return builder_.anyOf(all);
  }

  Sequence special(const Json& schema, const std::string& key, Path path) {
    const Json& what = schema[key];
    if (key == "const") return listed(schema, Json::array({what}), path);
    if (key == "$ref") {
      if (!what.is_string()) return problem(path, "has a $ref that is no string.", "Name a place.");
      return reference(what.get<std::string>(), path);
    }
    if (!what.is_array() || what.empty())
      return problem(path, "has " + key + " without a list.", "List at least one.");
    if (key == "enum") return listed(schema, what, path);
    std::vector<Sequence> all;
    for (std::size_t i = 0; i < what.size(); ++i)
      all.push_back(value(what[i], path + "/anyOf/" + std::to_string(i)));
    return builder_.anyOf(all);
  }

  // Those of the values that are of the schema's type, if it has one.
  Sequence listed(const Json& schema, const Json& values, Path path) {
    std::vector<Sequence> all;
    for (const Json& one : values)
      if (isOfType(one, schema.value("type", Json())))
        all.push_back(builder_.literal(spelled(one)));
    if (all.empty()) return problem(path, "lists nothing of its type.", "List something.");
    return builder_.anyOf(all);
  }
  static bool isOfType(const Json& value, const Json& type) {
    if (type.is_null()) return true;
    if (type.is_array())
      return std::any_of(type.begin(), type.end(),
                         [&](const Json& one) { return one.is_string() && isOfType(value, one); });
    if (type == "integer") return value.is_number_integer();
    return type == value.type_name();  // "number", "string", "boolean", "null", "array", "object"
  }

  // Of one type among `several`, what the schema says of other types does not matter.
  Sequence typed(const Json& schema, const std::string& type, Path path, bool several = false) {
    using Keys = std::vector<std::string_view>;
    static const std::map<std::string_view, Keys> kKeys = {
        {"string", {"minLength", "maxLength"}},
        {"array", {"items", "minItems", "maxItems"}},
        {"object", {"properties", "required", "additionalProperties"}},
        {"integer", {}},
        {"number", {}},
        {"boolean", {}},
        {"null", {}}};
    const auto known = kKeys.find(type);
    if (known == kKeys.end())
      return problem(path, "has the type " + type.substr(0, 40) + ", which is not known.",
                     "JSON has string, number, integer, boolean, null, array and object.");
    Keys allowed = known->second;
    if (several)
      for (const auto& [other, keys] : kKeys)
        allowed.insert(allowed.end(), keys.begin(), keys.end());
    allowed.emplace_back("type");
    allowOnly(schema, path, allowed);
    if (problem_) return {};
    if (type == "string") {
      const auto [least, most] = bounds(schema, "minLength", "maxLength", path);
      if (least == 0 && most == Builder::kNoLimit) return json_.anyString();
      return json_.string(least, most);
    }
    if (type == "array") {
      const auto [least, most] = bounds(schema, "minItems", "maxItems", path);
      const Sequence item =
          schema.contains("items") ? value(schema["items"], path + "/items") : json_.anyValue();
      return problem_ ? Sequence() : json_.array(item, least, most);
    }
    if (type == "object") return object(schema, path);
    if (type == "integer") return json_.integer();
    if (type == "number") return json_.number();
    return type == "boolean" ? json_.boolean() : json_.null();
  }

  Sequence object(const Json& schema, Path path) {
    const Json none = Json::object(), nothing = Json::array();
    const Json& properties = schema.contains("properties") ? schema["properties"] : none;
    const Json& required = schema.contains("required") ? schema["required"] : nothing;
    if (!properties.is_object() || !required.is_array())
      return problem(path, "has properties that are no object, or required that is no list.",
                     "See JSON Schema.");
    const auto isRequired = [&](const std::string& name) {
      return std::find(required.begin(), required.end(), Json(name)) != required.end();
    };
    for (const Json& name : required)
      if (!name.is_string() || !properties.contains(name.get<std::string>()))
        return problem(path, "requires " + name.dump().substr(0, 80) + ", which is no property.",
                       "List it under properties.");
    if (properties.empty()) {
      const Json others = schema.value("additionalProperties", Json(true));
      if (others == Json(false)) return json_.braces({});
      const Sequence member = value(others, path + "/additionalProperties");
      return problem_ ? Sequence() : json_.object(member);
    }
    // From the last property to the first: what may follow when nothing was written yet, and when
    // something was.
    Sequence first, later;
    for (auto it = properties.end(); it != properties.begin();) {
      --it;
      const Sequence member =
          JsonRules::joined({builder_.literal(spelled(Json(it.key())) + ":"), json_.space(),
                             value(it.value(), path + "/properties/" + it.key())});
      if (problem_) return {};
      const Sequence comma = JsonRules::joined({builder_.literal(","), json_.space()});
      const Sequence here = builder_.group(JsonRules::joined({member, later}));
      const Sequence afterOthers = builder_.group(JsonRules::joined({comma, here}));
      const bool must = isRequired(it.key());
      first = must ? here : builder_.anyOf({here, first});
      later = must ? afterOthers : builder_.anyOf({afterOthers, later});
    }
    return json_.braces(first);
  }

  // Of lengths; kNoLimit where there is no upper one.
  std::pair<int, int> bounds(const Json& schema, const char* low, const char* high, Path path) {
    const auto read = [&](const char* key, int fallback) {
      if (!schema.contains(key)) return fallback;
      const Json& number = schema[key];
      if (number.is_number() && number.get<double>() >= 0 &&
          number.get<double>() <= Builder::kMaxRepeat &&
          number.get<double>() == static_cast<int>(number.get<double>()))
        return static_cast<int>(number.get<double>());
      problem(path, std::string("has ") + key + " " + number.dump().substr(0, 40) + ".",
              "Whole numbers up to " + std::to_string(Builder::kMaxRepeat) + " can be kept to.");
      return fallback;
    };
    const int least = read(low, 0), most = read(high, Builder::kNoLimit);
    if (most != Builder::kNoLimit && most < least)
      problem(path, std::string("has ") + high + " below " + low + ".", "Nothing is so.");
    return {least, most};
  }

  void allowOnly(const Json& schema, Path path, const std::vector<std::string_view>& keys) {
    for (const auto& entry : schema.items()) {
      const std::string& key = entry.key();
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
      if (std::find(std::begin(kNotes), std::end(kNotes), key) != std::end(kNotes)) continue;
      problem(path, "has \"" + key.substr(0, 80) + "\", which is not supported here.",
              "docs/protocol.md lists what is; leave it out and check the output yourself.");
    }
  }

  static std::string spelled(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  const Json& root_;
  Builder builder_;
  JsonRules json_;
  std::optional<base::Error> problem_;
  std::map<std::string, std::int32_t> references_;
  std::vector<Pending> pending_;  // the root first
  int depth_ = 0;
};

}  // namespace

base::Result<Grammar> jsonSchemaGrammar(std::string_view text) {
  if (text.size() > kMaxSchema)
    return base::fail("The schema has " + std::to_string(text.size()) + " bytes.",
                      "At most " + std::to_string(kMaxSchema) + " are read.");
  bool tooDeep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    tooDeep = tooDeep || depth > 4 * kMaxNesting;
    return !tooDeep;
  };
  const Json schema = Json::parse(text, watch, /*allow_exceptions=*/false);
  if (tooDeep || schema.is_discarded())
    return base::fail(tooDeep ? "The schema is nested too deeply." : "The schema is not JSON.",
                      "Send a JSON schema.");
  return Converter(schema).convert();
}

}  // namespace waferpair::grammar
