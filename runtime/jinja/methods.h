// SPDX-License-Identifier: GPL-3.0-or-later
// Methods of texts, lists and dictionaries. Those that would change their object are refused, as
// Jinja's immutable sandbox refuses them.
#pragma once

#include <string_view>

#include "runtime/jinja/interpreter.h"

namespace waferpair::jinja {

struct MethodEntry {
  std::string_view name;
  // Null: it would change its object.
  Value (*call)(Interpreter& interpreter, const Value& self, const Arguments& arguments);
};

// Null where values of that kind have no such method.
const MethodEntry* findMethod(const Value& self, std::string_view name);
const MethodEntry* findTextMethod(std::string_view name);
Value callMethod(Interpreter& interpreter, const Method& method, const Arguments& arguments);

}  // namespace waferpair::jinja
