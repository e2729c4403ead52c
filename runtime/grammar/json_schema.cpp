// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/json_schema.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "runtime/grammar/json_rules.h"
#include "runtime/grammar/number_rules.h"
#include "runtime/grammar/pattern.h"
#include "runtime/grammar/schema_algebra.h"
#include "runtime/grammar/schema_value.h"

namespace waferpair::grammar {
namespace {

using Json = SchemaJson;

constexpr int kMaxNesting = 64;
constexpr std::size_t kMostAlternatives = 64;  // of oneOf, each of which is held against the others
constexpr std::size_t kMostLeftOut = 64;
constexpr std::int64_t kMostListed = 256;  // numbers that are written out one by one

// The type of what a schema without one speaks of.
const char* impliedType(const Json& schema) {
  constexpr std::pair<const char*, const char*> kHints[] = {
      {"properties", "object"},        {"required", "object"}, {"additionalProperties", "object"},
      {"patternProperties", "object"}, {"items", "array"},     {"prefixItems", "array"},
      {"minItems", "array"},           {"pattern", "string"},  {"minLength", "string"},
      {"maxLength", "string"},         {"minimum", "number"},  {"maximum", "number"},
      {"multipleOf", "number"}};
  for (const auto& [key, type] : kHints)
    if (schema.contains(key)) return type;
  return nullptr;
}

class Converter {
 public:
  // With `leftOut` what cannot be kept to is left out, and named there: "#/properties/a: not".
  Converter(const Json& root, Builder& builder, JsonRules& json, std::vector<std::string>* leftOut)
      : builder_(builder), json_(json), algebra_(root), leftOut_(leftOut) {}

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

  // Whether that is left out rather than a problem.
  bool leavesOut(Path path, std::string_view what) {
    if (!leftOut_) return false;
    std::string told = path + ": " + std::string(what.substr(0, 80));
    if (leftOut_->size() < kMostLeftOut &&
        std::find(leftOut_->begin(), leftOut_->end(), told) == leftOut_->end())
      leftOut_->push_back(std::move(told));
    return true;
  }

