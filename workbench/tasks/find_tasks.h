// SPDX-License-Identifier: GPL-3.0-or-later
// The tasks of a project, as its own files tell of them: CMake (presets and build folders), make,
// Meson, Cargo, Go, npm and its kin, Python, and tasks that somebody wrote down. Files are read,
// and nothing is run. Any thread.
#pragma once

#include "workbench/tasks/task.h"

namespace waferpair::workbench {

// Looks in `folder` (absolute) and the folders directly in it. Tasks of .waferpair/tasks.json come
// first, those of `ownFile` (the user's; need not be there) next.
Tasks findTasks(const QString& folder, const QString& ownFile);

// Returns the folders in which CMake has configured something, relative to `folder`: in it, or one
// deeper, as "build/release".
QStringList cmakeBuildFolders(const QString& folder);

}  // namespace waferpair::workbench
