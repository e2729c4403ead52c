// SPDX-License-Identifier: GPL-3.0-or-later
// What templates can call from the start: Jinja's own, and what chat templates are given besides.
#include <algorithm>
#include <array>

#include "runtime/jinja/arguments.h"
#include "runtime/jinja/failure.h"
#include "runtime/jinja/interpreter.h"
#include "runtime/jinja/python_text.h"

namespace waferpair::jinja {
namespace {

Value range(Interpreter& interpreter, const Arguments& arguments) {
  const Bound bound("range()", arguments, {"start", "stop", "step"});
  const bool alone = !bound.has(1);
  if (!bound.has(0)) stop("range() lacks its argument");
  const std::int64_t from = alone ? 0 : bound.whole(0, 0);
  const std::int64_t end = bound.whole(alone ? 0 : 1, 0);
  const std::int64_t by = bound.whole(2, 1);
  constexpr std::int64_t kMost = 100'000;  // Jinja's sandbox allows no more
  constexpr std::int64_t kFarthest = std::int64_t{1} << 60;
  if (by == 0) stop("range() arg 3 must not be zero");
  if (std::max(std::abs(from), std::abs(end)) > kFarthest || std::abs(by) > kFarthest)
    stop("range(): a number is too large");
  std::vector<Value> numbers;
  for (std::int64_t at = from; by > 0 ? at < end : at > end; at += by) {
    if (static_cast<std::int64_t>(numbers.size()) >= kMost)
      stop("Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).");
    numbers.push_back(Value::integer(at));
  }
  interpreter.spend(numbers.size() * sizeof(Value));
  return Value::list(std::move(numbers));
}

Dict namedOf(const Arguments& arguments, const char* function) {
  Dict dict;
  if (arguments.positional.size() > 1) stop(std::string(function) + " takes one mapping at most");
  if (!arguments.positional.empty()) {
    const Value& given = arguments.positional[0];
    if (const Dict* other = given.asDict()) {
      dict = *other;
    } else {
      for (const Value& item : iterated(given)) {
        const std::vector<Value> pair = iterated(item);
        if (pair.size() != 2) stop(std::string(function) + " wants pairs of keys and values");
        dict.set(pair[0], pair[1]);
      }
    }
  }
  for (const auto& [name, value] : arguments.named) dict.set(name, value);
  return dict;
}

Value dict(Interpreter& interpreter, const Arguments& arguments) {
  Value made = Value::dict(namedOf(arguments, "dict()"));
  interpreter.spend(weightOf(made));
  return made;
}

Value makeNamespace(Interpreter& interpreter, const Arguments& arguments) {
  Dict values = namedOf(arguments, "namespace()");
  interpreter.spend(values.weight);
  return interpreter.newNamespace(std::move(values));
}

Value raiseException(Interpreter&, const Arguments& arguments) {
  const Bound bound("raise_exception()", arguments, {"message"});
  throw Failure{.what = pythonText(bound[0]).bytes(), .isRaised = true};
}

Value strftimeNow(Interpreter& interpreter, const Arguments& arguments) {
  const Bound bound("strftime_now()", arguments, {"format"});
  const std::string& format = bound.text(0).bytes();
  constexpr std::size_t kLongestFormat = 256;
  if (format.size() > kLongestFormat) stop("strftime_now(): the format is too long");
  if (format.empty()) return Value::text("");
  std::array<char, 4096> buffer{};
  const std::size_t size =
      std::strftime(buffer.data(), buffer.size(), format.c_str(), &interpreter.now());
  return Value::text(std::string(buffer.data(), size));
}

constexpr Builtin kBuiltins[] = {{"range", range},
                                 {"dict", dict},
                                 {"namespace", makeNamespace},
                                 {"raise_exception", raiseException},
                                 {"strftime_now", strftimeNow}};

}  // namespace

const Builtin* findBuiltin(std::string_view name) {
  const auto* found = std::ranges::find(kBuiltins, name, &Builtin::name);
  return found == std::end(kBuiltins) ? nullptr : found;
}

}  // namespace waferpair::jinja
