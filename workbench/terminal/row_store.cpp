// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/terminal/row_store.h"

#include <algorithm>
#include <cassert>

namespace waferpair::workbench {
namespace {

bool isUsed(const Row& row) {
  return row.wraps || !row.marks.empty() ||
         std::any_of(row.cells.begin(), row.cells.end(),
                     [](const Cell& cell) { return !cell.isBlank(); });
}

// A place by its line and the number of cells before it there.
struct LinePlace {
  bool isHere = false;
  int offset = 0;
};

// Wraps one line, which may have been several rows, at `columns`.
class LineWrap {
 public:
  LineWrap(int columns, std::deque<Row>* out) : columns_(columns), out_(out) {}

  void add(Row&& row) {
    const int offset = static_cast<int>(line_.cells.size());
    for (const RowMark& mark : row.marks)
      line_.marks.push_back({mark.kind, offset + mark.column, mark.command});
    line_.cells.insert(line_.cells.end(), row.cells.begin(), row.cells.end());
  }

  int length() const { return static_cast<int>(line_.cells.size()); }

  // Puts out the rows. Each start_ is the offset of one in the line.
  void finish() {
    const int length = this->length();
    int start = 0;
    size_t mark = 0;
    do {
      int end = std::min(length, start + columns_);
      // A wide character is not torn apart, unless there is room for half of it only.
      if (end < length && end > start + 1 && (line_.cells[end].style & cell_style::kWideTail) != 0)
        --end;
      Row row;
      row.cells.assign(line_.cells.begin() + start, line_.cells.begin() + end);
      row.wraps = end < length;
      for (; mark < line_.marks.size() && (line_.marks[mark].column < end || !row.wraps); ++mark) {
        RowMark moved = line_.marks[mark];
        moved.column = std::min(moved.column - start, columns_ - 1);
        row.marks.push_back(moved);
      }
      starts_.push_back(start);
      out_->push_back(std::move(row));
      start = end;
    } while (start < length);
  }

  // Where an offset of the line is, after finish(): row in the line, and column.
  CellPlace placeOf(int offset) const {
    auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
    const auto row = static_cast<int>(after - starts_.begin()) - 1;
    return {row, std::min(offset - starts_[row], columns_ - 1)};
  }

 private:
  int columns_;
  std::deque<Row>* out_;
  Row line_;
  std::vector<int> starts_;
};

}  // namespace

RowStore::RowStore(int rows, int columns, int most)
    : rows_(rows), columns_(columns), most_(most), all_(static_cast<size_t>(rows)) {
  assert(rows > 0 && columns > 0 && most >= 0);
}

void RowStore::scrollUp(int from, int to, int by, bool keeps) {
  assert(from >= 0 && to <= rows_ && by >= 0 && by <= to - from && (!keeps || from == 0));
  const auto base = static_cast<qint64>(all_.size()) - rows_;
  if (keeps) {
    // The rows above `to` become those that have left; new ones come in at `to`.
    for (int i = 0; i < by; ++i) all_[static_cast<size_t>(base + i)].trim();
    if (to == rows_) {
      for (int i = 0; i < by; ++i) all_.emplace_back();
    } else {
      all_.insert(all_.begin() + base + to, static_cast<size_t>(by), Row());
    }
    drop();
    return;
  }
  const auto begin = all_.begin() + base;
  std::move(begin + from + by, begin + to, begin + from);
  std::fill(begin + to - by, begin + to, Row());
}

void RowStore::scrollDown(int from, int to, int by) {
  assert(from >= 0 && to <= rows_ && by >= 0 && by <= to - from);
  const auto begin = all_.begin() + (static_cast<qint64>(all_.size()) - rows_);
  std::move_backward(begin + from, begin + to - by, begin + to);
  std::fill(begin + from, begin + from + by, Row());
}

void RowStore::drop() {
  while (static_cast<qint64>(all_.size()) > static_cast<qint64>(most_) + rows_) {
    all_.pop_front();
    ++first_;
  }
}

void RowStore::clearScrollback() {
  while (static_cast<int>(all_.size()) > rows_) {
    all_.pop_front();
    ++first_;
  }
}

void RowStore::setMost(int most) {
  most_ = std::max(0, most);
  drop();
}

CellPlace RowStore::resize(int rows, int columns, CellPlace cursor) {
  assert(rows > 0 && columns > 0);
  const qint64 oldTop = top();
  cursor.row = std::clamp(cursor.row, first_, end() - 1);
  // Empty rows below the text and the cursor are no text.
  const bool wasFull = isUsed(all_.back()) || cursor.row == end() - 1;
  while (end() - 1 > cursor.row && !isUsed(all_.back())) all_.pop_back();

  std::deque<Row> wrapped;
  qint64 newTop = 0;
  CellPlace newCursor;
  for (size_t i = 0; i < all_.size();) {
    const auto lineBegin = static_cast<qint64>(wrapped.size());
    const bool isPlain = !all_[i].wraps && static_cast<int>(all_[i].cells.size()) <= columns;
    LineWrap line(columns, &wrapped);
    LinePlace top, at;
    bool goesOn = false;
    do {
      goesOn = all_[i].wraps;
      const auto number = first_ + static_cast<qint64>(i);
      if (number == oldTop) top = {true, line.length()};
      if (number == cursor.row) at = {true, line.length() + cursor.column};
      if (isPlain) {
        wrapped.push_back(std::move(all_[i]));
      } else {
        line.add(std::move(all_[i]));
      }
    } while (++i < all_.size() && goesOn);
    if (!isPlain) line.finish();
    const auto placeOf = [&](int offset) {
      return isPlain ? CellPlace{0, std::min(offset, columns - 1)} : line.placeOf(offset);
    };
    if (top.isHere) newTop = lineBegin + placeOf(top.offset).row;
    if (at.isHere) {
      newCursor = placeOf(at.offset);
      newCursor.row += lineBegin;
    }
  }
  all_ = std::move(wrapped);
  columns_ = columns;

  const auto count = static_cast<qint64>(all_.size());
  // A screen that was full shows more of what scrolled off when it grows; one that has been cleared
  // stays clear.
  const qint64 lowest = count - rows;
  newTop = wasFull && rows > rows_ ? lowest : std::max(newTop, lowest);
  newTop = std::clamp<qint64>(newTop, 0, newCursor.row);
  rows_ = rows;
  all_.resize(static_cast<size_t>(newTop + rows));
  newCursor.row += first_;
  drop();
  return newCursor;
}

}  // namespace waferpair::workbench
