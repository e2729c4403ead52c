// SPDX-License-Identifier: GPL-3.0-or-later
// Secrets in a text, whatever its file is called: headers of private keys, and tokens of shapes
// that nothing else has (a fixed prefix, a fixed alphabet, a least length). Passwords have no shape
// and are not found.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace waferpair::exclusions {

struct SecretText {
  std::string_view kind;  // "a private key", for a sentence
  std::size_t at;         // the byte where it begins
};

// The first secret in `utf8`, which may begin and end anywhere. Some 15 ms for 8 MiB.
std::optional<SecretText> findSecret(std::string_view utf8);

// Why the model may not see a text: it has a secret in it. Empty: it may.
std::string reasonOfText(std::string_view utf8);

// A change is part of a secret only if findSecret() sees one in the text that reaches so many bytes
// beyond it on either side.
inline constexpr std::size_t kSecretReach = 256;

}  // namespace waferpair::exclusions
