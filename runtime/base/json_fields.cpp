// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/base/json_fields.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace waferpair::base {
namespace {

// Messages need 4, the schemas in some of them more.
constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxId = 256;
constexpr std::size_t kMaxShown = 64;  // bytes of a name that nobody knows

const Json& emptyObject() {
  static const Json kEmpty = Json::object();
  return kEmpty;
}

const Json& emptyArray() {
  static const Json kEmpty = Json::array();
  return kEmpty;
}

// Returns true if braces and brackets outside of strings nest deeper than that. For a text that is
// not JSON it may say either.
bool isDeeper(std::string_view text, int most) {
  int depth = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\') ++i;
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > most) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

// Describes a value that is not as it should be. Texts are not shown: they may be anything.
std::string description(const Json& value) {
  if (value.is_number() || value.is_boolean()) return value.dump();
  if (value.is_string()) return "a string";
  return value.is_array() ? "an array" : "an object";
}

double nearestToZero(const Field& field) { return std::clamp(0.0, field.low, field.high); }

}  // namespace

Result<Json> parseJsonObject(std::string_view text, const std::string& subject) {
  // Depth is checked before anything is made of the text: each level costs an attacker's byte a
  // heap node.
  if (isDeeper(text, kMaxDepth))
    return fail(subject + " is nested more than " + std::to_string(kMaxDepth) + " levels deep.",
                "Nothing that is read here needs as many.");
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded())
    return fail(subject + " is not JSON.", "It should be one object in UTF-8; is it cut short?");
  if (!value.is_object())
    return fail(subject + " is not a JSON object.", "It should begin with { and name its fields.");
  return value;
}

JsonFields::JsonFields(const Json& object, std::string subject, std::string_view source)
    : object_(object.is_object() ? object : emptyObject()),
      subject_(std::move(subject)),
      source_(source) {
  if (!object.is_object())
    problem_ = FieldError{
        {(subject_.empty() ? "This" : subject_) + " is not an object.", "Write it as { ... }."},
        {}};
}

JsonFields::JsonFields(const Json& object, const JsonFields& whole, std::string path)
    : object_(object.is_object() ? object : emptyObject()),
      subject_(whole.subject_),
      path_(std::move(path)),
      source_(whole.source_) {}

const Json* JsonFields::valueOf(const char* name) const {
  const auto field = object_.find(name);
  return field == object_.end() || field->is_null() ? nullptr : &*field;
}

bool JsonFields::isNull(const Field& field) const {
  const auto found = object_.find(field.name);
  return found != object_.end() && found->is_null();
}

bool JsonFields::isText(const Field& field) const {
  const Json* value = valueOf(field.name);
  return value && value->is_string();
}

bool JsonFields::isArray(const Field& field) const {
  const Json* value = valueOf(field.name);
  return value && value->is_array();
}

void JsonFields::only(std::initializer_list<std::string_view> names) {
  for (const auto& item : object_.items()) {
    if (std::find(names.begin(), names.end(), item.key()) != names.end()) continue;
    std::string known;
    for (const std::string_view name : names) known.append(known.empty() ? "" : ", ").append(name);
    fail(std::string_view(item.key()).substr(0, kMaxShown), "is not known.",
         "Known are: " + known + ".");
    return;
  }
}

void JsonFields::fail(std::string_view name, const std::string& what, std::string remedy) {
  if (problem_) return;
  std::string field = path_ + std::string(name);
  const std::string subject = subject_.empty() ? std::string() : subject_ + ": ";
  problem_ = FieldError{{subject + field + " " + what, std::move(remedy)}, std::move(field)};
}

void JsonFields::failType(const Field& field, const Json& value, const char* wanted) {
  fail(field, "is " + description(value) + ".", std::string("Give ") + wanted + ".");
}

Result<void> JsonFields::check() const {
  if (problem_) return tl::unexpected<Error>(*problem_);
  return {};
}

