// SPDX-License-Identifier: GPL-3.0-or-later
// Python's two ways to put values into a text: "%s" % value and "{}".format(value). Of their
// conversions those that templates use; any other fails with its spelling.
#pragma once

#include "runtime/jinja/interpreter.h"

namespace waferpair::jinja {

Text percentFormatted(Interpreter& interpreter, const Text& pattern, const Value& values);
Text braceFormatted(Interpreter& interpreter, const Text& pattern, const Arguments& values);

}  // namespace waferpair::jinja
