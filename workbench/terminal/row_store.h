// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a terminal: those of its screen, and those that scrolled off it. Rows are counted
// from the first one ever, so that a number means the same row until the next change of width.
#pragma once

#include <deque>

#include "workbench/terminal/cell.h"

namespace waferpair::workbench {

// A place between cells.
struct CellPlace {
  qint64 row = 0;
  int column = 0;
  auto operator<=>(const CellPlace&) const = default;
};

class RowStore {
 public:
  // Of rows that scrolled off `most` are kept, 0 or more.
  RowStore(int rows, int columns, int most);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  qint64 first() const { return first_; }
  // The number of the screen's first row.
  qint64 top() const { return end() - rows_; }
  qint64 end() const { return first_ + static_cast<qint64>(all_.size()); }

  // `row` is from first() to end() - 1.
  const Row& row(qint64 row) const { return all_[static_cast<size_t>(row - first_)]; }
  Row& row(qint64 row) { return all_[static_cast<size_t>(row - first_)]; }
  // `row` is from 0 to rows() - 1.
  Row& screen(int row) { return all_[all_.size() - static_cast<size_t>(rows_ - row)]; }

  // Moves rows [from, to) of the screen up by `by`, which is at most their number; empty ones come
  // in below. With `keeps` what leaves above is kept, which takes `from` to be 0.
  void scrollUp(int from, int to, int by, bool keeps);
  // The same downwards; nothing is kept.
  void scrollDown(int from, int to, int by);
  void clearScrollback();
  void setMost(int most);

  // Wraps lines anew. Returns where `cursor` is then: on the screen.
  CellPlace resize(int rows, int columns, CellPlace cursor);

 private:
  void drop();

  int rows_;
  int columns_;
  int most_;
  qint64 first_ = 0;
  std::deque<Row> all_;  // of at least rows_
};

}  // namespace waferpair::workbench
