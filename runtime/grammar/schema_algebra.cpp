// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/schema_algebra.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <set>

namespace waferpair::grammar {
namespace {

using Json = SchemaJson;

constexpr std::size_t kMostParts = 64;  // of an allOf, those within it among them
constexpr int kMostReferences = 32;     // one behind the other
constexpr int kMostLooks = 10'000;
constexpr int kMostNested = 64;  // looks within one another
constexpr std::size_t kMostCopied = std::size_t{1} << 20;

bool contains(const Json& list, const Json& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

Json asList(const Json& value) { return value.is_array() ? value : Json::array({value}); }

// Returns the types that are in both lists; an integer counts as a number, too.
Json commonTypes(const Json& a, const Json& b) {
  Json both = Json::array();
  for (const Json& type : asList(a))
    if (contains(asList(b), type) || (type == "integer" && contains(asList(b), "number")))
      both.push_back(type);
  for (const Json& type : asList(b))
    if (type == "integer" && contains(asList(a), "number") && !contains(both, type))
      both.push_back(type);
  return both;
}

Json bothHold(const Json& a, const Json& b) {
  return a == b ? a : Json{{"allOf", Json::array({a, b})}};
}

// Returns what an object schema demands of a property that it does not name: true, false, or a
// schema.
Json ofOthers(const Json& schema) { return schema.value("additionalProperties", Json(true)); }

// The properties of both, as far as both allow them.
Json commonProperties(const Json& a, const Json& b) {
  const Json none = Json::object();
  const Json& ofA = a.contains("properties") ? a["properties"] : none;
  const Json& ofB = b.contains("properties") ? b["properties"] : none;
  Json all = Json::object();
  const auto add = [&](const std::string& name, const Json& one, const Json& other) {
    if (one == Json(false) || other == Json(false)) return;
    if (one == Json(true) || other == Json(true))
      all[name] = one == Json(true) ? other : one;
    else
      all[name] = bothHold(one, other);
  };
  for (const auto& [name, schema] : ofA.items())
    add(name, schema, ofB.contains(name) ? ofB[name] : ofOthers(b));
  for (const auto& [name, schema] : ofB.items())
    if (!ofA.contains(name)) add(name, schema, ofOthers(a));
  return all;
}

base::Result<Json> mergedTwo(const Json& a, const Json& b) {
  Json all = a;
  for (const char* key : {"properties", "required"}) {
    const bool list = std::string_view(key) == "required";
    for (const Json* one : {&a, &b})
      if (one->contains(key) && (list ? !(*one)[key].is_array() : !(*one)[key].is_object()))
        return base::fail(
            "has properties that are not an object, or a required that is not a list.",
            "See JSON Schema.");
  }
  if (a.contains("properties") || b.contains("properties"))
    all["properties"] = commonProperties(a, b);
  for (const auto& [key, value] : b.items()) {
    if (key == "properties" || (all.contains(key) && all[key] == value)) continue;
    if (!all.contains(key)) {
      all[key] = value;
      continue;
    }
    Json& here = all[key];
    if (key == "type") {
      here = commonTypes(here, value);
      if (here.empty()) return base::fail("has parts of different types.", "Nothing is so.");
    } else if (key == "required") {
      for (const Json& name : value)
        if (!contains(here, name)) here.push_back(name);
    } else if (key == "enum") {
      Json both = Json::array();
      for (const Json& one : asList(here))
        if (contains(asList(value), one)) both.push_back(one);
      here = std::move(both);
    } else if (key == "items") {
      here = bothHold(here, value);
    } else if (key == "additionalProperties") {
      if (here == Json(true) || value == Json(false))
        here = value;
      else if (value != Json(true) && here != Json(false))
        here = bothHold(here, value);
    } else if (here.is_number() && value.is_number() &&
               (key.starts_with("min") || key == "exclusiveMinimum")) {
      here = std::max(here, value);
    } else if (here.is_number() && value.is_number() &&
               (key.starts_with("max") || key == "exclusiveMaximum")) {
      here = std::min(here, value);
    } else {
      return base::fail("has allOf with \"" + key.substr(0, 80) +
                            "\" in several parts, which cannot be put together.",
                        "Write what they say together into one of them.");
    }
  }
  return all;
}

// The values in a schema, itself among them.
std::size_t valuesIn(const Json& schema) {
  std::size_t count = 1;
  if (schema.is_structured())
    for (const Json& value : schema) count += valuesIn(value);
  return count;
}

bool isOfTypes(const Json& value, const std::set<std::string>& types) {
  if (value.is_number()) return types.count("number") || types.count("integer");
  return types.count(value.type_name()) != 0;
}

double boundOf(const Json& schema, const char* key, double none) {
  const Json bound = schema.value(key, Json());
  return bound.is_number() ? bound.get<double>() : none;
}

// Every number of the one is below every one of the other.
bool isBelow(const Json& a, const Json& b) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const double most = boundOf(a, "maximum", kInfinite);
  const double below = boundOf(a, "exclusiveMaximum", kInfinite);
  const double least = boundOf(b, "minimum", -kInfinite);
  const double above = boundOf(b, "exclusiveMinimum", -kInfinite);
  return most < least || below <= least || most <= above || below <= above;
}

bool names(const Json& schema, const std::string& property) {
  return schema.contains("properties") && schema["properties"].is_object() &&
         schema["properties"].contains(property);
}

// No text for `a`, which has no allOf, has the property: texts have those that a schema names,
// where it names any.
bool neverHas(const Json& a, const std::string& property) {
  if (names(a, property)) return false;
  const bool namesSome = a.contains("properties") && !a["properties"].empty();
  return namesSome || ofOthers(a) == Json(false);
}

// A part of a JSON pointer in an address: ~1 and ~0 are / and ~, and any byte may be %XX.
std::string unescaped(std::string_view part) {
  std::string text;
  for (std::size_t i = 0; i < part.size(); ++i) {
    unsigned byte = 0;
    const char* const digits = part.data() + i + 1;
    if (part[i] == '%' && part.size() - i > 2 &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      text += static_cast<char>(byte);
      i += 2;
    } else {
      text += part[i];
    }
  }
  for (const auto& [escape, sign] : {std::pair("~1", '/'), std::pair("~0", '~')})
    for (std::size_t at = 0; (at = text.find(escape, at)) != text.npos; ++at)
      text.replace(at, 2, 1, sign);
  return text;
}

}  // namespace

const std::set<std::string>& jsonTypes() {
  static const std::set<std::string> kAll = {"string", "number", "integer", "boolean",
                                             "null",   "array",  "object"};
  return kAll;
}

bool isNote(std::string_view key) {
  constexpr std::string_view kNotes[] = {"title",       "description", "default",  "examples",
                                         "$schema",     "$id",         "$comment", "$defs",
                                         "definitions", "deprecated",  "readOnly", "writeOnly"};
  return std::find(std::begin(kNotes), std::end(kNotes), key) != std::end(kNotes);
}

std::set<std::string> typesOf(const SchemaJson& schema) {
  std::set<std::string> types;
  if (!schema.is_object() || !schema.contains("type")) return jsonTypes();
  for (const Json& type : asList(schema["type"]))
    if (type.is_string()) types.insert(type.get<std::string>());
  if (types.count("number")) types.insert("integer");
  return types;
}

SchemaJson valuesOf(const SchemaJson& schema) {
  if (!schema.is_object()) return nullptr;
  if (schema.contains("const")) return Json::array({schema["const"]});
  if (schema.contains("enum") && schema["enum"].is_array()) return schema["enum"];
  return nullptr;
}

void addDefinitions(SchemaJson& part, const SchemaJson& root) {
  for (const char* definitions : {"$defs", "definitions"})
    if (root.contains(definitions)) part[definitions] = root[definitions];
}

const SchemaJson* onlyReference(const SchemaJson& schema) {
  if (!schema.is_object()) return nullptr;
  auto only = schema.end();
  for (auto it = schema.begin(); it != schema.end(); ++it) {
    if (isNote(it.key())) continue;
    if (only != schema.end()) return nullptr;
    only = it;
  }
  if (only == schema.end()) return nullptr;
  if (only.key() == "$ref" && only->is_string()) return &*only;
  const bool onePart = only.key() == "allOf" && only->is_array() && only->size() == 1;
  return onePart ? onlyReference(only->front()) : nullptr;
}

const SchemaJson* SchemaAlgebra::find(const std::string& target) const {
  if (target == "#") return &root_;
  if (!target.starts_with("#/")) return nullptr;
  const Json* found = &root_;
  for (std::size_t at = 1; at != target.npos && found;) {
    const std::size_t end = target.find('/', at + 1);
    const std::string key = unescaped(std::string_view(target).substr(at + 1, end - at - 1));
    at = end;
    std::size_t index = 0;
    const auto number = std::from_chars(key.data(), key.data() + key.size(), index);
    if (found->is_object() && found->contains(key))
      found = &(*found)[key];
    else if (found->is_array() && number.ptr == key.data() + key.size() && index < found->size())
      found = &(*found)[index];
    else
      found = nullptr;
  }
  return found;
}

// The parts that must all hold, without allOf and references.
base::Result<void> SchemaAlgebra::collect(const Json& schema, std::vector<Json>& all, int depth) {
  if (schema.is_boolean() && schema.get<bool>()) return {};
  if (!schema.is_object())
    return base::fail("has a part of allOf that is neither an object nor true.",
                      "Send a schema that can be met.");
  if (depth > kMostReferences || all.size() >= kMostParts)
    return base::fail("has allOf with more than " + std::to_string(kMostParts) +
                          " parts, or parts that refer to themselves.",
                      "Write it with less.");
  if (auto counted = countCopy(schema); !counted) return counted;
  const std::size_t own = all.size();
  Json rest = Json::object();
  for (const auto& [key, value] : schema.items()) {
    if (isNote(key)) continue;
    if (key == "$ref") {
      const Json* target = value.is_string() ? find(value.get<std::string>()) : nullptr;
      if (!target)
        return base::fail("refers to " + value.dump().substr(0, 200) + ", which is not known.",
                          "Refer to a place in this schema: #, #/$defs/NAME, #/properties/NAME.");
      if (auto collected = collect(*target, all, depth + 1); !collected) return collected;
    } else if (key == "allOf") {
      if (!value.is_array() || value.empty())
        return base::fail("has allOf without a list.", "List at least one.");
      for (const Json& part : value)
        if (auto collected = collect(part, all, depth + 1); !collected) return collected;
    } else if (key == "const") {
      rest["enum"] = Json::array({value});
    } else {
      rest[key] = value;
    }
  }
  if (schema.contains("const") && schema.contains("enum"))
    return base::fail("has const beside enum.", "Leave one out.");
  if (!rest.empty())  // in front, so that properties keep the order in which they are read
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(own), std::move(rest));
  return {};
}

