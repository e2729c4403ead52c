// SPDX-License-Identifier: GPL-3.0-or-later
// Secrets in a text, whatever its file is called: tokens of shapes that nothing else has, keys and
// passwords by the names that they are given to, headers of private keys, addresses with passwords.
// Values that stand for others ("xxxx", "changeme", "${TOKEN}") are none.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace waferpair::exclusions {

struct SecretText {
  std::string_view kind;  // "a private key", for a sentence
  std::size_t at;  // the byte by which it was found: in it, or in the name that it is given to
};

// The first secret in `utf8`, which may begin and end anywhere. Some 30 ms for 8 MiB.
std::optional<SecretText> findSecret(std::string_view utf8);

// A token that is known by itself is being written at the end of `utf8`: its first characters stand
// there. Returns its kind; empty: none is.
std::string_view begunSecret(std::string_view utf8);

// Why the model may not see a text: it has a secret in it. Empty: it may.
std::string reasonOfText(std::string_view utf8);

// A change is part of a secret only if findSecret() sees one in the text that reaches so many bytes
// beyond it on either side.
inline constexpr std::size_t kSecretReach = 512;

}  // namespace waferpair::exclusions
