// SPDX-License-Identifier: GPL-3.0-or-later
// The project's tests as a tree with their states, and beside it what the chosen one printed. Space
// runs what is chosen, Return goes to its code, letters in the field above leave out what has them
// not. UI thread only.
#pragma once

#include <QTimer>
#include <QWidget>

#include "gui/testing/test_parts.h"
#include "workbench/testing/test_plan.h"

class QAction;
class QLineEdit;
class QMenu;
class QPlainTextEdit;
class QPushButton;
class QSortFilterProxyModel;
class QSplitter;
class QTreeView;

namespace waferpair::gui {

class ElidedLabel;
class TestBook;
class TestRunner;
class TestTree;

class TestsPanel : public QWidget {
  Q_OBJECT
 public:
  // All outlive this.
  TestsPanel(const TestParts& parts, TestBook* book, TestRunner* runner, QWidget* parent);

  // Gives the list the keyboard.
  void enter();
  // Shows the row of this test, and what it printed.
  void choose(const workbench::TestId& id);
  void chooseBuild();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void layOut();
  void showFiles();
  void show(bool isRebuilt);
  void showButtons();
  void showOutput();
  void runChosen();
  void debugChosen();
  void goTo();
  void fixChosen();
  QModelIndex current() const;  // of the tree's own model
  QMenu* makeMenu();

  TestParts p_;
  TestBook* book_;
  TestRunner* runner_;
  TestTree* model_;
  QSortFilterProxyModel* shown_;
  QLineEdit* filter_;
  ElidedLabel* state_;
  QPushButton* runAll_;
  QPushButton* runFailed_;
  QPushButton* cancel_;
  QPushButton* run_;
  QPushButton* fix_;
  QTreeView* tree_;
  QPlainTextEdit* output_;
  QSplitter* splitter_;
  QTimer outputSoon_{this};
};

}  // namespace waferpair::gui