  // A schema that is referred to becomes a rule of its own, filled in later, since schemas may
  // contain themselves.
  Sequence reference(const std::string& target, Path path) {
    const auto [it, isNew] = references_.try_emplace(target);
    if (!isNew) return {Builder::ruleSymbol(it->second)};
    const Json* schema = algebra_.find(target);
    const std::int32_t rule = it->second = builder_.addRule(target);
    if (!schema && leavesOut(path, "$ref")) {
      builder_.addAlternative(rule, json_.anyValue());
      return {Builder::ruleSymbol(rule)};
    }
    if (!schema)
      return problem(path, "refers to " + target.substr(0, 200) + ", which is not known.",
                     "Refer to a place in this schema: #, #/$defs/NAME, #/properties/NAME.");
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
    if (depth_ > kMaxNesting && leavesOut(path, "all that is nested more deeply"))
      return json_.anyValue();
    if (depth_ > kMaxNesting)
      return problem(path, "is nested too deeply.",
                     "At most " + std::to_string(kMaxNesting) + " levels are read; use $ref.");

    if (schema.contains("nullable")) return nullable(schema, path);
    if (schema.contains("allOf")) {
      // A rule of its own, as without allOf: such schemas, too, may contain themselves.
      if (const Json* target = onlyReference(schema))
        return reference(target->get<std::string>(), path);
      const auto merged = algebra_.merged(schema);
      if (!merged && leavesOut(path, "allOf")) return json_.anyValue();
      if (!merged) return problem(path, merged.error().what, merged.error().remedy);
      return value(*merged, path);
    }
    for (const char* alone : {"$ref", "const", "enum", "anyOf", "oneOf"}) {
      if (!schema.contains(alone)) continue;
      // Beside these, further conditions have to hold at the same time; of listed values only the
      // type is looked at.
      const bool listed = std::string_view(alone) == "const" || std::string_view(alone) == "enum";
      if (!listed)
        if (const auto both = combined(schema, alone)) return value(*both, path);
      allowOnly(schema, path, {alone, listed ? "type" : alone});
      if (problem_) return {};
      return special(schema, alone, path);
    }
    if (!schema.contains("type")) {
      if (const char* type = impliedType(schema)) return typed(schema, type, path);
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

  // OpenAPI's way to allow null as well.
  Sequence nullable(const Json& schema, Path path) {
    Json rest = schema;
    rest.erase("nullable");
    const Sequence given = value(rest, path);
    return schema["nullable"] == Json(true) ? builder_.anyOf({given, json_.null()}) : given;
  }

  // The schema of $ref, anyOf or oneOf with what stands beside it taken into each alternative;
  // nothing where only notes do, or it cannot be put together.
  std::optional<Json> combined(const Json& schema, const std::string& key) {
    Json rest = Json::object();
    for (const auto& [name, what] : schema.items())
      if (name != key && !isNote(name)) rest[name] = what;
    if (rest.empty()) return std::nullopt;
    if (key == "$ref") {
      auto both = algebra_.merged({{"allOf", Json::array({Json{{"$ref", schema[key]}}, rest})}});
      return both ? std::optional(std::move(*both)) : std::nullopt;
    }
    if (!schema[key].is_array()) return std::nullopt;
    Json all = Json::array();
    for (const Json& one : schema[key])
      if (auto both = algebra_.merged({{"allOf", Json::array({one, rest})}}))
        all.push_back(std::move(*both));
    if (all.empty()) return std::nullopt;
    return Json{{key, std::move(all)}};
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
    const bool isTooMuch = schemas.size() > kMostAlternatives;
    if (leftOut_) {
      if (isTooMuch || algebra_.overlap(schemas)) leavesOut(path, "oneOf, read as anyOf");
      return true;
    }
    if (isTooMuch)
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
        {"array", {"items", "prefixItems", "additionalItems", "minItems", "maxItems"}},
        {"object", {"properties", "required", "additionalProperties"}},
        {"integer", {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}},
        {"number", {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}},
        {"boolean", {}},
        {"null", {}}};
    const auto known = kKeys.find(type);
    if (known == kKeys.end() && leavesOut(path, "type " + type)) return json_.anyValue();
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
    if (type == "array") return array(schema, path);
    if (type == "object") return object(schema, path);
    if (type == "integer") return integer(schema, path);
    if (type == "boolean") return json_.boolean();
    if (type == "null") return json_.null();
    return number(schema, path);
  }

  // What an array begins with may have schemas of its own: prefixItems, or items that are a list.
  // All of that is always written.
  Sequence array(const Json& schema, Path path) {
    const Json anything = true;
    const auto [least, most] = bounds(schema, "minItems", "maxItems", path);
    const bool isOlder = schema.contains("items") && schema["items"].is_array();
    const char* const first = isOlder ? "items" : "prefixItems";
    const char* const behind = isOlder ? "additionalItems" : "items";
    const Json& others = schema.contains(behind) ? schema[behind] : anything;
    if (!schema.contains(first)) {
      const Sequence item = value(others, path + "/items");
      return problem_ ? Sequence() : json_.array(item, least, most);
    }
    std::vector<Sequence> parts;
    const Sequence comma = joined({builder_.literal(","), json_.space()});
    int count = 0;
    for (const Json& one : schema[first]) {
      if (most != Builder::kNoLimit && count >= most) break;
      if (count > 0) parts.push_back(comma);
      parts.push_back(value(one, path + "/" + first + "/" + std::to_string(count++)));
    }
    const bool mayGoOn = others != Json(false) && (most == Builder::kNoLimit || most > count);
    if (mayGoOn && count > 0 && (schema.contains(behind) || least > count)) {
      const Sequence other = joined({comma, value(others, path + "/" + behind)});
      parts.push_back(builder_.repeat(other, std::max(0, least - count),
                                      most == Builder::kNoLimit ? most : most - count));
    }
    if (problem_) return {};
    return joined({builder_.literal("["), json_.space(), joined(parts), json_.space(),
                   builder_.literal("]")});
  }

  Sequence string(const Json& schema, Path path) {
    const auto [least, most] = bounds(schema, "minLength", "maxLength", path);
    const bool sized = least > 0 || most != Builder::kNoLimit;
    const bool has[] = {sized, schema.contains("pattern"), schema.contains("format")};
    for (const char* key : {"pattern", "format"})
      if (schema.contains(key) && !schema[key].is_string())
        return problem(path, "has a pattern or a format that is not a string.", "Send a string.");
    if (sized && (has[1] || has[2]) && !leavesOut(path, "length"))
      return problem(path, "has several of length, pattern and format.",
                     "Say it all in one pattern.");
    const std::string format =
        has[2] ? patternOfFormat(schema["format"].get<std::string>()) : std::string();
    if (has[1]) {
      // Validators take a format for a remark, and whoever writes both means the same with them.
      const auto match = matchOf(builder_, json_, schema["pattern"].get<std::string>());
      if (match) return json_.quoted(*match);
      if (format.empty() && !leavesOut(path, "pattern"))
        return problem(path, match.error().what, match.error().remedy);
      if (!format.empty()) leavesOut(path, "pattern, but for its format");
    } else if (has[2] && format.empty() && !leavesOut(path, "format")) {
      return problem(
          path, "has the format " + schema["format"].dump().substr(0, 80) + ", which is not known.",
          "Known are " + std::string(kFormats) + ".");
    }
    if (!format.empty())
      if (const auto match = matchOf(builder_, json_, format)) return json_.quoted(*match);
    return sized ? json_.string(least, most) : json_.anyString();
  }

  // The bounds of a number, or of an integer.
  NumberBounds numberBounds(const Json& schema, Path path) {
    NumberBounds read;
    const auto bound = [&](const char* key, auto take) {
      if (!schema.contains(key)) return;
      if (schema[key].is_number())
        take(schema[key].get<double>());
      else if (!leavesOut(path, key))
        problem(path, std::string("has ") + key + " that is not a number.", "Send a number.");
    };
    bound("minimum", [&](double given) { read.atLeast(given, false); });
    bound("exclusiveMinimum", [&](double given) { read.atLeast(given, true); });
    bound("maximum", [&](double given) { read.atMost(given, false); });
    bound("exclusiveMaximum", [&](double given) { read.atMost(given, true); });
    return read;
  }

  Sequence number(const Json& schema, Path path) {
    const NumberBounds bounds = numberBounds(schema, path);
    if (problem_) return {};
    if (schema.contains("multipleOf")) return multiples(schema, bounds, path);
    constexpr NumberBounds kNone;
    if (bounds.low == kNone.low && bounds.high == kNone.high) return json_.number();
    if (const auto between = numberBetween(builder_, json_, bounds)) return *between;
    if (leavesOut(path, "minimum and maximum")) return json_.number();
    return problem(path, "has bounds that no number of 15 digits meets.", "Nothing is so.");
  }

  // Of the numbers between the bounds those that are whole multiples.
  Sequence multiples(const Json& schema, const NumberBounds& bounds, Path path) {
    const Json& given = schema["multipleOf"];
    const double of = given.is_number() ? given.get<double>() : 0;
    const auto whole = static_cast<std::int64_t>(std::clamp(of, 0.0, 1e15));
    if (whole >= 1 && static_cast<double>(whole) == of) {
      if (bounds.low == NumberBounds().low && bounds.high == NumberBounds().high)
        if (const auto all = multiplesOf(builder_, whole)) return *all;
      const double first = std::ceil(bounds.low / of), last = std::floor(bounds.high / of);
      if (last - first < static_cast<double>(kMostListed)) {
        std::vector<Sequence> all;
        for (double i = first; i <= last; ++i) {
          const bool isOut = (bounds.aboveLow && i * of == bounds.low) ||
                             (bounds.belowHigh && i * of == bounds.high);
          if (!isOut)
            all.push_back(builder_.literal(std::to_string(static_cast<std::int64_t>(i * of))));
        }
        if (!all.empty()) return builder_.anyOf(all);
      }
    }
    Json rest = schema;
    rest.erase("multipleOf");
    if (leavesOut(path, "multipleOf"))
      return schema.value("type", Json()) == "integer" ? integer(rest, path) : number(rest, path);
    return problem(path, "has \"multipleOf\" " + given.dump().substr(0, 40) + ".",
                   "Whole numbers up to " + std::to_string(kMostMultiple) +
                       " can be kept to where there are no bounds, or few multiples between them.");
  }

  Sequence integer(const Json& schema, Path path) {
    const NumberBounds bounds = numberBounds(schema, path);
    if (problem_) return {};
    if (schema.contains("multipleOf")) return multiples(schema, bounds, path);
    constexpr NumberBounds kNone;
    if (bounds.low == kNone.low && bounds.high == kNone.high) return json_.integer();
    // The first integers that they allow: themselves, or the next ones inwards. A bound beyond the
    // largest integer counts as the first beyond it, which says as much.
    constexpr double kBeyond = static_cast<double>(JsonRules::kMostInteger) + 1;
    const double from = std::clamp(bounds.low, -kBeyond, kBeyond);
    const double to = std::clamp(bounds.high, -kBeyond, kBeyond);
    auto low = static_cast<std::int64_t>(std::ceil(from));
    auto high = static_cast<std::int64_t>(std::floor(to));
    if (bounds.aboveLow && static_cast<double>(low) == from) ++low;
    if (bounds.belowHigh && static_cast<double>(high) == to) --high;
    low = std::max(low, -JsonRules::kMostInteger);
    high = std::min(high, JsonRules::kMostInteger);
    if (low <= high) return json_.integerBetween(low, high);
    if (leavesOut(path, "minimum and maximum")) return json_.integer();
    return problem(path,
                   "has bounds that no integer of " + std::to_string(JsonRules::kMostDigits) +
                       " digits meets.",
                   "Nothing is so.");
  }

  Sequence object(const Json& schema, Path path) {
    const Json none = Json::object(), nothing = Json::array();
    Json properties = schema.contains("properties") ? schema["properties"] : none;
    const Json& required = schema.contains("required") ? schema["required"] : nothing;
    if (!properties.is_object() || !required.is_array())
      return problem(path,
                     "has properties that are not an object, or a required that is not a list.",
                     "See JSON Schema.");
    const auto isRequired = [&](const std::string& name) {
      return std::find(required.begin(), required.end(), Json(name)) != required.end();
    };
    // What is required and not described is as others are.
    Json others = schema.value("additionalProperties", Json(true));
    for (const Json& name : required) {
      if (name.is_string() && properties.contains(name.get<std::string>())) continue;
      if (!name.is_string() || others == Json(false)) {
        if (leavesOut(path, "required " + name.dump())) continue;
        return problem(
            path, "requires " + name.dump().substr(0, 80) + ", which is not among its properties.",
            "List it under properties.");
      }
      properties[name.get<std::string>()] = others;
    }
    if (properties.empty()) {
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
      if (leavesOut(path, key)) return fallback;
      problem(path, std::string("has ") + key + " " + number.dump().substr(0, 40) + ".",
              "Whole numbers up to " + std::to_string(Builder::kMaxRepeat) + " can be kept to.");
      return fallback;
    };
    const int least = read(low, 0), most = read(high, Builder::kNoLimit);
    if (most != Builder::kNoLimit && most < least && leavesOut(path, high))
      return {least, Builder::kNoLimit};
    if (most != Builder::kNoLimit && most < least)
      problem(path, std::string("has ") + high + " below " + low + ".", "Nothing is so.");
    return {least, most};
  }

  void allowOnly(const Json& schema, Path path, const std::vector<std::string_view>& keys) {
    for (const auto& entry : schema.items()) {
      const std::string& key = entry.key();
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
      if (isNote(key) || leavesOut(path, key)) continue;
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
  std::vector<std::string>* leftOut_;
  int depth_ = 0;
};

}  // namespace

base::Result<Sequence> jsonSchemaValue(Builder& builder, JsonRules& json, std::string_view text,
                                       std::vector<std::string>* leftOut) {
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
  return Converter(schema, builder, json, leftOut).convert();
}

base::Result<Grammar> jsonSchemaGrammar(std::string_view schema,
                                        std::vector<std::string>* leftOut) {
  Builder builder;
  JsonRules json(builder);
  const auto value = jsonSchemaValue(builder, json, schema, leftOut);
  if (!value) return tl::unexpected(value.error());
  return builder.finish(value->front().index);
}

}  // namespace waferpair::grammar