base::Result<void> SchemaAlgebra::countCopy(const Json& schema) {
  copied_ += valuesIn(schema);
  if (copied_ <= kMostCopied) return {};
  return base::fail("has allOf, which with those before it has too much to be put together.",
                    "Write it with less.");
}

base::Result<Json> SchemaAlgebra::merged(const Json& schema) {
  std::vector<Json> parts;
  if (auto collected = collect(schema, parts, 0); !collected)
    return tl::unexpected(collected.error());
  Json all = Json::object();
  for (const Json& part : parts) {
    if (auto counted = countCopy(all); !counted) return tl::unexpected(counted.error());
    auto both = mergedTwo(all, part);
    if (!both) return both;
    all = std::move(*both);
  }
  return all;
}

const Json& SchemaAlgebra::resolved(const Json& schema) const {
  const Json* found = &schema;
  for (int i = 0; i < kMostReferences && found->is_object() && found->contains("$ref") &&
                  !found->contains("allOf");
       ++i) {
    const Json& target = (*found)["$ref"];
    const Json* next = target.is_string() ? find(target.get<std::string>()) : nullptr;
    if (!next) break;
    found = next;
  }
  return *found;
}

// Returns the schema with its references and allOf resolved; null if its parts cannot be put
// together.
const Json& SchemaAlgebra::whole(const Json& schema) {
  const Json& found = resolved(schema);
  if (!found.is_object() || !found.contains("allOf")) return found;
  const auto [it, isNew] = merged_.try_emplace(&found);
  if (isNew)
    if (auto all = merged(found)) it->second = std::move(*all);
  return it->second;
}

