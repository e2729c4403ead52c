// SPDX-License-Identifier: GPL-3.0-or-later
// An edit as lines: which lines became which. Values. Lines have no line ends; they count from 0.
#pragma once

#include <QByteArrayList>
#include <QVector>

#include "editor/assist/document_sync.h"

namespace waferpair::pairing {

// At `line` of a text `before` stood, and `after` stands. Both may be empty, but not together; if
// `after` is, `line` is the one that follows what was taken out.
struct LineEdit {
  editor::DocumentId document;
  int line = 0;
  QByteArrayList before;
  QByteArrayList after;

  bool operator==(const LineEdit&) const = default;
};

// The same edit as its smallest parts, top down: a line that became another one much like it, or
// lines that came, or lines that went. Each part counts its line in the text with those above it
// made and those below not, so they can be made in order.
QVector<LineEdit> partsOf(const LineEdit& edit);

// From 0, nothing in common, to 1; by the words and marks that both lines have, in order.
double lineLikeness(const QByteArray& a, const QByteArray& b);

}  // namespace waferpair::pairing
