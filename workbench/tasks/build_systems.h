// SPDX-License-Identifier: GPL-3.0-or-later
// What each build system has to offer in one folder. Only for find_tasks.cpp and tests.
#pragma once

#include "workbench/tasks/task.h"

namespace waferpair::workbench {

// Each returns no tasks where the folder is none of its own. Damaged files have none, or fewer.
QVector<Task> cmakeTasks(const QString& folder);
QVector<Task> makeTasks(const QString& folder);
QVector<Task> mesonTasks(const QString& folder);
QVector<Task> cargoTasks(const QString& folder);
QVector<Task> goTasks(const QString& folder);
QVector<Task> scriptTasks(const QString& folder);  // of package.json
QVector<Task> pythonTasks(const QString& folder);

// -- What they share

inline constexpr qsizetype kMostOfSystem = 200;  // tasks of one system in one folder
inline constexpr qint64 kLargestFile = 1 << 20;  // bytes

// Returns a file's bytes; empty for one that is not there or beyond 1 MiB.
QByteArray bytesOfFile(const QString& path);

// Collects tasks of one source and folder.
class TaskList {
 public:
  TaskList(QString source, QString folder)
      : source_(std::move(source)), folder_(std::move(folder)) {}

  bool has(const QString& file) const;
  QString path(const QString& file) const { return folder_ + u'/' + file; }
  // `words`: the program and its arguments.
  void add(const QString& name, TaskKind kind, QStringList words, bool isBackground = false);
  const QVector<Task>& tasks() const { return tasks_; }

 private:
  QString source_;
  QString folder_;
  QVector<Task> tasks_;
};

}  // namespace waferpair::workbench
