// SPDX-License-Identifier: GPL-3.0-or-later
// Secrets that are known by what stands around them: headers of keys, addresses with a password in
// them, lines of files for passwords, command lines, and values given to names of secrets.
#pragma once

#include <span>
#include <string_view>

namespace waferpair::exclusions {

struct SecretForm {
  std::string_view begin;  // small letters; its capitals make no difference
  // Returns the kind of the secret of which `begin` stands at `at`; empty: it is none.
  std::string_view (*kindAt)(std::string_view text, std::size_t at);
};
std::span<const SecretForm> secretForms();

// The kind of a file whose first bytes are `text`: a store of keys. Empty: another one.
std::string_view kindOfFile(std::string_view text);

}  // namespace waferpair::exclusions
