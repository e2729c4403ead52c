// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that need no model: what an instruction means as it is typed, for as far as it means
// something that is the same whoever does it. Nothing is changed here; each is edits to offer.
#pragma once

#include <QString>
#include <QVector>

#include "editor/text/snapshot.h"
#include "pairing/edits/edit_request.h"

namespace waferpair::pairing {

struct PlainTask {
  editor::Snapshot text;
  QString language;  // by name, as the editor has it
  LineRange target;  // what edits of lines are about
  // The selection, in bytes; empty: the word at the caret is meant.
  qint64 start = 0;
  qint64 end = 0;
};

struct PlainEdit {
  QString title;  // what it does: "Sort lines"
  // In the task's text, each behind the one before; empty: there is nothing to do.
  QVector<editor::TextEdit> edits;
};

// Returns what `instruction`, perhaps typed in part, may mean: the best first. Empty where it means
// nothing of the kind.
QVector<PlainEdit> plainEdits(const QString& instruction, const PlainTask& task);

// Returns what can be typed, for a user who has not typed yet: "wrap in if CONDITION".
QStringList plainInstructions(const QString& language);

}  // namespace waferpair::pairing
