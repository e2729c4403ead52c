// SPDX-License-Identifier: GPL-3.0-or-later
// A terminal's rows as they are kept: cells of 16 bytes each.
#pragma once

#include <QtGlobal>
#include <vector>

namespace waferpair::workbench {

// A color as a program asked for it: none, one of 256, or 24 bits.
class CellColor {
 public:
  constexpr CellColor() = default;  // the theme's own
  static constexpr CellColor indexed(quint8 index) { return CellColor(kIndexed | index); }
  static constexpr CellColor rgb(quint8 red, quint8 green, quint8 blue) {
    return CellColor(kRgb | static_cast<quint32>(red) << 16 | static_cast<quint32>(green) << 8 |
                     blue);
  }

  constexpr bool isDefault() const { return value_ == 0; }
  constexpr bool isIndexed() const { return (value_ & kIndexed) != 0; }
  constexpr int index() const { return static_cast<int>(value_ & 0xff); }
  constexpr quint32 rgb() const { return value_ & 0xffffff; }  // 0xRRGGBB
  bool operator==(const CellColor&) const = default;

 private:
  static constexpr quint32 kIndexed = 1U << 24;
  static constexpr quint32 kRgb = 1U << 25;
  explicit constexpr CellColor(quint32 value) : value_(value) {}

  quint32 value_ = 0;
};

// Bits of Cell::style.
namespace cell_style {
inline constexpr quint16 kBold = 1 << 0;
inline constexpr quint16 kItalic = 1 << 1;
inline constexpr quint16 kUnderline = 1 << 2;
inline constexpr quint16 kDoubleUnderline = 1 << 3;
inline constexpr quint16 kCurlyUnderline = 1 << 4;
inline constexpr quint16 kAnyUnderline = kUnderline | kDoubleUnderline | kCurlyUnderline;
inline constexpr quint16 kReverse = 1 << 5;
inline constexpr quint16 kStrike = 1 << 6;
inline constexpr quint16 kBlink = 1 << 7;
inline constexpr quint16 kProtected = 1 << 8;  // a selective erase leaves it
inline constexpr quint16 kWide = 1 << 9;       // the character takes the next cell, too
inline constexpr quint16 kWideTail = 1 << 10;  // that next cell
}  // namespace cell_style

struct Cell {
  // In `character`: the rest is an index into TerminalScreen's character sequences.
  static constexpr char32_t kSequence = 1U << 31;

  char32_t character = 0;  // 0: nothing has been written here
  CellColor foreground;
  CellColor background;
  quint16 style = 0;
  quint16 link = 0;  // number of a hyperlink; 0: none

  bool isBlank() const { return *this == Cell(); }
  bool operator==(const Cell&) const = default;
};

// A place in the text that a shell with our integration has marked.
struct RowMark {
  enum class Kind : quint8 { kPrompt, kInput, kOutput, kEnd };
  Kind kind = Kind::kPrompt;
  int column = 0;
  int command = 0;  // its number
};

struct Row {
  std::vector<Cell> cells;     // as many as are in use; those behind them are blank
  std::vector<RowMark> marks;  // in the order of their columns
  bool wraps = false;          // the next row goes on with the same line
  bool isDoubleWidth = false;
  quint8 half = 0;  // of a line of double height: 1 upper, 2 lower

  // Takes blank cells at the end away.
  void trim() {
    while (!cells.empty() && cells.back().isBlank()) cells.pop_back();
  }
};

}  // namespace waferpair::workbench
