// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/machine/json_fields.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace waferpair::wafer {
namespace {

using Json = nlohmann::json;

// A value as it stands in the file, short enough for a message.
std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > 40) text = text.substr(0, 37) + "...";
  return text;
}

std::string shown(double value) {
  return shown(std::abs(value) < 1e15 && value == std::floor(value)
                   ? Json(static_cast<std::int64_t>(value))
                   : Json(value));
}

}  // namespace

JsonFields::JsonFields(const Json& object, std::string where)
    : object_(object), where_(std::move(where)) {}

base::Result<Json> JsonFields::parse(std::string_view text, const std::string& where) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    return base::fail(where + ": is not JSON.", "Check the file; it may be cut short.");
  }
  if (!json.is_object()) {
    return base::fail(where + ": the top of the file is not an object.",
                      "It should begin with { and name its fields.");
  }
  return json;
}

void JsonFields::only(std::initializer_list<std::string_view> keys) {
  for (const auto& [key, value] : object_.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::string known;
    for (std::string_view name : keys) known.append(known.empty() ? "" : ", ").append(name);
    setError("there is no field " + shown(Json(key)) + ".", "Known are: " + known + ".");
    return;
  }
}

bool JsonFields::has(const char* key) const {
  auto it = object_.find(key);
  return it != object_.end() && !it->is_null();
}

const Json* JsonFields::find(const char* key) {
  if (has(key)) return &*object_.find(key);
  setError(std::string("field \"") + key + "\" is missing.", "Add it.");
  return nullptr;
}

int JsonFields::integer(const char* key, int low, int high) {
  const Json* value = find(key);
  if (!value) return 0;
  // Unsigned numbers beyond 2^63 are whole numbers too: compare before narrowing.
  bool fits = value->is_number_unsigned() ? value->get<std::uint64_t>() <= std::uint64_t(high) &&
                                                std::int64_t(value->get<std::uint64_t>()) >= low
              : value->is_number_integer()
                  ? value->get<std::int64_t>() >= low && value->get<std::int64_t>() <= high
                  : false;
  if (!fits) {
    setError(std::string("field \"") + key + "\" is " + shown(*value) + ".",
             "It should be a whole number from " + std::to_string(low) + " to " +
                 std::to_string(high) + ".");
    return 0;
  }
  return value->get<int>();
}

int JsonFields::integerOr(const char* key, int fallback, int low, int high) {
  return has(key) ? integer(key, low, high) : fallback;
}

double JsonFields::number(const char* key, double low, double high) {
  const Json* value = find(key);
  if (!value) return 0;
  double number = value->is_number() ? value->get<double>() : NAN;
  if (!(number >= low && number <= high)) {
    setError(std::string("field \"") + key + "\" is " + shown(*value) + ".",
             "It should be a number from " + shown(low) + " to " + shown(high) + ".");
    return 0;
  }
  return number;
}

bool JsonFields::flagOr(const char* key, bool fallback) {
  if (!has(key)) return fallback;
  const Json& value = *object_.find(key);
  if (!value.is_boolean()) {
    setError(std::string("field \"") + key + "\" is " + shown(value) + ".",
             "It should be true or false.");
    return fallback;
  }
  return value.get<bool>();
}

std::string JsonFields::text(const char* key) {
  const Json* value = find(key);
  if (!value) return {};
  if (!value->is_string()) {
    setError(std::string("field \"") + key + "\" is " + shown(*value) + ".",
             "It should be a string.");
    return {};
  }
  return value->get<std::string>();
}

const Json& JsonFields::array(const char* key) {
  static const Json kEmpty = Json::array();
  const Json* value = find(key);
  if (value && value->is_array()) return *value;
  setError(std::string("field \"") + key + "\" is not a list.", "Write it as [ ... ].");
  return kEmpty;
}

const Json& JsonFields::object(const char* key) {
  static const Json kEmpty = Json::object();
  const Json* value = find(key);
  if (value && value->is_object()) return *value;
  setError(std::string("field \"") + key + "\" is not an object.", "Write it as { ... }.");
  return kEmpty;
}

void JsonFields::setError(std::string what, std::string remedy) {
  if (state_) state_ = base::fail(where_ + ": " + std::move(what), std::move(remedy));
}

void JsonFields::include(const JsonFields& part) {
  if (state_) state_ = part.state_;
}

base::Result<void> JsonFields::check() const { return state_; }

}  // namespace waferpair::wafer
