// SPDX-License-Identifier: GPL-3.0-or-later
// The lines in which a change's new text differs from its old one. Where the same line stands at
// both ends of what is inserted, the insertion can slide: there are several ways to say the same.
#pragma once

#include <QByteArray>
#include <QVector>

#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

// Lines [oldStart, oldStart + oldCount) of the old text become lines
// [newStart, newStart + newCount) of the new one.
struct LineReplacement {
  qint64 oldStart = 0;
  qint64 oldCount = 0;
  qint64 newStart = 0;
  qint64 newCount = 0;

  bool operator==(const LineReplacement&) const = default;
};

// In order, with a line between any two that is the same in both.
QVector<LineReplacement> replacementsBetween(const QByteArray& oldText, const QByteArray& newText);

// All the ways to say `replacement`, itself among them, from the first place to the last. One
// where it takes lines away. Those around it, which have to stay a line apart, bound it: it may
// begin at `least` at the earliest and at `most` at the latest, in lines of the old text.
QVector<LineReplacement> slidesOf(const LineReplacement& replacement, const TextLines& old,
                                  const TextLines& fresh, qint64 least, qint64 most);

}  // namespace waferpair::pairing