const Json* JsonFields::find(const Field& field) {
  const Json* value = valueOf(field.name);
  if (!value && field.required) fail(field, "is missing.", "Add it.");
  return value;
}

std::string JsonFields::text(const Field& field) {
  const Json* value = find(field);
  if (!value) return {};
  if (!value->is_string()) {
    failType(field, *value, "a string");
    return {};
  }
  const auto& text = value->get_ref<const std::string&>();
  if (text.size() > field.bytes) {
    fail(field, "has " + std::to_string(text.size()) + " bytes.",
         "At most " + std::to_string(field.bytes) + " are allowed.");
    return {};
  }
  return text;
}

double JsonFields::number(const Field& field) {
  const Json* value = find(field);
  if (!value) return field.required ? nearestToZero(field) : field.fallback;
  const double number = value->is_number() ? value->get<double>() : NAN;
  if (field.holds(number)) return number;
  fail(field, "is " + description(*value) + ".", field.wantedNumber(/*whole=*/false));
  return nearestToZero(field);
}

std::int64_t JsonFields::integer(const Field& field) {
  const Json* value = find(field);
  const double missing = field.required ? nearestToZero(field) : field.fallback;
  if (!value) return static_cast<std::int64_t>(missing);
  const double number = value->is_number() ? value->get<double>() : NAN;
  if (field.holdsInteger(number)) return static_cast<std::int64_t>(number);
  fail(field, "is " + description(*value) + ".", field.wantedNumber(/*whole=*/true));
  return static_cast<std::int64_t>(nearestToZero(field));
}

bool JsonFields::boolean(const Field& field) {
  const Json* value = find(field);
  if (!value) return field.fallback != 0;
  if (value->is_boolean()) return value->get<bool>();
  failType(field, *value, "true or false");
  return field.fallback != 0;
}

Json JsonFields::id(const Field& field) {
  const Json* value = find(field);
  if (!value) return nullptr;
  if (value->is_string()) return text(Field{.name = field.name, .bytes = kMaxId});
  if (value->is_number()) return integer(Field{.name = field.name});
  failType(field, *value, "a whole number or a string");
  return nullptr;
}

const Json& JsonFields::list(const Field& field) {
  const Json* value = find(field);
  if (!value) return emptyArray();
  if (!value->is_array()) {
    failType(field, *value, "an array: [ ... ]");
    return emptyArray();
  }
  if (value->size() > field.most) {
    fail(field, "has " + std::to_string(value->size()) + " entries.",
         "Give at most " + std::to_string(field.most) + ".");
    return emptyArray();
  }
  return *value;
}

const Json& JsonFields::object(const Field& field) {
  const Json* value = find(field);
  if (!value) return emptyObject();
  if (value->is_object()) return *value;
  failType(field, *value, "an object: { ... }");
  return emptyObject();
}

JsonFields JsonFields::part(const Field& field) {
  return {object(field), *this, path_ + field.name + "."};
}

JsonFields JsonFields::entry(const Field& field, std::size_t index) {
  assert(isArray(field));
  const Json& value = object_[field.name].at(index);
  const std::string name = std::string(field.name) + "[" + std::to_string(index) + "]";
  if (!value.is_object())
    fail(name, "is " + (value.is_null() ? "null" : description(value)) + ".",
         "Give an object: { ... }.");
  return {value, *this, path_ + name + "."};
}

int JsonFields::integer(const char* name, int low, int high) {
  return static_cast<int>(
      integer(Field{.name = name, .required = true, .low = double(low), .high = double(high)}));
}

int JsonFields::integerOr(const char* name, int fallback, int low, int high) {
  return static_cast<int>(integer(
      Field{.name = name, .low = double(low), .high = double(high), .fallback = double(fallback)}));
}

double JsonFields::number(const char* name, double low, double high) {
  return number(Field{.name = name, .required = true, .low = low, .high = high});
}

bool JsonFields::booleanOr(const char* name, bool fallback) {
  return boolean(Field{.name = name, .fallback = fallback ? 1.0 : 0.0});
}

}  // namespace waferpair::base
