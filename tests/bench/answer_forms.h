// SPDX-License-Identifier: GPL-3.0-or-later
// A commit's change of a file, written as a model would in many forms and with the faults that
// models make.
#pragma once

#include <QByteArrayList>
#include <QString>
#include <QVector>
#include <functional>
#include <random>

#include "editor/text/line_diff.h"

namespace waferpair::bench {

// A file before and after a commit.
struct AnswerCase {
  QString path;
  QByteArray before, after;
  QByteArrayList oldLines, newLines;  // with their ends
  QVector<editor::ChangedLines> changes;
};

struct BenchedForm {
  const char* name;
  // Null: the commit cannot be written so.
  std::function<QByteArray(const AnswerCase&, std::mt19937&)> write;
  // Why nobody could tell from the file and the answer alone what the commit makes of the file, as
  // those two say and nothing else; empty: it can be told.
  std::function<QString(const AnswerCase&)> doubt;
  bool crLf = false;  // the file has CRLF
};

QVector<BenchedForm> answerForms();

}  // namespace waferpair::bench
