// SPDX-License-Identifier: GPL-3.0-or-later
// What secrets look like, a row a kind, from what their issuers publish: tokens that are known by
// themselves, and keys that are known by the name that they are given to. What needs more than a
// line is in secret_forms.h.
#pragma once

#include <span>
#include <string_view>

namespace waferpair::exclusions {

struct TokenShape {
  std::string_view kind;     // "a GitHub token", for a sentence
  std::string_view pattern;  // of SecretPattern
};
std::span<const TokenShape> tokenShapes();

// `pattern` says nothing by itself: 40 hexadecimal digits are a key where they are given to a name
// of a key with `word` in it, in any capitals: "dd_app" is in DD_APP_KEY, dd-app-key and ddAppKey.
struct NamedShape {
  std::string_view kind;
  std::string_view word;
  std::string_view pattern;
};
std::span<const NamedShape> namedShapes();

}  // namespace waferpair::exclusions
