// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/json_fields.h"

#include <cassert>
#include <cmath>

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

// Messages need 4, the schemas in some of them more.
constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxId = 256;

const Json& emptyArray() {
  static const Json empty = Json::array();
  return empty;
}

std::string range(const std::string& low, const std::string& high) {
  return "Send a number from " + low + " to " + high + ".";
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

}  // namespace

Checked<Json> parseJson(std::string_view text) {
  // Depth is checked before anything is made of the text: each level costs an attacker's byte a
  // heap node.
  if (isDeeper(text, kMaxDepth))
    return reject(protocol::error_code::kMalformedJson, "",
                  "The message is nested more than " + std::to_string(kMaxDepth) + " levels deep.",
                  "See docs/protocol.md for the form of each message.");
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded() || !value.is_object())
    return reject(protocol::error_code::kMalformedJson, "", "The message is not a JSON object.",
                  "Send one JSON object in UTF-8 a message.");
  return value;
}

JsonFields::JsonFields(const Json& object, std::string path, std::string_view source)
    : object_(object), path_(std::move(path)), source_(source) {
  if (!object.is_object())
    problem_ = Problem{std::string(protocol::error_code::kInvalidField),
                       path_.substr(0, path_.empty() ? 0 : path_.size() - 1),
                       path_ + " is not an object.", "See docs/protocol.md for its fields."};
}

bool JsonFields::has(const char* name) const {
  if (!object_.is_object()) return false;
  const auto field = object_.find(name);
  return field != object_.end() && !field->is_null();
}

void JsonFields::fail(std::string_view name, std::string message, std::string remedy) {
  if (problem_) return;
  std::string field = path_ + std::string(name);
  problem_ = Problem{std::string(protocol::error_code::kInvalidField), field,
                     field + " " + std::move(message), std::move(remedy)};
}

void JsonFields::adopt(const JsonFields& nested) {
  if (!problem_) problem_ = nested.problem_;
}

std::string JsonFields::text(const protocol::Field& field) {
  return field.required ? text(field.name, field.bytes) : textOr(field.name, field.bytes, {});
}

std::int64_t JsonFields::integer(const protocol::Field& field) {
  const auto low = static_cast<std::int64_t>(field.low);
  const auto high = static_cast<std::int64_t>(field.high);
  return field.required
             ? integer(field.name, low, high)
             : integerOr(field.name, low, high, static_cast<std::int64_t>(field.fallback));
}

double JsonFields::number(const protocol::Field& field) {
  return field.required ? number(field.name, field.low, field.high)
                        : numberOr(field.name, field.low, field.high, field.fallback);
}

bool JsonFields::boolean(const protocol::Field& field) {
  assert(!field.required);
  return booleanOr(field.name, field.fallback != 0);
}

Json JsonFields::id(const protocol::Field& field) {
  assert(field.required);
  return id(field.name);
}

const Json& JsonFields::list(const protocol::Field& field) {
  const Json& entries = array(field.name);
  if (entries.size() > field.most)
    fail(field, "has " + std::to_string(entries.size()) + " entries.",
         "Send at most " + std::to_string(field.most) + ".");
  return entries;
}

const Json* JsonFields::find(const char* name, const char* wanted) {
  if (has(name)) return &object_[name];
  fail(name, "is missing.", std::string("Send ") + wanted + ".");
  return nullptr;
}

std::string JsonFields::text(const char* name, std::size_t maxBytes) {
  const Json* field = find(name, "a string");
  if (!field) return {};
  if (!field->is_string()) {
    fail(name, std::string("is of type ") + field->type_name() + ".", "Send a string.");
    return {};
  }
  const auto& text = field->get_ref<const std::string&>();
  if (text.size() > maxBytes) {
    fail(name, "has " + std::to_string(text.size()) + " bytes.",
         "At most " + std::to_string(maxBytes) + " are allowed.");
    return {};
  }
  return text;
}

std::string JsonFields::textOr(const char* name, std::size_t maxBytes, std::string fallback) {
  return has(name) ? text(name, maxBytes) : std::move(fallback);
}

std::int64_t JsonFields::integer(const char* name, std::int64_t low, std::int64_t high) {
  const Json* field = find(name, "an integer");
  if (!field) return low;
  // Some writers know only floating-point numbers: 3.0 is as good as 3.
  const double value = field->is_number() ? field->get<double>() : NAN;
  if (!(std::trunc(value) == value)) {
    fail(name, std::string("is ") + (field->is_number() ? field->dump() : field->type_name()) + ".",
         "Send an integer.");
    return low;
  }
  if (value < static_cast<double>(low) || value > static_cast<double>(high)) {
    fail(name, "is " + field->dump() + ".", range(std::to_string(low), std::to_string(high)));
    return low;
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t JsonFields::integerOr(const char* name, std::int64_t low, std::int64_t high,
                                   std::int64_t fallback) {
  return has(name) ? integer(name, low, high) : fallback;
}

double JsonFields::number(const char* name, double low, double high) {
  const Json* field = find(name, "a number");
  if (!field) return low;
  const double value = field->is_number() ? field->get<double>() : NAN;
  if (!(value >= low && value <= high)) {
    fail(name, std::string("is ") + (field->is_number() ? field->dump() : field->type_name()) + ".",
         range(Json(low).dump(), Json(high).dump()));
    return low;
  }
  return value;
}

double JsonFields::numberOr(const char* name, double low, double high, double fallback) {
  return has(name) ? number(name, low, high) : fallback;
}

bool JsonFields::booleanOr(const char* name, bool fallback) {
  if (!has(name)) return fallback;
  const Json& field = object_[name];
  if (!field.is_boolean()) {
    fail(name, std::string("is of type ") + field.type_name() + ".", "Send true or false.");
    return fallback;
  }
  return field.get<bool>();
}

Json JsonFields::id(const char* name) {
  const Json* field = find(name, "an integer or a string");
  if (!field) return nullptr;
  if (field->is_string()) return text(name, kMaxId);
  if (field->is_number()) return integer(name, -kMaxInteger, kMaxInteger);
  fail(name, std::string("is of type ") + field->type_name() + ".", "Send an integer or a string.");
  return nullptr;
}

const Json& JsonFields::array(const char* name) {
  const Json* field = find(name, "an array");
  if (field && field->is_array()) return *field;
  if (field) fail(name, std::string("is of type ") + field->type_name() + ".", "Send an array.");
  return emptyArray();
}

const Json& JsonFields::object(const char* name) {
  static const Json kEmpty = Json::object();
  const Json* field = find(name, "an object");
  if (field && field->is_object()) return *field;
  if (field) fail(name, std::string("is of type ") + field->type_name() + ".", "Send an object.");
  return kEmpty;
}

}  // namespace waferpair::server
