// SPDX-License-Identifier: GPL-3.0-or-later
// The middle depth of a token's way: an op on its block of PEs, and its closed form term by term.
// UI thread only.
#pragma once

#include <QWidget>
#include <vector>

#include "runtime/protocol/token_way.h"

class QLabel;
class QTableWidget;

namespace waferpair::view {
class BlockPicture;
}

namespace waferpair::gui {

class OpPage : public QWidget {
  Q_OBJECT
 public:
  explicit OpPage(QWidget* parent = nullptr);

  void clear();
  void showOp(const protocol::OpWay& op, const protocol::TokenWay& way);
  // The place within the row's time, in cycles from where the op begins: the term that has it is
  // marked.
  void setOffset(double cycles);

 private:
  QLabel* title_;
  view::BlockPicture* picture_;
  QTableWidget* terms_;
  std::vector<double> ends_;  // of the terms, in cycles
};

}  // namespace waferpair::gui
