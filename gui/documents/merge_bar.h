// SPDX-License-Identifier: GPL-3.0-or-later
// The bar over a text with conflicts: how many there are, and buttons for what the keys do. UI
// thread only.
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace waferpair::gui {

class ElidedLabel;
class MergeConflicts;

class MergeBar : public QFrame {
  Q_OBJECT
 public:
  MergeBar(MergeConflicts* conflicts, QWidget* parent);

 private:
  void refresh();

  MergeConflicts* conflicts_;
  ElidedLabel* count_;
  QList<QPushButton*> here_;  // for the conflict at the caret
};

}  // namespace waferpair::gui
