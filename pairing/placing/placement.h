// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the place of a proposed change in a text. The text may have changed since the model saw it,
// and the model may quote it loosely. The result is edits; nothing is changed here.
//
// Tried in this order: the old text as it stands; the same but for blanks, new lines then being
// indented as the text is; either of them for the change without what models do to lines that they
// copy (placing/repairs.h); the best alignment with lines of which some have changed, come or gone
// since, if what the change takes away is there still, with no line between. Where several places
// are possible and the change does not say at which line, or where the old text is nowhere, or
// was itself changed where the change would, placing fails and says so. Code that comes without the
// lines that it replaces goes where placing/fenced_code.h says.
#pragma once

#include <QVector>

#include "editor/text/edit.h"
#include "editor/text/result.h"
#include "editor/text/snapshot.h"
#include "pairing/answers/answer.h"
#include "pairing/placing/fenced_code.h"

namespace waferpair::pairing {

enum class Fit {
  kExact,   // the old text stands there to the byte, line ends aside
  kBlanks,  // but for blanks
  kMerged,  // around what has changed since
};

struct Placement {
  QVector<editor::TextEdit> edits;  // ascending, with the text's own line ends
  Fit fit = Fit::kExact;
};

// Places a change of a text: kReplace, kCode, or kCreate, for which the text must be empty.
// `target`: what the answer was asked about.
editor::Result<Placement> place(const editor::Snapshot& text, const ProposedChange& change,
                                const CodeTarget& target = {});
// kCode; the language is that of the target's path, or else of the change's.
PutCode placeCode(const editor::Snapshot& text, const ProposedChange& change,
                  const CodeTarget& target);

// Lines [first, first + count) of a text become `newText`, whose lines end with LF.
struct LineChange {
  qint64 first = 0;
  qint64 count = 0;
  QByteArray newText;
};

// Places a change that was made for `madeFor`, which `text` has come from.
editor::Result<Placement> placeLines(const editor::Snapshot& text, const editor::Snapshot& madeFor,
                                     const LineChange& change);

}  // namespace waferpair::pairing
