// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/terminal/terminal_search.h"

#include <algorithm>

namespace waferpair::workbench {

TerminalLine lineAt(const TerminalScreen& screen, qint64 row) {
  TerminalLine line;
  // A line without an end, of a program that writes none, is taken in parts.
  constexpr qint64 kMostRows = 200;
  line.firstRow = row;
  while (line.firstRow > screen.first() && row - line.firstRow < kMostRows &&
         screen.row(line.firstRow - 1).wraps)
    --line.firstRow;
  CellPlace end{line.firstRow, 0};
  for (line.lastRow = line.firstRow;; ++line.lastRow) {
    const Row& cells = screen.row(line.lastRow);
    for (int column = 0; column < static_cast<int>(cells.cells.size()); ++column) {
      const Cell& cell = cells.cells[column];
      if ((cell.style & cell_style::kWideTail) != 0) continue;
      const QString character =
          cell.character == 0 ? QStringLiteral(" ") : screen.characterOf(cell);
      line.text += character;
      line.places.insert(line.places.size(), character.size(), CellPlace{line.lastRow, column});
      end = {line.lastRow, column + ((cell.style & cell_style::kWide) != 0 ? 2 : 1)};
    }
    if (!cells.wraps || line.lastRow + 1 >= screen.end() || line.lastRow - row >= kMostRows) break;
  }
  line.places.append(end);
  return line;
}

std::optional<CellRange> findText(const TerminalScreen& screen, const QString& text,
                                  Qt::CaseSensitivity sensitivity, CellPlace from, int direction) {
  if (text.isEmpty()) return std::nullopt;
  from.row = std::clamp(from.row, screen.first(), screen.end() - 1);
  // The line of `from` is looked at twice: on its far side first, on its near side last.
  qint64 row = from.row;
  for (bool isFirst = true;; isFirst = false) {
    const TerminalLine line = lineAt(screen, row);
    qsizetype best = -1;
    for (qsizetype at = line.text.indexOf(text, 0, sensitivity); at >= 0;
         at = line.text.indexOf(text, at + 1, sensitivity)) {
      const bool isBeyond = direction > 0 ? line.places[at] >= from : line.places[at] < from;
      if (isFirst && !isBeyond) continue;
      best = at;
      if (direction > 0) break;
    }
    if (best >= 0) {
      const qsizetype last = best + text.size();
      CellPlace end = line.places[last];
      // A match that ends with a row ends there, and not before the next.
      if (end.column == 0 && last > 0 && end.row > line.places[last - 1].row)
        end = {line.places[last - 1].row, line.places[last - 1].column + 1};
      return CellRange{line.places[best], end};
    }
    const bool isHome = !isFirst && line.firstRow <= from.row && from.row <= line.lastRow;
    if (isHome) return std::nullopt;
    row = direction > 0 ? line.lastRow + 1 : line.firstRow - 1;
    if (row >= screen.end()) row = screen.first();
    if (row < screen.first()) row = screen.end() - 1;
  }
}

}  // namespace waferpair::workbench
