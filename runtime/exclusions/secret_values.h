// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a value is a secret or stands for one: "xxxx", "EXAMPLE", "changeme", "${TOKEN}" and
// "password123" are in every documentation and test.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace waferpair::exclusions {

// A word may begin at `at`: what goes before is no part of one, or a written "\n".
bool beginsWord(std::string_view text, std::size_t at);

bool hasDigit(std::string_view text);

// The runs of a token of a known shape: few of n random characters are the same.
bool looksRandom(std::string_view body);
// "0123456789abcdef" or "deadbeefdeadbeef": made up, where nothing else says what it is.
bool isInOrder(std::string_view body);

// A name in place of a value, or one that documentation is written with.
bool isPlaceholder(std::string_view value);

// Made of words that passwords in tests and documentation are made of, with digits and signs
// between them: "S3cret-Passw0rd!".
bool isOfTestWords(std::string_view value);

// The bytes that are written so, in either alphabet.
std::optional<std::string> fromBase64(std::string_view text);

// A password that somebody thought of or a program made: characters of several kinds, and no words
// that passwords in tests are made of.
bool looksLikePassword(std::string_view value);

// A key that a program made: at least 20 characters in which letters and digits take turns.
bool looksLikeKey(std::string_view value);

}  // namespace waferpair::exclusions
