// SPDX-License-Identifier: GPL-3.0-or-later
// Tells from the tokens around a name alone whether it is defined there. Errs, as it knows no
// language's grammar.
#pragma once

#include <span>

#include "pairing/next_edit/code_text.h"

namespace waferpair::pairing {

// Counts too much rather than too little: whatever stands behind a word ("Type name", but "case
// name", too) and what a line assigns to. `tokens` are those of a line of `text`.
bool isDefinition(const CodeText& text, std::span<const Token> tokens, std::size_t index);

// What a definition makes known, and where.
enum class Defined {
  kNothing,
  kVariable,  // in the function around it, or where there is none, in the file
  kParameter,
  kDeclaration,  // a function, a type, a module: in the file
};

// Of `line` of `text`. Rather counts too little: where somebody renames what this takes for a
// definition, that is what the line is for.
Defined definedAt(const CodeText& text, int line, std::size_t index);

}  // namespace waferpair::pairing
