// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be debugged: a program that is started, a process that runs, or the core of one that
// died. Launch configurations of a project are read from .waferpair/launch.json and VS Code's
// .vscode/launch.json, which have one form:
//
//   {"configurations": [{"name": "serve", "type": "debugpy", "request": "launch" or "attach",
//                        "program": "${workspaceFolder}/serve.py", "args": ["8000"], "cwd": "docs",
//                        "env": {"NAME": "value"}, "preLaunchTask": "build", ...}]}
//
// Whatever else a configuration has goes to the adapter as it is. Values.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QVector>

#include "programs/given_start.h"
#include "workbench/debug/debug_adapter.h"

namespace waferpair::workbench {

struct DebugLaunch {
  QString name;  // for people
  // Which adapter: its id or a type that it goes by; empty: one for `language`.
  QString type;
  QString language;  // the editor's name; for where there is no `type`

  QString program;  // absolute; of a program of machine code also for processes and cores
  QStringList arguments;
  QString folder;           // where it runs, absolute; empty: the project's
  QStringList environment;  // "NAME=value"
  enum class Where { kUsual, kTerminal, kConsole };
  Where where = Where::kUsual;  // its input and output are

  qint64 process = 0;  // to attach to; 0: none
  QString core;        // to look at, absolute; empty: none
  bool stopsAtEntry = false;

  QString task;  // that is run first, by its name; it has to end well
  // For the adapter as they are, in place of what follows from the above.
  QJsonObject own;
  bool isAttach = false;
  QString source;  // the file that has it, relative to the project's; empty: the user chose it
  QString project = {};  // the open folder that it is of, absolute; empty: it is not known

  bool ends() const { return !isAttach && core.isEmpty(); }  // the program, with the session
  bool operator==(const DebugLaunch&) const = default;
};

struct DebugLaunches {
  QVector<DebugLaunch> launches;
  QStringList problems;  // sentences; what is wrong is left out of `launches`
};

// Below a project's folder.
inline constexpr char kProjectLaunches[] = ".waferpair/launch.json";
inline constexpr char kForeignLaunches[] = ".vscode/launch.json";

// `file`: its name relative to the project's folder.
DebugLaunches readLaunchFile(const QByteArray& json, const QString& file);
// Those of both files of a project. Any thread.
DebugLaunches findLaunches(const QString& folder);
// Returns what the project in `folder` gives for the launch: all of its configuration, variables as
// they stand there, and of the task that is run first (`task`, as that is given); no words of its
// own where the user chose what is debugged.
programs::GivenStart startOf(const DebugLaunch& launch, const QString& folder,
                             const QJsonObject& task);

// What a file begins with that is made for the user to edit.
QByteArray launchFileTemplate();

// What the text in front and the project give to a launch that asks for it.
struct DebugPlace {
  QString folder;  // the open one, absolute
  QString file;    // absolute; empty: no file is in front
  int line = 0;    // from 1
  QString selection;
};

// A launch with its variables replaced, as VS Code names them (${file}, ${env:HOME}, ...).
struct ExpandedLaunch {
  DebugLaunch launch;
  // ${command:pickProcess} is in it: `launch.process` is wanted.
  bool wantsProcess = false;
  QString problem;  // a sentence; empty: none
};
ExpandedLaunch expanded(const DebugLaunch& launch, const DebugPlace& place);

// The request that begins it, "launch" or "attach", and its arguments for this adapter.
QString requestOf(const DebugLaunch& launch);
QJsonObject argumentsFor(const DebugLaunch& launch, const DebugAdapter& adapter);

}  // namespace waferpair::workbench
