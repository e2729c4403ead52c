// SPDX-License-Identifier: GPL-3.0-or-later
// Search in all that a terminal has kept, and lines as text with the way back to their cells.
#pragma once

#include <QString>
#include <QVector>
#include <optional>

#include "workbench/terminal/terminal_screen.h"

namespace waferpair::workbench {

// A line of output, which may go over several rows.
struct TerminalLine {
  qint64 firstRow = 0;
  qint64 lastRow = 0;
  QString text;
  // The cell of each UTF-16 unit of `text`, and one more: behind the last.
  QVector<CellPlace> places;
};

// Returns the line that this row is of.
TerminalLine lineAt(const TerminalScreen& screen, qint64 row);

struct CellRange {
  CellPlace start;
  CellPlace end;
  bool isEmpty() const { return start >= end; }
  bool operator==(const CellRange&) const = default;
};

// Returns the next match behind `from` (`direction` 1) or the one before it (-1), round the ends.
std::optional<CellRange> findText(const TerminalScreen& screen, const QString& text,
                                  Qt::CaseSensitivity sensitivity, CellPlace from, int direction);

}  // namespace waferpair::workbench
