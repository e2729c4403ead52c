// SPDX-License-Identifier: GPL-3.0-or-later
// Values as Python writes them.
#pragma once

#include <string>

#include "runtime/jinja/value.h"

namespace waferpair::jinja {

// repr() of a float.
std::string pythonReal(double number);
// str(): what {{ value }} writes. Nothing for what is undefined.
Text pythonText(const Value& value);
// repr(): texts have quotes.
Text pythonRepr(const Value& value);

// Text as json.dumps() quotes it.
Text jsonQuoted(const Text& text, bool asciiOnly);

struct JsonStyle {
  bool asciiOnly = false;
  bool sortKeys = false;
  bool indents = false;
  std::string indent = {};  // of one level
  std::string betweenItems = ", ";
  std::string behindKeys = ": ";
};
// json.dumps(). Fails for what is no JSON.
Text pythonJson(const Value& value, const JsonStyle& style);

}  // namespace waferpair::jinja
