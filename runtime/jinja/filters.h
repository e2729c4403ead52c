// SPDX-License-Identifier: GPL-3.0-or-later
// The filters and tests that templates know, and what these share with methods.
#pragma once

#include <string_view>

#include "runtime/jinja/interpreter.h"

namespace waferpair::jinja {

struct FilterEntry {
  std::string_view name;
  Value (*apply)(Interpreter& interpreter, const Value& value, const Arguments& arguments);
};
// Null: there is none of that name.
const FilterEntry* findFilter(std::string_view name);
const FilterEntry* findTextFilter(std::string_view name);
const FilterEntry* findListFilter(std::string_view name);

struct TestEntry {
  std::string_view name;
  bool (*isTrue)(Interpreter& interpreter, const Value& value, const Arguments& arguments);
};
const TestEntry* findTest(std::string_view name);

// At least one letter has a case, and all that have one have this.
bool isInCase(const Text& text, bool upper);
// replaced(), with what it makes counted first.
Value replacedWithin(Interpreter& interpreter, const Text& text, const Text& old, const Text& by,
                     std::int64_t most);
// The part of a value at "a.b.0"; undefined where it has none.
Value partAt(const Value& value, const Value& path);

}  // namespace waferpair::jinja
