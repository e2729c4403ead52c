// SPDX-License-Identifier: GPL-3.0-or-later
// Remarks of a model at lines of a project's files, as its answer has them:
//
//   src/a.cpp:12: The loop reads beyond the end.
//   src/a.cpp
//   <<<<<<< SEARCH
//   ...
//   >>>>>>> REPLACE
//
// A line with a place begins a remark, also as an item of a list, a heading, or marked up; changes
// belong to the remark above them. Text without a place is a remark without one. Values.
#pragma once

#include <QString>
#include <QVector>

#include "pairing/answers/answer.h"

namespace waferpair::pairing {

struct Remark {
  QString path;     // as the answer has it; empty: it names no file
  qint64 line = 0;  // from 1; 0: it has no place
  QString text;     // Markdown, in lines that may be wrapped
  QVector<ProposedChange> changes = {};
  // Its place in commits that were reviewed, where that text is another by now: `line` is 0.
  qint64 lineThen = 0;

  bool hasPlace() const { return line > 0; }
  bool operator==(const Remark&) const = default;
};

// So many are read at most, each of so many UTF-16 units.
inline constexpr qsizetype kMostRemarks = 500;
inline constexpr qsizetype kMostOfRemark = 4'000;

// What is certain of an answer that still comes in becomes remarks; the last one may get longer.
QVector<Remark> remarksIn(const Answer& answer);

}  // namespace waferpair::pairing
