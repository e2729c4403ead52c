// SPDX-License-Identifier: GPL-3.0-or-later
// The alphabet in which byte-level vocabularies are written: every byte has a printable character,
// as GPT-2 chose them. Private to this room.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace waferpair::tokenizer {

// The character of a byte, in UTF-8 (one or two bytes).
std::string spellByte(unsigned char byte);

// The bytes that a token of the vocabulary stands for; nothing if a character is not of the
// alphabet.
std::optional<std::string> unspell(std::string_view token);

}  // namespace waferpair::tokenizer
