// SPDX-License-Identifier: GPL-3.0-or-later
// What a task's output finds wrong in the project's files. Values.
#pragma once

#include <QHash>

#include "workbench/language/diagnostic.h"
#include "workbench/tasks/task.h"

namespace waferpair::gui {

// Returns errors and warnings by absolute path, as told: ranges are those that a file has as it was
// built, columns count bytes. Mere mentions of a place ("in file included from") are left out, and
// an error is there once. Paths are looked up on the disk, as the task's folder has them and as
// make says where it is; `files`, relative to `folder`, are those that a path elsewhere may mean.
// Places outside of `folder` are left out. Any thread but the UI's.
QHash<QString, QVector<workbench::Diagnostic>> taskProblems(const QString& output,
                                                            const workbench::Task& task,
                                                            const QString& folder,
                                                            const QStringList& files);

}  // namespace waferpair::gui
