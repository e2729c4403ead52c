// SPDX-License-Identifier: GPL-3.0-or-later
// What models do to lines that they copy: the same change with that undone. To be tried where the
// lines do not stand in the text as they are, and to be believed only where they then do.
#pragma once

#include <QByteArray>
#include <QVector>

namespace waferpair::pairing {

struct RepairedChange {
  QByteArray oldText;
  QByteArray newText;
  qint64 line = -1;  // from 0: where the old text stands, by the numbers before its lines
};

enum class Repair { kEntities, kPlainSigns };
QByteArray repaired(Repair repair, const QByteArray& text);

// Without line numbers, entities, typographic quotes and blanks, and backslashes that are one too
// many. None that is the change as it is.
QVector<RepairedChange> repairsOf(const QByteArray& oldText, const QByteArray& newText);

}  // namespace waferpair::pairing
