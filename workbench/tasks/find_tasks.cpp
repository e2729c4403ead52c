// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tasks/find_tasks.h"

#include <QDir>

#include "editor/text/guest_file.h"
#include "editor/text/translate.h"
#include "workbench/tasks/build_systems.h"
#include "workbench/tasks/tasks_file.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostFolders = 64;

void addFile(const QString& path, const QString& shown, const QString& folder, Tasks* all) {
  const auto bytes = editor::readGuestFile(path, kLargestFile);
  if (!bytes) all->problems.append(bytes.error().message());
  if (!bytes || !*bytes) return;
  const Tasks read = readTasksFile(**bytes, folder, shown);
  all->tasks += read.tasks;
  all->problems += read.problems;
}

// Folders with what others wrote, or a build did, have no tasks of this project.
bool isLookedInto(const QString& name) {
  static const QStringList others = {QStringLiteral("node_modules"), QStringLiteral("build"),
                                     QStringLiteral("target"),       QStringLiteral("vendor"),
                                     QStringLiteral("dist"),         QStringLiteral("out"),
                                     QStringLiteral("third_party"),  QStringLiteral("venv")};
  return !name.startsWith(u'.') && !others.contains(name);
}

}  // namespace

Tasks findTasks(const QString& folder, const QString& ownFile) {
  Tasks all;
  addFile(folder + u'/' + QLatin1String(kProjectTasks), QLatin1String(kProjectTasks), folder, &all);
  if (!ownFile.isEmpty()) addFile(ownFile, QDir::toNativeSeparators(ownFile), folder, &all);
  QStringList folders = {folder};
  for (const QString& name :
       QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name)) {
    if (folders.size() >= kMostFolders) break;
    if (isLookedInto(name)) folders.append(folder + u'/' + name);
  }
  for (const QString& each : std::as_const(folders)) {
    // A part of a CMake project is no project.
    if (each == folder) all.tasks += cmakeTasks(each);
    all.tasks += makeTasks(each) + mesonTasks(each) + cargoTasks(each) + goTasks(each) +
                 scriptTasks(each) + pythonTasks(each);
  }
  for (Task& task : all.tasks) task.project = folder;
  return all;
}

}  // namespace waferpair::workbench
