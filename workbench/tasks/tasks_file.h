// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks that people write down, of a project or of their own: a JSON file with comments,
//
//   {"tasks": [{"name": "serve", "command": "python3 -m http.server 0" or ["program", "argument"],
//               "kind": "build" or "test" or "run", "folder": "docs", "background": true,
//               "environment": {"NAME": "value"}, "problems": ["^(?<path>\\S+):(?<line>\\d+):
//               (?<message>.*)"]}]}
//
// in which all but name and command may be left out. Values.
#pragma once

#include "workbench/tasks/task.h"

namespace waferpair::workbench {

// Below a project's folder.
inline constexpr char kProjectTasks[] = ".waferpair/tasks.json";
inline constexpr qsizetype kMostTasks = 500;  // of a file

// `folder`: the open one, absolute; `file`: the file's name, for problems.
Tasks readTasksFile(const QByteArray& json, const QString& folder, const QString& file);

// What a file begins with that is made for the user to edit.
QByteArray tasksFileTemplate();

}  // namespace waferpair::workbench
