// SPDX-License-Identifier: GPL-3.0-or-later
// The git repositories of a window's folders, and what the window does with them: the states of
// files in the tree, the changes of open texts; and of the folder that the text in front lies in
// the branch, the panels of changes and of the log, the jobs that the user's own git does. UI
// thread only.
#pragma once

#include <QObject>
#include <map>
#include <memory>

#include "gui/git/git_parts.h"
#include "workbench/git/git_jobs.h"
#include "workbench/git/git_watch.h"

class QDockWidget;
class QMainWindow;

namespace waferpair::gui {

class BranchActions;
class ChangeBars;
class ChangesPanel;
class FileActions;
class FileBlame;
class GitComparisons;
class HunkActions;
class LineBlame;
class LogPanel;
class OperationBar;
class ReviewChoices;
class StatusRow;
class WorktreeActions;

class GitTools : public QObject {
  Q_OBJECT
 public:
  // The window owns the docks.
  GitTools(const GitParts& parts, QMainWindow* window);

  workbench::GitWatch* watch() { return &watch_; }
  // Reads all of them again.
  void refresh();
  workbench::GitJobs* jobs() { return &jobs_; }
  ChangeBars* bars() { return bars_; }
  HunkActions* hunks() { return hunks_; }
  FileActions* files() { return files_; }
  GitComparisons* comparisons() { return comparisons_; }
  BranchActions* branches() { return branches_; }
  LineBlame* blame() { return blame_; }
  FileBlame* fileBlame() { return fileBlame_; }
  WorktreeActions* worktrees() { return worktrees_; }
  ReviewChoices* reviews() { return reviews_; }
  ChangesPanel* panel() { return panel_; }
  LogPanel* log() { return log_; }
  OperationBar* operation();
  // Where the changes and the log are; hidden until somebody asks.
  QDockWidget* dock() { return dock_; }
  QDockWidget* logDock() { return logDock_; }
  void showPanel();
  // The commits that changed this file, absolute; empty: those of the project.
  void showLog(const QString& path);
  // Of the text in front.
  void showFileLog();
  // The log of the file, absolute, with this commit, in hex, chosen.
  void showCommit(const QByteArray& commit, const QString& path);
  void addStatus(StatusRow* row);

 private:
  void showMarks();
  // One watch for each folder but that of the text in front.
  void watchOthers();

  GitParts p_;
  workbench::GitWatch watch_;  // of the folder in front
  std::map<QString, std::unique_ptr<workbench::GitWatch>> others_;
  workbench::GitJobs jobs_;
  ChangeBars* bars_;
  FileActions* files_;
  HunkActions* hunks_;
  GitComparisons* comparisons_;
  BranchActions* branches_;
  LineBlame* blame_;
  FileBlame* fileBlame_;
  WorktreeActions* worktrees_;
  ReviewChoices* reviews_;
  QDockWidget* dock_;
  ChangesPanel* panel_;
  QDockWidget* logDock_;
  LogPanel* log_;
};

}  // namespace waferpair::gui
