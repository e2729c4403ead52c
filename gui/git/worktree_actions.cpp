// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/worktree_actions.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <memory>

#include "gui/kit/banner.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/project/workspace.h"
#include "workbench/git/refs.h"

namespace waferpair::gui {

using workbench::GitJob;
using workbench::GitRef;
using workbench::GitResult;
using workbench::GitWorktree;

namespace {

QString worktreeHint(const GitWorktree& worktree) {
  QStringList words;
  if (worktree.isGone) words.append(WorktreeActions::tr("its folder is gone"));
  if (worktree.isLocked) words.append(WorktreeActions::tr("locked"));
  words.append(worktree.isBare             ? WorktreeActions::tr("bare")
               : worktree.branch.isEmpty() ? QString::fromLatin1(worktree.commit.left(10))
                                           : worktree.branch);
  return words.join(QStringLiteral(", "));
}

}  // namespace

WorktreeActions::WorktreeActions(const GitParts& parts, FileActions* actions,
                                 workbench::GitJobs* jobs, QObject* parent)
    : QObject(parent), p_(parts), actions_(actions), jobs_(jobs) {}

void WorktreeActions::read(const Take& take) {
  const QString at = actions_->folder();
  if (at.isEmpty()) return;
  auto branches = std::make_shared<QStringList>();
  auto found = std::make_shared<QVector<GitWorktree>>();
  jobs_->start(
      tr("Reading"),
      [at, branches, found](const GitJob&) -> GitResult {
        auto refs = workbench::gitRefs(at);
        if (!refs) return tl::unexpected(refs.error());
        for (const GitRef& ref : std::as_const(*refs))
          if (ref.kind == GitRef::Kind::kBranch) branches->append(ref.name);
        auto worktrees = workbench::gitWorktrees(at);
        if (!worktrees) return tl::unexpected(worktrees.error());
        *found = std::move(*worktrees);
        return QByteArray();
      },
      [this, at, branches, found, take](const GitResult& result) {
        if (!result) return actions_->say(result.error().message());
        if (actions_->folder() != at) return;
        const QVector<GitWorktree>& worktrees = *found;
        // Git has each branch in one worktree at most.
        branches->removeIf([&](const QString& branch) {
          return std::any_of(worktrees.begin(), worktrees.end(),
                             [&](const GitWorktree& each) { return each.branch == branch; });
        });
        take(worktrees, *branches);
      });
}

void WorktreeActions::choose() {
  read([this](const QVector<GitWorktree>& worktrees, const QStringList&) {
    QList<PickerItem> items;
    for (const GitWorktree& each : worktrees)
      if (!each.isBare && each.path != p_.workspace->frontFolder())
        items.append({.text = QDir::toNativeSeparators(each.path),
                      .hint = worktreeHint(each),
                      .data = each.path});
    p_.picker->open(tr("Worktrees"), tr("A worktree to open"), items,
                    [this](const QVariant& path) { Q_EMIT folderWanted(path.toString()); });
    p_.picker->setNote(
        items.isEmpty() ? tr("This repository has no other worktree.") : tr("Or another one:"),
        tr("&New Worktree…"), [this] { add(); });
  });
}

void WorktreeActions::add() {
  read([this](const QVector<GitWorktree>& worktrees, const QStringList& branches) {
    if (worktrees.isEmpty()) return;
    if (branches.isEmpty()) return askForBranch(worktrees);
    QList<PickerItem> items;
    for (const QString& branch : branches) items.append({.text = branch, .data = branch});
    p_.picker->open(tr("Branches"), tr("The branch of the new worktree"), items,
                    [this, worktrees](const QVariant& branch) {
                      askForPlace(worktrees, branch.toString(), false);
                    });
    p_.picker->setNote(tr("Or another one:"), tr("&New Branch…"),
                       [this, worktrees] { askForBranch(worktrees); });
  });
}

void WorktreeActions::askForBranch(const QVector<GitWorktree>& worktrees) {
  p_.prompt->open(
      tr("Name of the new worktree's new branch"), {}, 0,
      [](const QString& name) { return workbench::refNameProblem(name.trimmed()); },
      [this, worktrees](const QString& name) { askForPlace(worktrees, name.trimmed(), true); });
}

void WorktreeActions::askForPlace(const QVector<GitWorktree>& worktrees, const QString& branch,
                                  bool isNew) {
  const QString place = workbench::worktreePlace(worktrees.constFirst().path, branch);
  p_.prompt->open(
      tr("Folder of the new worktree of %1").arg(branch), place, 0,
      [](const QString& text) {
        const QString path = text.trimmed();
        if (!path.startsWith(u'/')) return tr("A path from / on is needed.");
        const QFileInfo file(path);
        const bool isFree = !file.exists() || (file.isDir() && QDir(path).isEmpty());
        return isFree ? QString() : tr("Something is there already.");
      },
      [this, branch, isNew](const QString& text) { make(branch, isNew, text.trimmed()); });
}

void WorktreeActions::make(const QString& branch, bool isNew, const QString& place) {
  QStringList arguments{QStringLiteral("worktree"), QStringLiteral("add")};
  if (isNew) arguments += {QStringLiteral("-b"), branch};
  arguments += {QStringLiteral("--"), place};
  if (!isNew) arguments.append(branch);
  actions_->call(tr("Adding a worktree"), arguments, [this, branch, place](bool isDone) {
    if (!isDone) return;
    p_.notices
        ->show(QStringLiteral("gitNote"), Banner::Kind::kInfo,
               tr("The worktree of %1 is in %2.").arg(branch, QDir::toNativeSeparators(place)))
        .addButton(QStringLiteral("gitOpenWorktree"), tr("&Open It"),
                   [this, place] { Q_EMIT folderWanted(place); });
  });
}

void WorktreeActions::remove() {
  read([this](const QVector<GitWorktree>& worktrees, const QStringList&) {
    const QString here = actions_->folder();
    QList<PickerItem> items;
    for (const GitWorktree& each : worktrees)
      if (!each.isMain && each.path != here)
        items.append({.text = QDir::toNativeSeparators(each.path),
                      .hint = worktreeHint(each),
                      .data = each.path});
    p_.picker->open(tr("Worktrees"), tr("A worktree to remove, with its folder"), items,
                    [this](const QVariant& path) {
                      actions_->call(tr("Removing a worktree"),
                                     {QStringLiteral("worktree"), QStringLiteral("remove"),
                                      QStringLiteral("--"), path.toString()});
                    });
    if (items.isEmpty()) p_.picker->setNote(tr("This repository has no other linked worktree."));
  });
}

}  // namespace waferpair::gui
