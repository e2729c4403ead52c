// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/jinja/json_value.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/jinja/failure.h"

namespace waferpair::jinja {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kDeepestJson = 64;

Value valueOf(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return Value::boolean(json.get<bool>());
    case Json::value_t::number_integer:
      return Value::integer(json.get<std::int64_t>());
    case Json::value_t::number_unsigned: {
      const auto number = json.get<std::uint64_t>();
      return number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                 ? Value::integer(static_cast<std::int64_t>(number))
                 : Value::real(static_cast<double>(number));
    }
    case Json::value_t::number_float:
      return Value::real(json.get<double>());
    case Json::value_t::string:
      return Value::text(json.get<std::string>(), Origin::kMessage);
    case Json::value_t::array: {
      std::vector<Value> items;
      for (const Json& item : json) items.push_back(valueOf(item));
      return Value::list(std::move(items));
    }
    case Json::value_t::object: {
      Dict dict;
      for (const auto& [key, entry] : json.items())
        dict.set(Value::text(key, Origin::kMessage), valueOf(entry));
      return Value::dict(std::move(dict));
    }
    default:
      return Value::none();
  }
}

}  // namespace

std::optional<Value> valueOfJson(std::string_view json) {
  bool tooDeep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    tooDeep = tooDeep || depth > kDeepestJson;
    return !tooDeep;
  };
  const Json parsed = Json::parse(json, watch, /*allow_exceptions=*/false);
  if (tooDeep || parsed.is_discarded()) return std::nullopt;
  try {
    return valueOf(parsed);
  } catch (const Failure&) {
    return std::nullopt;  // too large to be written
  }
}

}  // namespace waferpair::jinja
