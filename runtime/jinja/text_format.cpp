// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/jinja/text_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

#include "runtime/jinja/failure.h"
#include "runtime/jinja/python_text.h"

namespace waferpair::jinja {
namespace {

constexpr int kMostDigits = 30;

std::string fixed(double number, int digits) {
  std::array<char, 400> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, number);
  return buffer.data();
}

// One value for %s, %d, %r, %f or %.2f.
Text converted(const Value& value, char kind, int digits) {
  switch (kind) {
    case 's':
      return pythonText(value);
    case 'r':
      return pythonRepr(value);
    case 'd':
    case 'i': {
      if (!isNumber(value)) stop("%d format: a number is required, not " + typeName(value));
      std::int64_t whole = 0;
      constexpr double kLargest = 9e18;
      if (!isWhole(value, whole)) {
        if (!(std::abs(asNumber(value)) < kLargest)) stop("%d format: the number is too large");
        whole = static_cast<std::int64_t>(asNumber(value));
      }
      return Text(std::to_string(whole));
    }
    case 'f':
      if (!isNumber(value)) stop("%f format: a number is required, not " + typeName(value));
      return Text(fixed(asNumber(value), digits));
    default:
      stop(std::string("the format %") + kind + " is not supported");
  }
}

}  // namespace

Text percentFormatted(Interpreter& interpreter, const Text& pattern, const Value& values) {
  std::vector<Value> all = {values};
  if (const List* list = values.asList(); list && list->kind == List::Kind::kTuple)
    all = list->items;
  std::size_t next = 0;
  const std::string& bytes = pattern.bytes();
  Text out;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t percent = std::min(bytes.find('%', at), bytes.size());
    out.append(pattern, at, percent - at);
    at = percent + 1;
    if (percent == bytes.size()) break;
    int digits = 6;
    if (at < bytes.size() && bytes[at] == '.') {
      const char* end = bytes.data() + bytes.size();
      const auto read = std::from_chars(bytes.data() + at + 1, end, digits);
      if (read.ec != std::errc() || digits > kMostDigits) stop("a format is not complete");
      at = static_cast<std::size_t>(read.ptr - bytes.data());
    }
    if (at >= bytes.size()) stop("a format is not complete");
    const char kind = bytes[at++];
    if (kind == '%') {
      out.append(pattern, percent, 1);
      continue;
    }
    if (next >= all.size()) stop("not enough arguments for format string");
    const Text more = converted(all[next++], kind, digits);
    interpreter.spend(more.size());
    out.append(more);
  }
  if (next < all.size() && !(all.size() == 1 && values.asDict()))
    stop("not all arguments converted during string formatting");
  return out;
}

Text braceFormatted(Interpreter& interpreter, const Text& pattern, const Arguments& values) {
  const std::string& bytes = pattern.bytes();
  std::size_t next = 0;
  Text out;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t brace = std::min(bytes.find_first_of("{}", at), bytes.size());
    out.append(pattern, at, brace - at);
    if (brace == bytes.size()) break;
    at = brace + 1;
    if (at < bytes.size() && bytes[at] == bytes[brace]) {
      out.append(pattern, brace, 1);
      ++at;
      continue;
    }
    const std::size_t end = bytes.find('}', at);
    if (bytes[brace] == '}' || end == std::string::npos) stop("a brace in a format is alone");
    std::string name = bytes.substr(at, end - at);
    at = end + 1;
    const bool isRepr = name.ends_with("!r");
    if (isRepr) name.resize(name.size() - 2);
    const Value* value = nullptr;
    std::size_t index = next;
    const bool isNumber =
        !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    if (isNumber) std::from_chars(name.data(), name.data() + name.size(), index);
    if (name.empty() || isNumber) {
      if (index < values.positional.size()) value = &values.positional[index];
      if (name.empty()) ++next;
    } else {
      for (const auto& [key, entry] : values.named)
        if (key == name) value = &entry;
    }
    if (!value) stop("the format {" + name + "} has no value, or is not supported");
    const Text more = isRepr ? pythonRepr(*value) : pythonText(*value);
    interpreter.spend(more.size());
    out.append(more);
  }
  return out;
}

}  // namespace waferpair::jinja
