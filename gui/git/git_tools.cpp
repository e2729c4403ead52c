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
  // Opened again it is read again.
  connect(parts.workspace, &Workspace::folderChanged, this, [this](const QString& folder) {
    if (folder == p_.workspace->frontFolder()) watch_.setFolder(folder);
  });
  connect(parts.workspace, &Workspace::frontFolderChanged, this, [this](const QString& folder) {
    watch_.setFolder(folder);
    watchOthers();
  });
  connect(parts.workspace, &Workspace::foldersChanged, this, &GitTools::watchOthers);
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

void GitTools::watchOthers() {
  const QStringList folders = p_.workspace->folders();
  const QString front = p_.workspace->frontFolder();
  std::erase_if(others_, [&](const auto& each) {
    return each.first == front || !folders.contains(each.first);
  });
  for (const QString& folder : folders) {
    if (folder == front || others_.contains(folder)) continue;
    auto watch = std::make_unique<GitWatch>();
    connect(watch.get(), &GitWatch::changed, this, &GitTools::showMarks);
    connect(watch.get(), &GitWatch::changed, bars_, &ChangeBars::refresh);
    watch->setFolder(folder);
    others_.emplace(folder, std::move(watch));
  }
  showMarks();
}

void GitTools::refresh() {
  watch_.refresh();
  for (const auto& [folder, watch] : others_) watch->refresh();
}

void GitTools::showMarks() {
  using workbench::GitStatus;
  QHash<QString, std::shared_ptr<const GitStatus>> known;  // by open folder
  if (watch_.status()) known[p_.workspace->frontFolder()] = watch_.status();
  for (const auto& [folder, watch] : others_)
    if (watch->status()) known[folder] = watch->status();
  if (known.isEmpty()) return p_.tree->setMarker({});
  p_.tree->setMarker([known, workspace = p_.workspace](const QString& path) {
    const auto status = known.value(workspace->folderOf(path));
    if (!status) return FileMark();
    const auto folder = status->folders.constFind(path);
    const bool isAround = folder != status->folders.cend() && !status->files.contains(path);
    return isAround ? gitFolderMark(*folder) : gitMark(status->stateOf(path));
  });
}

}  // namespace waferpair::gui
