// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/prompt_json.h"

#include <utility>

namespace waferpair::inference {
namespace {

constexpr int kMostDepth = 64;

void appendSpaced(std::string& out, const OrderedJson& value) {
  if (!value.is_structured()) {
    out += dumped(value);
    return;
  }
  const bool object = value.is_object();
  out += object ? '{' : '[';
  bool first = true;
  for (const auto& entry : value.items()) {
    if (!std::exchange(first, false)) out += ", ";
    if (object) out += quotedJson(entry.key()) + ": ";
    appendSpaced(out, entry.value());
  }
  out += object ? '}' : ']';
}

}  // namespace

OrderedJson parsedJson(std::string_view text) {
  bool tooDeep = false;
  const auto watch = [&](int depth, OrderedJson::parse_event_t, OrderedJson&) {
    tooDeep = tooDeep || depth > kMostDepth;
    return !tooDeep;
  };
  OrderedJson value = OrderedJson::parse(text, watch, /*allow_exceptions=*/false);
  return tooDeep ? OrderedJson(OrderedJson::value_t::discarded) : value;
}

std::string dumped(const OrderedJson& value) {
  return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string spacedJson(const OrderedJson& value) {
  std::string out;
  appendSpaced(out, value);
  return out;
}

std::string quotedJson(std::string_view text) { return dumped(OrderedJson(text)); }

}  // namespace waferpair::inference
