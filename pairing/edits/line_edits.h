// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of whole lines and of letters that are the same in any language.
#pragma once

#include "pairing/edits/plain_edits.h"

namespace waferpair::pairing {

// Lines become other lines. `change` gets them without their ends.
struct LineOperation {
  const char* words;  // the instruction
  const char* title;
  QByteArrayList (*change)(QByteArrayList lines);
  // Its lines change places: they are one change that is accepted as a whole.
  bool moves = false;
};
const QVector<LineOperation>& lineOperations();
QVector<editor::TextEdit> applied(const LineOperation& operation, const PlainTask& task);

struct CaseOperation {
  const char* words;
  const char* title;
  QString (*change)(const QString& text);
};
const QVector<CaseOperation>& caseOperations();
// Applies it to what is selected, or to the word at the caret.
QVector<editor::TextEdit> applied(const CaseOperation& operation, const PlainTask& task);

}  // namespace waferpair::pairing
