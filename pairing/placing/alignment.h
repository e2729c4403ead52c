// SPDX-License-Identifier: GPL-3.0-or-later
// Aligns the lines of an old text with those of a text in which some have changed, come or gone.
#pragma once

#include <QVector>
#include <optional>

#include "pairing/placing/line_replacement.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

struct Alignment {
  // The line in the text for each line of the old text; -1: it is not there. They only grow.
  QVector<qint64> lines;
  // The share of the old text that is there, by the length of its lines: 0 to 1.
  double share = 0;
  // The changes as they are made here: an insertion that can slide is between lines that are there.
  QVector<LineReplacement> changes;

  // The first and the last line of the text that belong to it.
  qint64 firstLine() const;
  qint64 lastLine() const;
};

struct Alignments {
  // The alignments that are good enough and leave the lines around each change where it can be
  // made: lines that it takes away are there, with nothing between them, and what it inserts comes
  // beside a line that is there, or between two that are still neighbors. One: that is the place.
  // Several: the best first, and those that are nearly as good. None where a better one is blocked.
  QVector<Alignment> possible;
  // The best of those that are good enough, but for what was changed where the change would.
  std::optional<Alignment> blocked;
};

// Lines compare without regard to blanks.
Alignments alignmentsOf(const TextLines& text, const TextLines& old, const TextLines& fresh,
                        const QVector<LineReplacement>& changes);

}  // namespace waferpair::pairing
