// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a template into its texts and the tokens between its braces, with trim_blocks and
// lstrip_blocks on, as chat templates are rendered everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace waferpair::jinja {

struct Token {
  enum class Kind {
    kText,       // between tags
    kOutput,     // {{
    kOutputEnd,  // }}
    kBlock,      // {%
    kBlockEnd,   // %}
    kName,
    kString,
    kInteger,
    kReal,
    kOperator,
    kEnd,
  };
  Kind kind = Kind::kEnd;
  std::string text = {};  // what it spells; of a string its value
  std::int64_t integer = 0;
  double real = 0;
  int line = 1;

  bool is(Kind wanted, std::string_view spelled) const { return kind == wanted && text == spelled; }
};

// Ends with a token of kEnd.
std::vector<Token> tokensOf(std::string_view source);

}  // namespace waferpair::jinja
