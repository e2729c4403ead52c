// SPDX-License-Identifier: GPL-3.0-or-later
// What Python does to texts, with each byte's origin kept.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/jinja/value.h"

namespace waferpair::jinja {

enum class Side { kLeft, kRight, kBoth };
// Without these characters at its ends; null: without white space.
Text stripped(const Text& text, const Text* characters, Side side);
// At each separator, at most `most` times, from the left or the right; less than 0: at all.
// Null: at runs of white space.
std::vector<Value> splitText(const Text& text, const Text* separator, std::int64_t most,
                             bool fromRight);
std::vector<Value> splitLines(const Text& text, bool keepEnds);
// What stands in the place of text from outside counts as coming from there as well.
Text replaced(const Text& text, const Text& old, const Text& by, std::int64_t most);

enum class Case { kUpper, kLower, kCapitalized, kTitle, kSwapped };
Text inCase(const Text& text, Case wanted);
// As Jinja's filter: words begin behind blanks, hyphens and opening brackets.
Text inTitleCase(const Text& text);

}  // namespace waferpair::jinja
