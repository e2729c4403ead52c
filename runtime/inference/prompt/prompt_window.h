// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which part of a document around the cursor goes into a prompt.
//
// The prefix is what the KV cache lives on: as long as typing only appends to it, one keystroke
// costs one token. So its start does not slide with the cursor; it moves in big jumps, at line
// starts, and is a pure function of text and cursor: no state that could get out of step.
#pragma once

#include <cstddef>
#include <string_view>

namespace waferpair::inference {

// True when no character of the well-formed UTF-8 `text` is cut at `offset` (<= text.size()).
bool isCharacterBoundary(std::string_view text, std::size_t offset);

// Views into the document's text; prefix ends and suffix begins at the cursor.
struct PromptWindow {
  std::string_view prefix;
  std::string_view suffix;
  std::string_view above;  // what is in front of the prefix; as stable as its start
  std::string_view below;  // what is behind the suffix
  bool fromStart = false;  // nothing is in front of what is above
};

// `offset` is a character boundary of the well-formed UTF-8 `text`. The prefix has at most
// `prefixBytes` and, where the document has as much, at least about half of that; it begins at a
// line start unless a single line is longer than a quarter. The suffix has at most `suffixBytes`
// and ends behind a line end where there is one in it. Above and below have at most `aroundBytes`
// each, cut like the two.
PromptWindow cutWindow(std::string_view text, std::size_t offset, std::size_t prefixBytes,
                       std::size_t suffixBytes, std::size_t aroundBytes = 0);

// The same for tokens: how many of `count` tokens to drop at the front so that at most `budget`
// are left; steps of a quarter of the budget.
std::size_t tokensToDrop(std::size_t count, std::size_t budget);

}  // namespace waferpair::inference
