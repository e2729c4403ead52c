// SPDX-License-Identifier: GPL-3.0-or-later
// What may stand behind `is`.
#include <algorithm>

#include "runtime/jinja/arguments.h"
#include "runtime/jinja/failure.h"
#include "runtime/jinja/filters.h"

namespace waferpair::jinja {
namespace {

using Is = bool (*)(const Value& value);

// A test of the value alone.
template <Is is>
bool alone(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("this test", arguments, {});
  return is(value);
}

// A test against another value.
template <bool (*is)(const Value& value, const Value& other)>
bool against(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound bound("this test", arguments, {"other"});
  return is(value, bound[0]);
}

bool isDefined(const Value& value) { return !value.isUndefined(); }
bool isNotDefined(const Value& value) { return value.isUndefined(); }
bool isNone(const Value& value) { return value.isNone(); }
bool isBoolean(const Value& value) { return value.asBoolean() != nullptr; }
bool isTruth(const Value& value) { return value.asBoolean() && *value.asBoolean(); }
bool isFalsehood(const Value& value) { return value.asBoolean() && !*value.asBoolean(); }
bool isInteger(const Value& value) { return value.asInteger() != nullptr; }
bool isReal(const Value& value) { return value.asReal() != nullptr; }
bool isText(const Value& value) { return value.asText() != nullptr; }
bool isMapping(const Value& value) { return value.asDict() != nullptr; }
bool isCallable(const Value& value) {
  return value.asMacro() || value.asMethod() || value.asBuiltin() || value.isUndefined();
}
bool isIterable(const Value& value) {
  return value.isUndefined() || value.asText() || value.asList() || value.asDict() ||
         value.asLoop();
}
bool isSequence(const Value& value) {
  const List* list = value.asList();
  return value.isUndefined() || value.asText() || value.asDict() ||
         (list && list->kind != List::Kind::kGenerator);
}
bool isUpper(const Value& value) { return value.asText() && isInCase(*value.asText(), true); }
bool isLower(const Value& value) { return value.asText() && isInCase(*value.asText(), false); }

std::int64_t wholeIn(const Value& value) {
  std::int64_t whole = 0;
  if (!isWhole(value, whole)) stop("an integer is wanted, not " + typeName(value));
  return whole;
}
bool isOdd(const Value& value) { return wholeIn(value) % 2 != 0; }
bool isEven(const Value& value) { return wholeIn(value) % 2 == 0; }

bool divides(const Value& value, const Value& by) {
  const std::int64_t divisor = wholeIn(by);
  if (divisor == 0) stop("division by zero");
  return divisor == -1 || wholeIn(value) % divisor == 0;
}

bool isUnequal(const Value& value, const Value& other) { return !areEqual(value, other); }
bool isLess(const Value& value, const Value& other) { return compared(value, other) < 0; }
bool isAtMost(const Value& value, const Value& other) { return compared(value, other) <= 0; }
bool isMore(const Value& value, const Value& other) { return compared(value, other) > 0; }
bool isAtLeast(const Value& value, const Value& other) { return compared(value, other) >= 0; }
bool isIn(const Value& value, const Value& other) { return contains(other, value); }
bool isSame(const Value& value, const Value& other) {
  return typeName(value) == typeName(other) && areEqual(value, other);
}

bool isFilterName(const Value& value) {
  return value.asText() && findFilter(value.asText()->bytes());
}
bool isTestName(const Value& value) { return value.asText() && findTest(value.asText()->bytes()); }

constexpr TestEntry kTests[] = {
    {"defined", alone<isDefined>},
    {"undefined", alone<isNotDefined>},
    {"none", alone<isNone>},
    {"boolean", alone<isBoolean>},
    {"true", alone<isTruth>},
    {"false", alone<isFalsehood>},
    {"integer", alone<isInteger>},
    {"float", alone<isReal>},
    {"number", alone<isNumber>},
    {"string", alone<isText>},
    {"mapping", alone<isMapping>},
    {"iterable", alone<isIterable>},
    {"sequence", alone<isSequence>},
    {"callable", alone<isCallable>},
    {"upper", alone<isUpper>},
    {"lower", alone<isLower>},
    {"odd", alone<isOdd>},
    {"even", alone<isEven>},
    {"filter", alone<isFilterName>},
    {"test", alone<isTestName>},
    {"divisibleby", against<divides>},
    {"equalto", against<areEqual>},
    {"eq", against<areEqual>},
    {"==", against<areEqual>},
    {"ne", against<isUnequal>},
    {"!=", against<isUnequal>},
    {"lt", against<isLess>},
    {"lessthan", against<isLess>},
    {"<", against<isLess>},
    {"le", against<isAtMost>},
    {"<=", against<isAtMost>},
    {"gt", against<isMore>},
    {"greaterthan", against<isMore>},
    {">", against<isMore>},
    {"ge", against<isAtLeast>},
    {">=", against<isAtLeast>},
    {"in", against<isIn>},
    {"sameas", against<isSame>},
};

}  // namespace

const TestEntry* findTest(std::string_view name) {
  const auto* found = std::ranges::find(kTests, name, &TestEntry::name);
  return found == std::end(kTests) ? nullptr : found;
}

}  // namespace waferpair::jinja