std::optional<std::pair<std::size_t, std::size_t>> SchemaAlgebra::overlap(const Json& schemas) {
  merged_.clear();  // other schemas may lie where earlier ones lay
  for (std::size_t i = 0; i < schemas.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      looks_ = 0;
      if (!neverIs(schemas[j], schemas[i], 0) || !neverIs(schemas[i], schemas[j], 0))
        return std::pair(j, i);
    }
  }
  return std::nullopt;
}

// No text that is made for the first is valid for the second.
bool SchemaAlgebra::neverIs(const Json& first, const Json& second, int depth) {
  if (depth > kMostNested || ++looks_ > kMostLooks) return false;
  const Json& a = whole(first);
  const Json& b = whole(second);
  if (!a.is_object() || !b.is_object()) return false;
  for (const char* key : {"anyOf", "oneOf"}) {
    if (a.contains(key) && a[key].is_array())
      return std::all_of(a[key].begin(), a[key].end(),
                         [&](const Json& one) { return neverIs(one, b, depth + 1); });
    if (b.contains(key) && b[key].is_array())
      return std::all_of(b[key].begin(), b[key].end(),
                         [&](const Json& one) { return neverIs(a, one, depth + 1); });
  }
  const std::set<std::string> ofA = typesOf(a), ofB = typesOf(b);
  const Json values = valuesOf(a), others = valuesOf(b);
  if (values.is_array()) {
    return std::all_of(values.begin(), values.end(), [&](const Json& value) {
      return !isOfTypes(value, ofA) || !isOfTypes(value, ofB) ||
             (others.is_array() && !contains(others, value));
    });
  }
  if (others.is_array())
    return std::none_of(others.begin(), others.end(),
                        [&](const Json& value) { return isOfTypes(value, ofA); });
  std::vector<std::string> both;
  std::set_intersection(ofA.begin(), ofA.end(), ofB.begin(), ofB.end(), std::back_inserter(both));
  if (both.empty()) return true;
  if (both == std::vector<std::string>{"integer"} && ofA.size() == 1 && ofB.size() == 1)
    return isBelow(a, b) || isBelow(b, a);
  if (both != std::vector<std::string>{"object"}) return false;
  for (const Json& name : b.value("required", Json::array()))
    if (name.is_string() && neverHas(a, name.get<std::string>())) return true;
  for (const Json& required : a.value("required", Json::array())) {
    if (!required.is_string()) continue;
    const std::string name = required.get<std::string>();
    if (!names(b, name)) {
      if (ofOthers(b) == Json(false)) return true;
    } else if (names(a, name) && neverIs(a["properties"][name], b["properties"][name], depth + 1)) {
      return true;
    }
  }
  return false;
}

}  // namespace waferpair::grammar
