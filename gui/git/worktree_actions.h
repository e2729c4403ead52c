// SPDX-License-Identifier: GPL-3.0-or-later
// What the user does with the worktrees of a repository: listed, opened, added and removed by the
// user's own git, which removes none that has changes. UI thread only.
#pragma once

#include <QObject>
#include <functional>

#include "gui/git/file_actions.h"
#include "workbench/git/worktrees.h"

namespace waferpair::gui {

class WorktreeActions : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  WorktreeActions(const GitParts& parts, FileActions* actions, workbench::GitJobs* jobs,
                  QObject* parent = nullptr);

  // Lists them, to open one.
  void choose();
  // Of a branch that is chosen, or of a new one, in a folder that the user names.
  void add();
  void remove();

 Q_SIGNALS:
  void folderWanted(const QString& folder);

 private:
  // With the worktrees and the branches that none of them has.
  using Take = std::function<void(const QVector<workbench::GitWorktree>& worktrees,
                                  const QStringList& branches)>;
  void read(const Take& take);
  void askForBranch(const QVector<workbench::GitWorktree>& worktrees);
  void askForPlace(const QVector<workbench::GitWorktree>& worktrees, const QString& branch,
                   bool isNew);
  void make(const QString& branch, bool isNew, const QString& place);

  GitParts p_;
  FileActions* actions_;
  workbench::GitJobs* jobs_;
};

}  // namespace waferpair::gui
