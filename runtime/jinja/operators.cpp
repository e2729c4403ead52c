// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/jinja/failure.h"
#include "runtime/jinja/interpreter.h"
#include "runtime/jinja/text_format.h"

namespace waferpair::jinja {
namespace {

constexpr std::size_t kLongestProduct = std::size_t{16} << 20;

[[noreturn]] void stopOperands(const std::string& op, const Value& a, const Value& b) {
  if (a.isUndefined()) stopUndefined(a);
  if (b.isUndefined()) stopUndefined(b);
  stop("unsupported operand types for " + op + ": '" + typeName(a) + "' and '" + typeName(b) + "'");
}

std::int64_t floorQuotient(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// Returns false where the result is too large.
bool wholePower(std::int64_t base, std::int64_t exponent, std::int64_t& result) {
  result = 1;
  if (base == 0 || base == 1) {
    result = exponent == 0 ? 1 : base;
    return true;
  }
  if (base == -1) {
    result = exponent % 2 == 0 ? 1 : -1;
    return true;
  }
  for (std::int64_t i = 0; i < exponent; ++i)
    if (__builtin_mul_overflow(result, base, &result)) return false;
  return true;
}

Value wholeOperation(const std::string& op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  bool overflows = false;
  if (op == "+") {
    overflows = __builtin_add_overflow(a, b, &result);
  } else if (op == "-") {
    overflows = __builtin_sub_overflow(a, b, &result);
  } else if (op == "*") {
    overflows = __builtin_mul_overflow(a, b, &result);
  } else if (op == "**") {
    if (b < 0) return Value::real(std::pow(static_cast<double>(a), static_cast<double>(b)));
    overflows = !wholePower(a, b, result);
  } else {
    if (b == 0) stop("division by zero");
    if (op == "/") return Value::real(static_cast<double>(a) / static_cast<double>(b));
    if (b == -1) {
      overflows = op == "//" && __builtin_sub_overflow(std::int64_t{0}, a, &result);
    } else {
      const std::int64_t quotient = floorQuotient(a, b);
      result = op == "//" ? quotient : a - quotient * b;
    }
  }
  if (overflows) stop("a number is too large");
  return Value::integer(result);
}

Value realOperation(const std::string& op, double a, double b) {
  if (op == "+") return Value::real(a + b);
  if (op == "-") return Value::real(a - b);
  if (op == "*") return Value::real(a * b);
  if (op == "**") return Value::real(std::pow(a, b));
  if (b == 0) stop("division by zero");
  if (op == "/") return Value::real(a / b);
  const double quotient = std::floor(a / b);
  return Value::real(op == "//" ? quotient : a - quotient * b);
}

Value repeated(Interpreter& interpreter, const Value& value, std::int64_t times) {
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(times, 0));
  const std::size_t weight = weightOf(value);
  if (count > kLongestProduct / weight)
    stop("a text or list, repeated so often, is longer than " +
         std::to_string(kLongestProduct >> 20) + " MiB");
  interpreter.spend(weight * count);
  if (const Text* text = value.asText()) {
    Text all;
    for (std::size_t i = 0; i < count; ++i) all.append(*text);
    return Value::text(std::move(all));
  }
  std::vector<Value> items;
  for (std::size_t i = 0; i < count; ++i)
    items.insert(items.end(), value.asList()->items.begin(), value.asList()->items.end());
  return value.asList()->kind == List::Kind::kTuple ? Value::tuple(std::move(items))
                                                    : Value::list(std::move(items));
}

bool isRepeatable(const Value& value) {
  return value.asText() || (value.asList() && value.asList()->kind != List::Kind::kGenerator);
}

}  // namespace

Value binaryOf(Interpreter& interpreter, const std::string& op, const Value& a, const Value& b) {
  std::int64_t x = 0, y = 0;
  if (isNumber(a) && isNumber(b)) {
    if (isWhole(a, x) && isWhole(b, y)) return wholeOperation(op, x, y);
    return realOperation(op, asNumber(a), asNumber(b));
  }
  if (op == "+" && a.asText() && b.asText()) {
    interpreter.spend(a.asText()->size() + b.asText()->size());
    Text sum = *a.asText();
    sum.append(*b.asText());
    return Value::text(std::move(sum));
  }
  if (op == "+" && a.asList() && b.asList() && a.asList()->kind == b.asList()->kind &&
      a.asList()->kind != List::Kind::kGenerator) {
    interpreter.spend(16 * (a.asList()->items.size() + b.asList()->items.size()));
    std::vector<Value> items = a.asList()->items;
    items.insert(items.end(), b.asList()->items.begin(), b.asList()->items.end());
    return a.asList()->kind == List::Kind::kTuple ? Value::tuple(std::move(items))
                                                  : Value::list(std::move(items));
  }
  if (op == "*" && isRepeatable(a) && isWhole(b, y)) return repeated(interpreter, a, y);
  if (op == "*" && isRepeatable(b) && isWhole(a, x)) return repeated(interpreter, b, x);
  if (op == "%" && a.asText()) return Value::text(percentFormatted(interpreter, *a.asText(), b));
  stopOperands(op, a, b);
}

}  // namespace waferpair::jinja
