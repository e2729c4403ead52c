// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/json_schema.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "runtime/grammar/json_rules.h"
#include "runtime/grammar/pattern.h"
#include "runtime/grammar/schema_algebra.h"
#include "runtime/grammar/schema_value.h"

namespace waferpair::grammar {
namespace {

using Json = SchemaJson;

constexpr int kMaxNesting = 64;
constexpr std::size_t kMostAlternatives = 64;  // of oneOf, each of which is held against the others

class Converter {
 public:
  Converter(const Json& root, Builder& builder, JsonRules& json)
      : builder_(builder), json_(json), algebra_(root) {}

  base::Result<Sequence> convert() {
    const Sequence whole = reference("#", "#");
    for (std::size_t i = 0; i < pending_.size() && !problem_ && !builder_.tooLarge(); ++i) {
      const Pending next = pending_[i];
      builder_.addAlternative(next.rule, value(*next.schema, next.path));
    }
    if (problem_) return tl::unexpected(*problem_);
    return whole;
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

  // A schema that is referred to becomes a rule of its own, filled in later, since schemas may
  // contain themselves.
  Sequence reference(const std::string& target, Path path) {
    const auto [it, isNew] = references_.try_emplace(target);
    if (!isNew) return {Builder::ruleSymbol(it->second)};
    const Json* schema = algebra_.find(target);
    if (!schema)
      return problem(path, "refers to " + target.substr(0, 200) + ", which is not known.",
                     "Refer to #, #/$defs/NAME or #/definitions/NAME of this schema.");
    const std::int32_t rule = it->second = builder_.addRule(target);
    pending_.push_back({schema, target, rule});
    return {Builder::ruleSymbol(rule)};
  }

  Sequence value(const Json& schema, Path path) {
    // A few references beside one another make many times as many values of a short schema.
    if (problem_ || builder_.tooLarge()) return {};
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

    if (schema.contains("allOf")) {
      // A rule of its own, as without allOf: such schemas, too, may contain themselves.
      if (const Json* target = onlyReference(schema))
        return reference(target->get<std::string>(), path);
      const auto merged = algebra_.merged(schema);
      if (!merged) return problem(path, merged.error().what, merged.error().remedy);
      return value(*merged, path);
    }
    for (const char* alone : {"$ref", "const", "enum", "anyOf", "oneOf"}) {
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
      if (!one.is_string()) return problem(path, "has a type that is not a string.", "Name types.");
      all.push_back(typed(schema, one.get<std::string>(), path, /*several=*/true));
    }
    return builder_.anyOf(all);
  }

  Sequence special(const Json& schema, const std::string& key, Path path) {
    const Json& what = schema[key];
    if (key == "const") return listed(schema, Json::array({what}), path);
    if (key == "$ref") {
      if (!what.is_string())
        return problem(path, "has a $ref that is not a string.", "Name a place.");
      return reference(what.get<std::string>(), path);
    }
    if (!what.is_array() || what.empty())
      return problem(path, "has " + key + " without a list.", "List at least one.");
    if (key == "enum") return listed(schema, what, path);
    if (key == "oneOf" && !areApart(what, path)) return {};
    std::vector<Sequence> all;
    for (std::size_t i = 0; i < what.size(); ++i)
      all.push_back(value(what[i], path + "/" + key + "/" + std::to_string(i)));
    return builder_.anyOf(all);
  }

  // Returns true if no value can meet two of the schemas: then oneOf means the same as anyOf.
  bool areApart(const Json& schemas, Path path) {
    if (schemas.size() > kMostAlternatives)
      problem(path, "has oneOf with " + std::to_string(schemas.size()) + " alternatives.",
              "List at most " + std::to_string(kMostAlternatives) + ", or use anyOf.");
    else if (const auto both = algebra_.overlap(schemas))
      problem(path,
              "has oneOf whose alternatives " + std::to_string(both->first) + " and " +
                  std::to_string(both->second) + " one value may meet both, as far as can be told.",
              "Use anyOf, or give each a type, or a required property, with values of its own.");
    return !problem_;
  }

  // Returns a sequence for the values that are of the schema's type, if it has one.
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

  // Returns the sequence for one type. If it is one among `several`, what the schema says of other
  // types does not matter.
  Sequence typed(const Json& schema, const std::string& type, Path path, bool several = false) {
    using Keys = std::vector<std::string_view>;
    static const std::map<std::string_view, Keys> kKeys = {
        {"string", {"minLength", "maxLength", "pattern", "format"}},
        {"array", {"items", "minItems", "maxItems"}},
        {"object", {"properties", "required", "additionalProperties"}},
        {"integer", {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}},
        {"number", {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}},
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
    if (type == "string") return string(schema, path);
    if (type == "array") {
      const auto [least, most] = bounds(schema, "minItems", "maxItems", path);
      const Sequence item =
          schema.contains("items") ? value(schema["items"], path + "/items") : json_.anyValue();
      return problem_ ? Sequence() : json_.array(item, least, most);
    }
    if (type == "object") return object(schema, path);
    if (type == "integer") return integer(schema, path);
    if (type == "boolean") return json_.boolean();
    if (type == "null") return json_.null();
    for (const std::string_view bound : kKeys.at("integer"))
      if (schema.contains(bound))
        return problem(path, "has \"" + std::string(bound) + "\" for the type number.",
                       "Bounds can be kept to for the type integer alone.");
    return json_.number();
  }

  Sequence string(const Json& schema, Path path) {
    const auto [least, most] = bounds(schema, "minLength", "maxLength", path);
    const bool sized = least > 0 || most != Builder::kNoLimit;
    const bool has[] = {sized, schema.contains("pattern"), schema.contains("format")};
    if (std::count(std::begin(has), std::end(has), true) > 1)
      return problem(path, "has several of length, pattern and format.",
                     "Say it all in one pattern.");
    if (!has[1] && !has[2]) return sized ? json_.string(least, most) : json_.anyString();
    const Json& what = schema[has[1] ? "pattern" : "format"];
    if (!what.is_string())
      return problem(path, "has a pattern or a format that is not a string.", "Send a string.");
    std::string pattern = what.get<std::string>();
    if (has[2]) {
      pattern = patternOfFormat(pattern);
      if (pattern.empty())
        return problem(path,
                       "has the format " + what.dump().substr(0, 80) + ", which is not known.",
                       "Known are " + std::string(kFormats) + ".");
    }
    const auto match = matchOf(builder_, json_, pattern);
    if (!match) return problem(path, match.error().what, match.error().remedy);
    return json_.quoted(*match);
  }

  Sequence integer(const Json& schema, Path path) {
    std::int64_t low = -JsonRules::kMostInteger, high = JsonRules::kMostInteger;
    bool bounded = false;
    const auto bound = [&](const char* key, std::int64_t& limit, int beyond) {
      if (!schema.contains(key)) return;
      bounded = true;
      const Json& number = schema[key];
      if (!number.is_number()) {
        problem(path, std::string("has ") + key + " that is not a number.", "Send a number.");
        return;
      }
      // A number beyond the largest integer counts as the first beyond it, which says as much.
      constexpr double kBeyond = static_cast<double>(JsonRules::kMostInteger) + 1;
      const double given = std::clamp(number.get<double>(), -kBeyond, kBeyond);
      // The first integer that it allows: itself, or the next one inwards.
      const bool isLow = &limit == &low;
      auto first = static_cast<std::int64_t>(isLow ? std::ceil(given) : std::floor(given));
      if (static_cast<double>(first) == given) first += beyond;
      limit = isLow ? std::max(limit, first) : std::min(limit, first);
    };
    bound("minimum", low, 0);
    bound("exclusiveMinimum", low, 1);
    bound("maximum", high, 0);
    bound("exclusiveMaximum", high, -1);
    if (problem_) return {};
    if (low > high)
      return problem(path,
                     "has bounds that no integer of " + std::to_string(JsonRules::kMostDigits) +
                         " digits meets.",
                     "Nothing is so.");
    return bounded ? json_.integerBetween(low, high) : json_.integer();
  }

  Sequence object(const Json& schema, Path path) {
    const Json none = Json::object(), nothing = Json::array();
    const Json& properties = schema.contains("properties") ? schema["properties"] : none;
    const Json& required = schema.contains("required") ? schema["required"] : nothing;
    if (!properties.is_object() || !required.is_array())
      return problem(path,
                     "has properties that are not an object, or a required that is not a list.",
                     "See JSON Schema.");
    const auto isRequired = [&](const std::string& name) {
      return std::find(required.begin(), required.end(), Json(name)) != required.end();
    };
    for (const Json& name : required)
      if (!name.is_string() || !properties.contains(name.get<std::string>()))
        return problem(
            path, "requires " + name.dump().substr(0, 80) + ", which is not among its properties.",
            "List it under properties.");
    if (properties.empty()) {
      const Json others = schema.value("additionalProperties", Json(true));
      if (others == Json(false)) return json_.braces({});
      const Sequence member = value(others, path + "/additionalProperties");
      return problem_ ? Sequence() : json_.object(member);
    }
    // The properties are joined from the last to the first: the sequence that follows when nothing
    // was written yet, and the one when something was.
    Sequence first, later;
    for (auto it = properties.end(); it != properties.begin();) {
      --it;
      const Sequence member =
          joined({builder_.literal(spelled(Json(it.key())) + ":"), json_.space(),
                  value(it.value(), path + "/properties/" + it.key())});
      if (problem_) return {};
      const Sequence comma = joined({builder_.literal(","), json_.space()});
      const Sequence here = builder_.group(joined({member, later}));
      const Sequence afterOthers = builder_.group(joined({comma, here}));
      const bool must = isRequired(it.key());
      first = must ? here : builder_.anyOf({here, first});
      later = must ? afterOthers : builder_.anyOf({afterOthers, later});
    }
    return json_.braces(first);
  }

  // Reads the bounds of a length; the upper one is kNoLimit if there is none.
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
      if (isNote(key)) continue;
      problem(path, "has \"" + key.substr(0, 80) + "\", which is not supported here.",
              "docs/protocol.md lists what is; leave it out and check the output yourself.");
    }
  }

  static std::string spelled(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  Builder& builder_;
  JsonRules& json_;
  SchemaAlgebra algebra_;
  std::optional<base::Error> problem_;
  std::map<std::string, std::int32_t> references_;
  std::vector<Pending> pending_;  // the root first
  int depth_ = 0;
};

}  // namespace

base::Result<Sequence> jsonSchemaValue(Builder& builder, JsonRules& json, std::string_view text) {
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
  return Converter(schema, builder, json).convert();
}

base::Result<Grammar> jsonSchemaGrammar(std::string_view schema) {
  Builder builder;
  JsonRules json(builder);
  const auto value = jsonSchemaValue(builder, json, schema);
  if (!value) return tl::unexpected(value.error());
  return builder.finish(value->front().index);
}

}  // namespace waferpair::grammar
