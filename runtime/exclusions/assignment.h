// SPDX-License-Identifier: GPL-3.0-or-later
// A name and the value that it is given, as languages, settings, command lines and addresses write
// it: NAME = "value", "name": "value", NAME=value, name: value, --name value, <name>value</name>,
// name("value"), &name=value.
#pragma once

#include <optional>
#include <string_view>

namespace waferpair::exclusions {

// Parts of the text.
struct Assignment {
  std::string_view head;  // of the name, up to the word that was looked for
  std::string_view tail;  // of the name, behind it
  std::string_view value;
  bool isQuoted = false;
};

// The one to the name that `word`, a part of `text`, is in; none where that is given nothing, or
// something that is no literal.
std::optional<Assignment> assignmentAround(std::string_view text, std::string_view word);

}  // namespace waferpair::exclusions
