// SPDX-License-Identifier: GPL-3.0-or-later
// The tests of a window's project: found, run, and shown at their lines and in a panel. UI thread
// only.
#pragma once

#include <QObject>
#include <functional>

#include "gui/testing/test_parts.h"

class QDockWidget;
class QMainWindow;

namespace waferpair::workbench {
struct WantedTest;
}

namespace waferpair::gui {

class StatusRow;
class TestBook;
class TestMargin;
class TestRunner;
class TestsPanel;

class TestTools : public QObject {
  Q_OBJECT
 public:
  // The window owns the dock.
  TestTools(const TestParts& parts, QMainWindow* window);

  TestBook* book() { return book_; }
  TestRunner* runner() { return runner_; }
  TestsPanel* panel() { return panel_; }
  // Hidden until somebody asks.
  QDockWidget* dock() { return dock_; }
  void showPanel();
  void addStatus(StatusRow* row);

  // -- Of the text in front

  // The test at the caret, or the group around it.
  void runHere();
  void runFile();
  void debugHere();
  // The failure at the caret, of the test there or of the file's first.
  void fixHere();

 private:
  // The test at the caret, or the group around it; says so where there is none.
  void withTestHere(const std::function<void(const workbench::WantedTest&)>& use);
  void say(const QString& text);

  TestParts p_;
  TestBook* book_;
  TestRunner* runner_;
  TestMargin* margin_;
  QDockWidget* dock_;
  TestsPanel* panel_;
};

}  // namespace waferpair::gui
