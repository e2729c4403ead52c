// SPDX-License-Identifier: GPL-3.0-or-later
// What is seen of a program that is debugged: its calls, its values, watched expressions, the
// breakpoints, the console, the instructions. Side by side where there is room, else in tabs. UI
// thread only.
#pragma once

#include <QWidget>

#include "gui/debug/debug_parts.h"
#include "workbench/debug/breakpoints.h"
#include "workbench/debug/variables_model.h"

class QSplitter;
class QStackedWidget;
class QTabBar;

namespace waferpair::gui {

class BreakpointList;
class DebugConsole;
class DebugRunner;
class DisassemblyView;
class StackView;
class VariablesView;

class DebugPanel : public QWidget {
  Q_OBJECT
 public:
  DebugPanel(const DebugParts& parts, DebugRunner* runner, QWidget* parent);

  workbench::VariablesModel* variables() { return &variables_; }
  workbench::VariablesModel* watches() { return &watches_; }
  DebugConsole* console() { return console_; }
  DisassemblyView* disassembly() { return disassembly_; }
  BreakpointList* breakpoints() { return breakpoints_; }

  // Gives the keyboard to the values, or to the page in front.
  void enter();
  enum class Page { kStack, kVariables, kWatches, kConsole, kBreakpoints, kDisassembly };
  // Shows that page and gives it the keyboard.
  void enterPage(Page page);
  void watch(const QString& expression);
  // Brings the instructions to the front; the keyboard stays where it is.
  void showDisassembly();

 Q_SIGNALS:
  void editWanted(const waferpair::workbench::Breakpoint& breakpoint);
  void goToWanted(const waferpair::workbench::Breakpoint& breakpoint);
  // The text where the program stands is to have the keyboard.
  void textWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeWatches();
  QWidget* widgetOf(Page page) const;
  void addPage(Page page, int index);
  void bring(Page page);
  void arrange(bool inTabs);
  void followSession();

  DebugParts p_;
  DebugRunner* runner_;
  workbench::VariablesModel variables_{workbench::VariablesModel::Kind::kFrame};
  workbench::VariablesModel watches_{workbench::VariablesModel::Kind::kWatches};
  StackView* stack_;
  VariablesView* variablesView_;
  VariablesView* watchesView_;
  QWidget* watchesPage_;
  DebugConsole* console_;
  BreakpointList* breakpoints_;
  DisassemblyView* disassembly_;
  QSplitter* columns_;
  QTabBar* tabs_;
  QStackedWidget* pages_;
  bool inTabs_ = false;
  bool isNewStop_ = false;
};

}  // namespace waferpair::gui
