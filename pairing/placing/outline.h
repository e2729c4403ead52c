// SPDX-License-Identifier: GPL-3.0-or-later
// What a text defines and from which line to which: functions, types and values, those within
// others, too. Told by brackets and words (in Python, Ruby and shells by indentation), without a
// parser: what is not understood is not in it.
#pragma once

#include <QByteArray>
#include <QVector>

#include "pairing/next_edit/code_text.h"

namespace waferpair::pairing {

struct Outlined {
  enum class Kind { kFunction, kType, kValue };

  Kind kind = Kind::kFunction;
  QByteArray name;
  QByteArray owner;  // that qualifies the name where it is written: "Parser", "exports"
  // Lines, from 0: of the comments right above it, of its attributes (decorators, templates), of
  // its head, and the last one.
  int comments = 0;
  int attributes = 0;
  int head = 0;
  int last = 0;
  int body = 0;          // the last line of its head: the one that opens what it holds
  int parent = -1;       // the one around it
  bool hasBody = false;  // it holds lines of its own
  bool alone = true;     // no line of it holds anything else
  int columns = 0;       // of its head, tabs being four
  QByteArray headText;   // up to what it holds, without blanks

  bool isAlike(const Outlined& other) const { return kind == other.kind && name == other.name; }
  bool holds(const Outlined& other) const {
    return comments <= other.comments && other.last <= last;
  }
  bool operator==(const Outlined&) const = default;
};

// In the order of their heads.
QVector<Outlined> outlineOf(const CodeText& text);

}  // namespace waferpair::pairing
