// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/worktrees.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "editor/text/guest_file.h"
#include "editor/text/path_bytes.h"
#include "editor/text/translate.h"
#include "workbench/git/repository.h"

namespace waferpair::workbench {

namespace {

using LinkedWorktree = editor::GitOwner<git_worktree, git_worktree_free>;

// Fills in where HEAD is; a symbolic one is at a branch, also before its first commit.
void readHeadOf(git_reference* head, GitWorktree& worktree) {
  constexpr QByteArrayView kHeads = "refs/heads/";
  const QByteArray name(git_reference_type(head) == GIT_REFERENCE_SYMBOLIC
                            ? git_reference_symbolic_target(head)
                            : git_reference_name(head));
  if (name.startsWith(kHeads)) worktree.branch = QString::fromUtf8(name.mid(kHeads.size()));
  if (const git_oid* id = git_reference_target(head)) worktree.commit = git_oid_tostr_s(id);
}

// Of one whose folder is gone.
void readKeptHead(git_repository* repository, const char* name, GitWorktree& worktree) {
  constexpr qint64 kMostBytes = 4096;
  const QByteArray text =
      editor::guestBytes(editor::pathText(QByteArray(git_repository_commondir(repository)) +
                                          "worktrees/" + name + "/HEAD"),
                         kMostBytes)
          .trimmed();
  if (text.isEmpty()) return;
  constexpr QByteArrayView kRef = "ref: ";
  git_reference* head = nullptr;
  if (!text.startsWith(kRef)) {
    worktree.commit = text;
  } else if (git_reference_lookup(&head, repository, text.mid(kRef.size()).constData()) == 0) {
    const editor::GitReference at(head);
    readHeadOf(head, worktree);
  }
}

GitWorktree mainWorktree(git_repository* repository) {
  git_repository* opened = nullptr;
  const char* common = git_repository_commondir(repository);
  GitWorktree main;
  main.path = QDir::cleanPath(editor::pathText(common));
  main.isMain = main.isBare = true;
  if (git_repository_open(&opened, common) != 0) return main;
  const editor::GitRepository owner(opened);
  if (const char* work = git_repository_workdir(opened)) {
    main.path = QDir::cleanPath(editor::pathText(work));
    main.isBare = false;
    git_reference* head = nullptr;
    if (git_repository_head(&head, opened) != 0) git_reference_lookup(&head, opened, "HEAD");
    const editor::GitReference at(head);
    if (head) readHeadOf(head, main);
  }
  return main;
}

}  // namespace

editor::Result<QVector<GitWorktree>> gitWorktrees(const QString& folder) {
  const auto repository = openRepository(folder);
  if (!repository) return tl::unexpected(repository.error());
  if (!*repository) return editor::fail(translate("%1 is in no git repository.").arg(folder));
  git_strarray names{};
  if (git_worktree_list(&names, repository->get()) != 0)
    return tl::unexpected(damagedRepository(folder));
  QVector<GitWorktree> worktrees;
  for (size_t i = 0; i < names.count; ++i) {
    git_worktree* found = nullptr;
    if (git_worktree_lookup(&found, repository->get(), names.strings[i]) != 0) continue;
    const LinkedWorktree linked(found);
    GitWorktree one;
    one.path = QDir::cleanPath(editor::pathText(git_worktree_path(found)));
    one.isLocked = git_worktree_is_locked(nullptr, found) > 0;
    one.isGone = git_worktree_validate(found) != 0;
    git_reference* head = nullptr;
    if (git_repository_head_for_worktree(&head, repository->get(), names.strings[i]) == 0) {
      const editor::GitReference at(head);
      readHeadOf(head, one);
    }
    if (!head) readKeptHead(repository->get(), names.strings[i], one);
    worktrees.append(one);
  }
  git_strarray_dispose(&names);
  std::sort(worktrees.begin(), worktrees.end(),
            [](const GitWorktree& a, const GitWorktree& b) { return a.path < b.path; });
  worktrees.prepend(mainWorktree(repository->get()));
  return worktrees;
}

QString worktreePlace(const QString& main, const QString& branch) {
  QString name = branch;
  name.replace(u'/', u'-');
  const QString wanted = main + u'-' + name;
  QString place = wanted;
  for (int i = 2; QFileInfo::exists(place); ++i) place = wanted + u'-' + QString::number(i);
  return place;
}

}  // namespace waferpair::workbench
