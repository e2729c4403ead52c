// SPDX-License-Identifier: GPL-3.0-or-later
// Grammars as text, in the notation that other runtimes of GGUF models read (GBNF):
//
//   root   ::= "yes" | "no" reason?     # alternatives, options
//   reason ::= ", " [^\n]{1,80}          # characters, all but these; how often
//
// Rules name one another; "root" is what a text must be. Literals know \n \r \t \\ \" and \xHH,
// \uHHHH, \UHHHHHHHH for characters; sets know these and \] \[ \- \^; `.` is any character.
// Repetition: * + ? {n} {n,} {n,m}. Groups in parentheses. Source: llama.cpp, grammars/README.md.
#pragma once

#include <string_view>

#include "runtime/grammar/grammar.h"

namespace waferpair::grammar {

// Text of at most kMaxGbnf bytes. The error names the line.
inline constexpr std::size_t kMaxGbnf = std::size_t{64} << 10;
base::Result<Grammar> parseGbnf(std::string_view text);

}  // namespace waferpair::grammar
