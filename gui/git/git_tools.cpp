// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/git_tools.h"

#include <QDockWidget>
#include <QMainWindow>

#include "gui/documents/editor_tabs.h"
#include "gui/git/branch_actions.h"
#include "gui/git/branch_status.h"
#include "gui/git/change_bars.h"
#include "gui/git/changes_panel.h"
#include "gui/git/file_blame.h"
#include "gui/git/git_comparisons.h"
#include "gui/git/git_marks.h"
#include "gui/git/hunk_actions.h"
#include "gui/git/job_status.h"
#include "gui/git/line_blame.h"
#include "gui/git/log_panel.h"
#include "gui/git/review_choices.h"
#include "gui/git/worktree_actions.h"
#include "gui/kit/dock_title.h"
#include "gui/project/folder_tree.h"
#include "gui/project/workspace.h"

namespace waferpair::gui {

using workbench::GitWatch;

GitTools::GitTools(const GitParts& parts, QMainWindow* window)
    : QObject(window),
      p_(parts),
      bars_(new ChangeBars(parts.tabs, this)),
      files_(new FileActions(parts, &watch_, &jobs_, this)),
      hunks_(new HunkActions(parts, bars_, files_, &jobs_, this)),
      comparisons_(new GitComparisons(parts, files_, &jobs_, this)),
      branches_(new BranchActions(parts, files_, &jobs_, this)),
      blame_(new LineBlame(parts, files_, &jobs_, this)),
      fileBlame_(new FileBlame(parts, files_, &watch_, this)),
      worktrees_(new WorktreeActions(parts, files_, &jobs_, this)),
      reviews_(new ReviewChoices(parts, files_, &watch_, &jobs_, this)),
      dock_(new QDockWidget(tr("Changes"), window)),
      panel_(new ChangesPanel(parts, files_, &watch_, &jobs_, dock_)),
      logDock_(new QDockWidget(tr("Log"), window)),
      log_(new LogPanel(parts, files_, branches_, comparisons_, &watch_, logDock_)) {
  jobs_.setTrust(workbench::GitTrust(parts.isTrusted));
  const auto layOut = [window](QDockWidget* dock, const char* name, QWidget* content) {
    dock->setObjectName(QLatin1String(name));
    new DockTitle(dock);
    dock->setWidget(content);
    window->addDockWidget(Qt::BottomDockWidgetArea, dock);
    dock->hide();
  };
  layOut(dock_, "changesDock", panel_);
  layOut(logDock_, "logDock", log_);
  connect(parts.workspace, &Workspace::folderChanged, &watch_, &GitWatch::setFolder);
  connect(&watch_, &GitWatch::changed, this, &GitTools::showMarks);
  connect(&watch_, &GitWatch::changed, bars_, &ChangeBars::refresh);
  connect(fileBlame_, &FileBlame::commitWanted, this, &GitTools::showCommit);
  connect(blame_, &LineBlame::commitWanted, this, &GitTools::showCommit);
  connect(log_, &LogPanel::reviewWanted, reviews_, &ReviewChoices::review);
  connect(panel_, &ChangesPanel::fileWanted, this, [this](const QString& path, int line) {
    p_.tabs->open(path, {.then = [line](Document* document) {
                    if (document && line >= 0) document->editor()->goToLine(line);
                  }});
  });
}

void GitTools::showPanel() {
  dock_->show();
  dock_->raise();
  panel_->enterMessage();
}

void GitTools::showLog(const QString& path) {
  logDock_->show();
  logDock_->raise();
  log_->showLog(path);
  log_->enter();
}

void GitTools::showFileLog() {
  const Document* document = p_.tabs->current();
  if (!document) return;
  if (document->path().isEmpty()) return files_->say(tr("This text has no file yet."));
  showLog(document->path());
}

void GitTools::showCommit(const QByteArray& commit, const QString& path) {
  logDock_->show();
  logDock_->raise();
  log_->showLog(path);
  log_->choose(QString::fromLatin1(commit));
  log_->enter();
}

OperationBar* GitTools::operation() { return panel_->operation(); }

void GitTools::addStatus(StatusRow* row) {
  row->addRow(new JobStatus(&jobs_, row));
  auto* branch = new BranchStatus(&watch_, row);
  connect(branch, &BranchStatus::choiceWanted, branches_, &BranchActions::choose);
  row->addRow(branch);
}

void GitTools::showMarks() {
  if (!watch_.status()) return p_.tree->setMarker({});
  p_.tree->setMarker([status = watch_.status()](const QString& path) {
    const auto folder = status->folders.constFind(path);
    const bool isAround = folder != status->folders.cend() && !status->files.contains(path);
    return isAround ? gitFolderMark(*folder) : gitMark(status->stateOf(path));
  });
}

}  // namespace waferpair::gui
