// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes of a program on a terminal that changes its size meanwhile: rows are as wide as the
// screen at most, the cursor is on it, marks are within their rows, and all of it can be read.
#include <cstdint>
#include <cstdlib>

#include "workbench/terminal/terminal_links.h"
#include "workbench/terminal/terminal_search.h"

using namespace waferpair::workbench;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const TerminalScreen& screen) {
  require(screen.end() - screen.top() == screen.rows() && screen.first() <= screen.top());
  const CellPlace cursor = screen.cursor().place;
  require(cursor.row >= screen.top() && cursor.row < screen.end());
  require(cursor.column >= 0 && cursor.column < screen.columns());
  for (qint64 number = screen.first(); number < screen.end(); ++number) {
    const Row& row = screen.row(number);
    require(static_cast<int>(row.cells.size()) <= screen.columns());
    for (const RowMark& mark : row.marks)
      require(mark.column >= 0 && mark.column <= screen.columns());
    for (const Cell& cell : row.cells) {
      screen.characterOf(cell);
      screen.link(cell);
    }
    const TerminalLine line = lineAt(screen, number);
    require(line.firstRow <= number && line.places.size() == line.text.size() + 1);
    for (const TextLink& link : linksIn(line.text))
      require(link.start < link.end && link.end <= line.text.size());
  }
  screen.text({screen.first(), 0}, {screen.end(), 0});
  for (int number = 0; number <= screen.lastCommand(); ++number) {
    screen.lineOf(number);
    if (const auto output = screen.outputOf(number)) screen.text(output->first, output->second);
  }
  findText(screen, QStringLiteral("a"), Qt::CaseInsensitive, cursor, 1);
}

}  // namespace

// The first bytes say the size and how the rest is cut; between the parts the size changes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const int rows = data[0] % 12 + 1, columns = data[1] % 24 + 1;
  const auto part = static_cast<qsizetype>(data[2]) + 8;
  const QByteArray bytes(reinterpret_cast<const char*>(data) + 3, static_cast<qsizetype>(size) - 3);
  TerminalScreen screen(rows, columns, 20);
  for (qsizetype at = 0; at < bytes.size(); at += part) {
    screen.feed(bytes.mid(at, part));
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte % 4 == 0) screen.resize(byte % 13 + 1, byte % 29 + 1);
    check(screen);
    screen.takeReply();
    screen.takeBell();
  }
  screen.paste(QString::fromUtf8(bytes));
  screen.mouseMove(rows, columns, Qt::ControlModifier);
  screen.mouseButton(1, true, {});
  screen.resize(3, 200);
  check(screen);
  return 0;
}
