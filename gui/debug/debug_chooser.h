// SPDX-License-Identifier: GPL-3.0-or-later
// What could be debugged in a project, chosen by the user: its own configurations, the file in
// front, the programs that it has built, a process that runs, the core of one that died. UI thread
// only; files are read by a thread.
#pragma once

#include <QObject>
#include <functional>

#include "gui/debug/debug_parts.h"
#include "workbench/debug/debug_launch.h"
#include "workbench/debug/process_list.h"
#include "workbench/debug/program_list.h"

namespace waferpair::gui {

class DebugRunner;

class DebugChooser : public QObject {
  Q_OBJECT
 public:
  // Both outlive this.
  DebugChooser(const DebugParts& parts, DebugRunner* runner, QObject* parent);

  // Debugs what was debugged last; the user chooses where nothing was.
  void start();
  void choose();
  void chooseProcess();
  void chooseCore();
  // Opens the project's launch configurations, which are made where there are none.
  void edit();

 private:
  struct Found {
    workbench::DebugLaunches launches;
    QVector<workbench::BuiltProgram> programs;
  };
  void find(const QString& folder, const std::function<void(const Found&)>& found);
  void show(const Found& found);
  void chooseProcessFor(const workbench::DebugLaunch& launch);
  void askForProgram(const QString& core);
  QVector<workbench::DebugLaunch> offers(const Found& found) const;

  DebugParts p_;
  DebugRunner* runner_;
};

}  // namespace waferpair::gui
