// SPDX-License-Identifier: GPL-3.0-or-later
// A task: a command line of a project that builds, runs or tests it. Values; nothing here starts
// one.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QVector>

#include "programs/given_start.h"

namespace waferpair::workbench {

enum class TaskKind { kBuild, kTest, kRun, kOther };

struct Task {
  QString name;    // "build", as its file has it
  QString source;  // "CMake", "npm": what the file is of
  TaskKind kind = TaskKind::kOther;
  programs::ProgramCommand command;
  QString folder;             // absolute: where it runs
  QString project = {};       // the open folder whose files give it, absolute
  bool isBackground = false;  // it runs until it is ended: a server, a watcher
  // How its output names places: groups "path" and "line", perhaps "column" and "message". None:
  // the usual forms of compilers and test runners.
  QVector<QRegularExpression> forms;

  // Tells it from a project's other tasks.
  QString id() const { return source + u'\n' + folder + u'\n' + name; }
  bool operator==(const Task&) const = default;
};

struct Tasks {
  QVector<Task> tasks;
  QStringList problems;  // sentences; what is wrong is left out of `tasks`
};

// What the text in front gives to a task that asks for it.
struct TaskPlace {
  QString folder;  // the open one, absolute
  QString file;    // absolute; empty: no file is in front
  int line = 0;    // from 1
};

// Returns what the project in `folder` gives for the task: all of it where its own file of tasks
// has it, variables as they stand there; scripts of package.json and presets of CMake that it leads
// to, and marks of the makefiles, files of recipes and scripts that it runs, as they are on disk
// now. Of what only leads to the project's code (`cargo build`) the command counts; which file
// decides is told. A task that the user wrote, outside of the project, needs no word but theirs.
programs::GivenStart startOf(const Task& task, const QString& folder);

// Returns whether the task asks for the file in front: ${file}, ${relativeFile} or ${line}.
bool asksForFile(const Task& task);

// Returns the task with ${folder}, ${file}, ${relativeFile} and ${line} replaced. In a command that
// a shell reads they are quoted as one word, so a name with blanks or signs stays a name.
Task expanded(Task task, const TaskPlace& place);

}  // namespace waferpair::workbench
