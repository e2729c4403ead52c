// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/terminal/screen_machine.h"

#include <algorithm>

namespace waferpair::workbench {
namespace {

CellColor cellColor(const VTermColor& color) {
  if (VTERM_COLOR_IS_DEFAULT_FG(&color) || VTERM_COLOR_IS_DEFAULT_BG(&color)) return {};
  if (VTERM_COLOR_IS_INDEXED(&color)) return CellColor::indexed(color.indexed.idx);
  return CellColor::rgb(color.rgb.red, color.rgb.green, color.rgb.blue);
}

void setStyle(quint16* style, quint16 bits, bool isOn) {
  *style = static_cast<quint16>(isOn ? *style | bits : *style & ~bits);
}

quint16 underlineStyle(int number) {
  switch (number) {
    case VTERM_UNDERLINE_OFF:
      return 0;
    case VTERM_UNDERLINE_DOUBLE:
      return cell_style::kDoubleUnderline;
    case VTERM_UNDERLINE_CURLY:
      return cell_style::kCurlyUnderline;
    default:
      return cell_style::kUnderline;
  }
}

}  // namespace

// libvterm up to 0.1 takes how far the cursor moved, later versions where it is.
template <typename Fields>
int TerminalScreen::Machine::resized(int rows, int columns, Fields* fields, void* user) {
  Machine& machine = of(user);
  VTermPos old;
  vterm_state_get_cursorpos(machine.state_, &old);
  const CellPlace now = machine.rewrap(rows, columns);
  if constexpr (requires { fields->pos; }) {
    fields->pos = {static_cast<int>(now.row), now.column};
  } else {
    fields->row = static_cast<int>(now.row) - old.row;
    fields->col = now.column - old.col;
  }
  return 1;
}

TerminalScreen::Machine::Machine(TerminalScreen* screen)
    : screen_(screen),
      terminal_(vterm_new(screen->rows(), screen->columns())),
      state_(vterm_obtain_state(terminal_)) {
  vterm_set_utf8(terminal_, 1);
  vterm_output_set_callback(
      terminal_,
      [](const char* bytes, size_t size, void* user) {
        of(user).screen_->reply_.append(bytes, static_cast<qsizetype>(size));
      },
      this);
  callbacks_.putglyph = [](VTermGlyphInfo* glyph, VTermPos at, void* user) {
    of(user).put(*glyph, at);
    return 1;
  };
  callbacks_.movecursor = [](VTermPos at, VTermPos, int, void* user) {
    Machine& machine = of(user);
    const int column = std::min(machine.last_.col, machine.screen_->columns() - 1);
    if (at.row != machine.last_.row || at.col != column) machine.last_.row = -1;
    return 1;
  };
  callbacks_.scrollrect = [](VTermRect area, int downward, int rightward, void* user) {
    of(user).scroll(area, downward, rightward);
    return 1;
  };
  callbacks_.erase = [](VTermRect area, int isSelective, void* user) {
    of(user).erase(area, isSelective != 0);
    return 1;
  };
  callbacks_.initpen = [](void* user) {
    of(user).screen_->pen_ = Cell();
    return 1;
  };
  callbacks_.setpenattr = [](VTermAttr attribute, VTermValue* value, void* user) {
    of(user).setPen(attribute, *value);
    return 1;
  };
  callbacks_.settermprop = [](VTermProp property, VTermValue* value, void* user) {
    return of(user).setProperty(property, *value) ? 1 : 0;
  };
  callbacks_.bell = [](void* user) {
    of(user).screen_->bell_ = true;
    return 1;
  };
  callbacks_.resize = &Machine::resized;
  callbacks_.setlineinfo = [](int row, const VTermLineInfo* now, const VTermLineInfo*, void* user) {
    of(user).setLine(row, *now);
    return 1;
  };
  vterm_state_set_callbacks(state_, &callbacks_, this);
  vterm_state_reset(state_, 1);
}

TerminalScreen::Machine::~Machine() { vterm_free(terminal_); }

Cell* TerminalScreen::Machine::cell(int row, int column) {
  std::vector<Cell>& cells = screen_->shown().screen(row).cells;
  if (static_cast<int>(cells.size()) <= column) cells.resize(static_cast<size_t>(column) + 1);
  return &cells[static_cast<size_t>(column)];
}

Cell TerminalScreen::Machine::erased() const {
  Cell cell;
  cell.background = screen_->pen_.background;
  return cell;
}

void TerminalScreen::Machine::put(const VTermGlyphInfo& glyph, VTermPos at) {
  RowStore& store = screen_->shown();
  if (at.row < 0 || at.row >= store.rows() || at.col < 0 || at.col >= store.columns()) return;
  // A combining character with nothing to combine with.
  if (glyph.width < 1) return;
  const int width = std::min(glyph.width, store.columns() - at.col);
  if (at.col == 0 && at.row > 0 && last_.row == at.row - 1 && last_.col + width > store.columns())
    store.screen(last_.row).wraps = true;
  Row& row = store.screen(at.row);
  // Half of a wide character that is written over is blank.
  const auto size = static_cast<int>(row.cells.size());
  const auto isTail = [&](int column) {
    return column < size && (row.cells[column].style & cell_style::kWideTail) != 0;
  };
  if (isTail(at.col) && at.col > 0) row.cells[at.col - 1] = erased();
  if (isTail(at.col + width)) row.cells[at.col + width] = erased();

  Cell cell = screen_->pen_;
  cell.character = screen_->characterFor(glyph.chars);
  cell.link = screen_->link_;
  screen_->lastCharacter_ = cell;
  if (width > 1) cell.style |= cell_style::kWide;
  if (glyph.protected_cell != 0) cell.style |= cell_style::kProtected;
  *this->cell(at.row, at.col + width - 1) = cell;
  row.cells[at.col] = cell;
  for (int i = 1; i < width; ++i) {
    Cell tail = cell;
    tail.character = 0;
    tail.style = static_cast<quint16>((cell.style & ~cell_style::kWide) | cell_style::kWideTail);
    row.cells[at.col + i] = tail;
  }
  last_ = {at.row, at.col + width};
  // What is written at the end begins a new line, if another does not go on with it.
  if (last_.col >= store.columns() - 1) row.wraps = false;
}

void TerminalScreen::Machine::fill(int row, int from, int to, bool isSelective) {
  Row& line = screen_->shown().screen(row);
  const int columns = screen_->columns();
  const Cell blank = erased();
  auto size = static_cast<int>(line.cells.size());
  if (from > 0 && from < size && (line.cells[from].style & cell_style::kWideTail) != 0)
    line.cells[from - 1] = blank;
  if (to < size && (line.cells[to].style & cell_style::kWideTail) != 0) line.cells[to] = blank;
  if (to >= columns) {
    line.wraps = false;
    if (blank.isBlank() && !isSelective) {
      if (from < size) line.cells.resize(static_cast<size_t>(from));
      return;
    }
  }
  if (!blank.isBlank() && size < to) {
    line.cells.resize(static_cast<size_t>(to));
    size = to;
  }
  for (int i = from; i < std::min(to, size); ++i) {
    if (isSelective && (line.cells[i].style & cell_style::kProtected) != 0) continue;
    line.cells[i] = blank;
  }
}

void TerminalScreen::Machine::erase(const VTermRect& area, bool isSelective) {
  RowStore& store = screen_->shown();
  for (int row = std::max(0, area.start_row); row < std::min(area.end_row, store.rows()); ++row) {
    fill(row, std::max(0, area.start_col), std::min(area.end_col, store.columns()), isSelective);
    // A mark stands before a cell, so one where the erasing begins stays, as does the end of an
    // output, which shells erase from before they draw a prompt. At a row's start it stays if it is
    // of the command that goes on (GCC and grep erase there); an older one's went with its text.
    std::vector<RowMark>& marks = store.screen(row).marks;
    const int open = screen_->openCommand();
    const auto isGone = [&](const RowMark& mark) {
      if (mark.column < area.start_col || mark.column >= area.end_col) return false;
      const bool isAtStart = row == area.start_row && mark.column == area.start_col;
      return !isAtStart ||
             (mark.kind != RowMark::Kind::kEnd && area.start_col == 0 && mark.command != open);
    };
    if (!isSelective) marks.erase(std::remove_if(marks.begin(), marks.end(), isGone), marks.end());
  }
  // The end of a line above goes on no more.
  if (area.start_col == 0 && area.start_row > 0 && area.start_row <= store.rows() &&
      area.end_col >= store.columns())
    store.screen(area.start_row - 1).wraps = false;
}

void TerminalScreen::Machine::scroll(const VTermRect& area, int downward, int rightward) {
  RowStore& store = screen_->shown();
  const int top = std::clamp(area.start_row, 0, store.rows());
  const int bottom = std::clamp(area.end_row, top, store.rows());
  const int left = std::clamp(area.start_col, 0, store.columns());
  const int right = std::clamp(area.end_col, left, store.columns());
  const int height = bottom - top;
  const int by = std::clamp(downward, -height, height);
  if (height == 0 || right == left) return;  // margins beyond the screen
  if (rightward == 0 && left == 0 && right == store.columns()) {
    if (by > 0) {
      const bool keeps = top == 0 && !screen_->isAlternate_;
      // The rows that stay below go on with nothing that has moved.
      if (bottom < store.rows() && bottom > 0) store.screen(bottom - 1).wraps = false;
      store.scrollUp(top, bottom, by, keeps);
      if (top > 0) store.screen(top - 1).wraps = false;
    } else if (by < 0) {
      if (top > 0) store.screen(top - 1).wraps = false;
      store.scrollDown(top, bottom, -by);
      if (bottom > 0) store.screen(bottom - 1).wraps = false;
    }
    if (last_.row >= top && last_.row < bottom) last_.row = std::max(-1, last_.row - by);
    if (last_.row < top || last_.row >= bottom) last_.row = -1;
    if (!erased().isBlank()) {
      if (by > 0) erase({bottom - by, bottom, 0, store.columns()}, false);
      if (by < 0) erase({top, top - by, 0, store.columns()}, false);
    }
    return;
  }
  // A part of the width: cells are copied, row by row in the order that overwrites none too early.
  for (int i = 0; i < height; ++i) {
    const int row = by >= 0 ? top + i : bottom - 1 - i;
    const int source = row + by;
    std::vector<Cell> from(static_cast<size_t>(right - left), erased());
    if (source >= top && source < bottom) {
      const std::vector<Cell>& cells = store.screen(source).cells;
      for (int column = left; column < right; ++column) {
        const int at = column + rightward;
        if (at < left || at >= right) continue;
        from[column - left] = at < static_cast<int>(cells.size()) ? cells[at] : Cell();
      }
    }
    cell(row, right - 1);
    std::copy(from.begin(), from.end(), store.screen(row).cells.begin() + left);
    store.screen(row).trim();
  }
}

void TerminalScreen::Machine::setPen(VTermAttr attribute, const VTermValue& value) {
  Cell& pen = screen_->pen_;
  switch (attribute) {
    case VTERM_ATTR_BOLD:
      return setStyle(&pen.style, cell_style::kBold, value.boolean != 0);
    case VTERM_ATTR_ITALIC:
      return setStyle(&pen.style, cell_style::kItalic, value.boolean != 0);
    case VTERM_ATTR_BLINK:
      return setStyle(&pen.style, cell_style::kBlink, value.boolean != 0);
    case VTERM_ATTR_REVERSE:
      return setStyle(&pen.style, cell_style::kReverse, value.boolean != 0);
    case VTERM_ATTR_STRIKE:
      return setStyle(&pen.style, cell_style::kStrike, value.boolean != 0);
    case VTERM_ATTR_UNDERLINE:
      setStyle(&pen.style, cell_style::kAnyUnderline, false);
      return setStyle(&pen.style, underlineStyle(value.number), true);
    case VTERM_ATTR_FOREGROUND:
      pen.foreground = cellColor(value.color);
      return;
    case VTERM_ATTR_BACKGROUND:
      pen.background = cellColor(value.color);
      return;
    default:
      return;
  }
}

bool TerminalScreen::Machine::setProperty(VTermProp property, const VTermValue& value) {
  switch (property) {
    case VTERM_PROP_CURSORVISIBLE:
      screen_->cursor_.isVisible = value.boolean != 0;
      return true;
    case VTERM_PROP_CURSORBLINK:
      screen_->cursor_.blinks = value.boolean != 0;
      return true;
    case VTERM_PROP_CURSORSHAPE:
      screen_->cursor_.shape =
          value.number == VTERM_PROP_CURSORSHAPE_UNDERLINE  ? CursorShape::kUnderline
          : value.number == VTERM_PROP_CURSORSHAPE_BAR_LEFT ? CursorShape::kBar
                                                            : CursorShape::kBlock;
      return true;
    case VTERM_PROP_ALTSCREEN:
      if (screen_->isAlternate_ != (value.boolean != 0)) {
        screen_->isAlternate_ = value.boolean != 0;
        ++screen_->generation_;
        last_.row = -1;
      }
      return true;
    case VTERM_PROP_REVERSE:
      screen_->isReversed_ = value.boolean != 0;
      return true;
    case VTERM_PROP_MOUSE:
      screen_->mouse_ = value.number == VTERM_PROP_MOUSE_CLICK  ? MouseReports::kClicks
                        : value.number == VTERM_PROP_MOUSE_DRAG ? MouseReports::kDrags
                        : value.number == VTERM_PROP_MOUSE_MOVE ? MouseReports::kMoves
                                                                : MouseReports::kNone;
      return true;
    default:
      return true;
  }
}

// Returns where the cursor of the shown screen is then, its row counted from the screen's first.
CellPlace TerminalScreen::Machine::rewrap(int rows, int columns) {
  VTermPos at;
  vterm_state_get_cursorpos(state_, &at);
  ++screen_->generation_;
  RowStore& main = screen_->main_;
  // Behind a character in the last column the cursor is on it, and means the next cell.
  const bool isPending = last_.row == at.row && last_.col == screen_->columns();
  last_.row = -1;
  const CellPlace here{main.top() + at.row, at.col + (isPending ? 1 : 0)};
  // While another screen is shown, the main one's cursor is about where its text ends.
  const CellPlace last{main.end() - 1, 0};
  const CellPlace moved = main.resize(rows, columns, screen_->isAlternate_ ? last : here);
  RowStore cut(rows, columns, 0);
  for (int row = 0; row < std::min(rows, screen_->alternate_.rows()); ++row) {
    cut.screen(row) = std::move(screen_->alternate_.screen(row));
    std::vector<Cell>& cells = cut.screen(row).cells;
    if (static_cast<int>(cells.size()) > columns) cells.resize(static_cast<size_t>(columns));
  }
  screen_->alternate_ = std::move(cut);
  if (screen_->isAlternate_) return {std::min(at.row, rows - 1), std::min(at.col, columns - 1)};
  return {moved.row - main.top(), moved.column};
}

void TerminalScreen::Machine::setLine(int row, const VTermLineInfo& info) {
  RowStore& store = screen_->shown();
  if (row < 0 || row >= store.rows()) return;
  Row& line = store.screen(row);
  line.isDoubleWidth = info.doublewidth != 0;
  line.half = static_cast<quint8>(info.doubleheight);
}

}  // namespace waferpair::workbench
