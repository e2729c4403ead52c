// SPDX-License-Identifier: GPL-3.0-or-later
// What a statement of a language of braces defines, by its words and its shape.
#pragma once

#include "pairing/placing/brace_tokens.h"
#include "pairing/placing/outline.h"

namespace waferpair::pairing {

class BraceHeads : public BraceTokens {
 public:
  // StatementPlace a statement stands, which tells how it is read.
  enum class StatementPlace { kFile, kType, kFunction };

  using BraceTokens::BraceTokens;

  // Of the statement of tokens [i, last], whose body's brace is token `open`
  // (-1: there is none). False: it defines nothing.
  bool describe(int i, int open, int last, int parent, StatementPlace where, Outlined* entry) const;
  // Behind attributes and modifiers; `head`: behind the attributes.
  int afterModifiers(int i, int end, int* head) const;
  // The brace at `at` begins the type of a value of TypeScript: "const x: { a: string } =".
  bool isTypeBrace(int i, int at) const;

 private:
  // Named as macros are, at the beginning of a line.
  bool isMacro(int i) const;
  // "=>" is what the statement has next, or behind a clause: an expression instead of a body.
  bool isArrow(int at) const { return mark(at) == '=' && mark(at + 1) == '>'; }
  bool memberByArrow(int at, int end, StatementPlace where, Outlined* entry) const;
  bool type(int at, int end, int open, Outlined* entry) const;
  bool functionByWord(int at, int end, int open, Outlined* entry) const;
  // A function or a class is assigned, as far as tokens [from, end) tell.
  bool isFunction(int from, int end) const;
  int assignment(int at, int end) const;
  bool value(int at, int end, StatementPlace where, Outlined* entry) const;
  // "name: function (", "name: {" of an object.
  bool member(int at, int end, int open, StatementPlace where, Outlined* entry) const;
  bool functionByShape(int at, int end, int open, StatementPlace where, Outlined* entry) const;
};

}  // namespace waferpair::pairing
