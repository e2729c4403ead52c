// SPDX-License-Identifier: GPL-3.0-or-later
// Says what a panel does without a model that follows instructions, and how to come by one. UI
// thread only.
#pragma once

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;

namespace waferpair::gui {

class NoModelNote : public QWidget {
  Q_OBJECT
 public:
  // The names of its parts begin with `panel`: "askNoModel", "askChooseModel".
  NoModelNote(const QString& panel, QWidget* parent);

  void setText(const QString& text);
  QString text() const;
  // Sets what the two buttons run; null: there is no such button.
  void setModelActions(QAction* choose, QAction* get);

 private:
  QLabel* text_;
  QPushButton* choose_;
  QPushButton* get_;
};

}  // namespace waferpair::gui
