// SPDX-License-Identifier: GPL-3.0-or-later
// The debugger of a window: sessions, breakpoints, its panel and bar, made and put together in one
// place. Whoever wants something debugged calls debug(). UI thread only.
#pragma once

#include <QObject>

#include "gui/debug/breakpoint_margin.h"
#include "gui/debug/debug_chooser.h"
#include "gui/debug/debug_panel.h"
#include "gui/debug/debug_runner.h"

class QDockWidget;

namespace waferpair::gui {

class CommandRegistry;
class DebugBar;
class StopView;

class DebugTools : public QObject {
  Q_OBJECT
 public:
  // The window owns the dock and the bar.
  explicit DebugTools(const DebugParts& parts);

  // Debugs a program, for instance one test:
  //   tools->debug({.name = "test_x", .language = "C++", .program = "/p/build/bin/test_x",
  //                 .arguments = {"one"}, .folder = "/p", .task = "build build"});
  // What is wrong (no adapter, no such program) is said in a notice.
  void debug(const workbench::DebugLaunch& launch) { runner_.debug(launch); }
  // Something is debugged, or about to be.
  bool isBusy() const { return runner_.isBusy(); }

  DebugRunner* runner() { return &runner_; }
  DebugChooser* chooser() { return &chooser_; }
  BreakpointMargin* margin() { return &margin_; }
  DebugPanel* panel() { return panel_; }
  DebugBar* bar() { return bar_; }
  // Hidden until somebody asks.
  QDockWidget* dock() { return dock_; }
  void showPage(DebugPanel::Page page);

  // -- What commands do about the caret's line
  void editBreakpoint(const workbench::Breakpoint& breakpoint);
  void runToCaret();
  void watchAtCaret();
  // By instructions where the disassembly has the keyboard.
  void step(workbench::DebugSession::Step step);

 private:
  void showStop();

  DebugParts p_;
  DebugRunner runner_;
  DebugChooser chooser_;
  BreakpointMargin margin_;
  QDockWidget* dock_;
  DebugPanel* panel_;
  StopView* stopView_;
  DebugBar* bar_;
  bool wasShown_ = false;  // in this session
};

}  // namespace waferpair::gui
