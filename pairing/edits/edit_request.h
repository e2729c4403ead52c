// SPDX-License-Identifier: GPL-3.0-or-later
// The request to a model to edit a file in place: the instruction, the lines that it is
// about, and as much of the text around them as there is room for.
#pragma once

#include <QString>
#include <QVector>

#include "editor/text/result.h"
#include "editor/text/snapshot.h"
#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

// Lines [first, first + count) of a text, from 0.
struct LineRange {
  qint64 first = 0;
  qint64 count = 0;

  qint64 end() const { return first + count; }
  bool operator==(const LineRange&) const = default;
};

struct EditTurn {
  QString instruction;
  QString answer;
};

struct EditTask {
  QString instruction;
  QString path;      // as the model is told it
  QString language;  // by name; empty: plain text
  editor::Snapshot text;
  LineRange target;     // what the instruction is about
  QString report = {};  // what a compiler or a test printed, where the instruction is about that
  // What goes along unasked, as contextMarkdown() has it: rules, and what the target uses.
  QString rules = {};
  QString related = {};
  // What was asked about the same text before, and what the model answered; the instruction refines
  // that.
  QVector<EditTurn> earlier = {};
};

inline constexpr qint64 kBytesOfToken = 3;  // of code, and on the safe side

// Bytes of a file that a request holds at most, where it is not known how many the model takes.
inline constexpr qint64 kMostEditBytes = 96 << 10;
// The same for a model with so many tokens of context (-1: unknown), half of which is for the
// answer.
qint64 mostEditBytes(qint64 contextTokens);

// Fails, naming both, where lines of so many bytes are more than a model takes.
editor::Result<void> fitsModel(qint64 size, qint64 mostBytes);

// What the prompt says of the task's report; empty where there is none.
QString reportedPart(const EditTask& task);

// The one that began what the task's refines; else its own.
QString firstInstruction(const EditTask& task);

// The request that follows `first`, which asks for the task's first instruction: each answer and
// the instruction behind it, the last one with `last` behind that.
ModelRequest withTurns(ModelRequest first, const EditTask& task, const QString& last);

// Fails where the target alone has more than `mostBytes`.
editor::Result<ModelRequest> editRequest(const EditTask& task, qint64 mostBytes = kMostEditBytes);

}  // namespace waferpair::pairing
