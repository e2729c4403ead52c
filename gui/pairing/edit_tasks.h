// SPDX-License-Identifier: GPL-3.0-or-later
// The ready tasks that the bar for edits in place offers: those that are commands, and the user's
// own, of the project and of the program's configuration. UI thread only.
#pragma once

#include <QDateTime>
#include <QString>
#include <QVector>
#include <functional>
#include <optional>

#include "pairing/edits/ready_task.h"

namespace waferpair::gui {

class EditTasks {
 public:
  // Below a project's folder.
  static constexpr char kProjectFile[] = ".waferpair/edit-tasks.json";
  static constexpr char kUserFile[] = "edit-tasks.json";

  struct Row {
    QString name;
    QString instruction;        // as the history has it; empty: it has none of its own
    QString command;            // its id; empty: the task is the user's own
    pairing::ReadyTask task{};  // of the user's own
  };

  // `folder`: of the project, absolute; empty: none.
  EditTasks(QString configDirectory, std::function<QString()> folder);

  // Adds a task that the command `id` runs.
  void addCommand(const QString& id, const QString& name, const QString& instruction);
  // The user's own, the project's first, and then those of commands; of each, those in `history`
  // (latest first) come before the others. Files that changed since are read anew.
  QVector<Row> rows(const QStringList& history);
  // Why tasks of the user's own are missing, as of the last rows(); empty: none are.
  QString problem() const;

 private:
  struct OwnFile {
    QString path;
    QDateTime modified;  // invalid: there is no such file
    qint64 size = -1;
    pairing::ReadyTasks read{};
  };
  static void refresh(OwnFile* file, const QString& path, const QString& shown);

  QString configDirectory_;
  std::function<QString()> folder_;
  QVector<Row> commands_;
  OwnFile project_;
  OwnFile user_;
};

}  // namespace waferpair::gui
