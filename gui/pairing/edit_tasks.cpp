// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/edit_tasks.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "editor/text/guest_file.h"

namespace waferpair::gui {
namespace {

constexpr qint64 kMostOfTasksFile = 1 << 20;  // bytes

}  // namespace

EditTasks::EditTasks(QString configDirectory, std::function<QString()> folder)
    : configDirectory_(std::move(configDirectory)), folder_(std::move(folder)) {}

void EditTasks::addCommand(const QString& id, const QString& name, const QString& instruction) {
  commands_.append({name, instruction, id});
}

void EditTasks::refresh(OwnFile* file, const QString& path, const QString& shown) {
  const QFileInfo info(path);
  const bool isThere = !path.isEmpty() && info.exists() && !info.isDir();
  const QDateTime modified = isThere ? info.lastModified() : QDateTime();
  const qint64 size = isThere ? info.size() : -1;
  if (file->path == path && file->modified == modified && file->size == size) return;
  *file = {path, modified, size};
  if (!isThere) return;
  const auto bytes = editor::readGuestFile(path, kMostOfTasksFile);
  if (!bytes) {
    file->read.problems.append(bytes.error().message());
  } else if (*bytes) {
    file->read = pairing::readReadyTasks(**bytes, shown);
  }
}

QVector<EditTasks::Row> EditTasks::rows(const QStringList& history) {
  const QString folder = folder_();
  const QString inProject = QLatin1String(kProjectFile);
  refresh(&project_, folder.isEmpty() ? QString() : folder + u'/' + inProject, inProject);
  const QString ofUser = configDirectory_ + u'/' + QLatin1String(kUserFile);
  refresh(&user_, ofUser, ofUser);
  QVector<Row> own;
  for (const OwnFile* file : {&project_, &user_})
    for (const pairing::ReadyTask& task : file->read.tasks)
      own.append({task.name, task.instruction, {}, task});
  const auto byUse = [&history](QVector<Row> rows) {
    const auto lastUse = [&history](const Row& row) {
      const qsizetype at = history.indexOf(row.instruction);
      return at < 0 ? history.size() : at;
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&lastUse](const Row& a, const Row& b) { return lastUse(a) < lastUse(b); });
    return rows;
  };
  return byUse(own) + byUse(commands_);
}

QString EditTasks::problem() const {
  return (project_.read.problems + user_.read.problems).join(u'\n');
}

}  // namespace waferpair::gui
