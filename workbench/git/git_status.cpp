// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/git_status.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QSet>
#include <algorithm>
#include <vector>

#include "editor/text/path_bytes.h"
#include "editor/text/translate.h"
#include "workbench/git/repository.h"
#include "workbench/git/submodules.h"

namespace waferpair::workbench {

using editor::GitDiff;
using editor::GitIndex;
using editor::GitObject;
using editor::GitReference;
using editor::GitRepository;

namespace {

constexpr int kCommitDigits = 10;

QString folderOf(const char* path) { return QDir::cleanPath(editor::pathText(path)); }

QString aboveOf(const QString& path) {
  return path.left(std::max<qsizetype>(0, path.lastIndexOf(u'/')));
}

GitState stateOfDelta(git_delta_t delta) {
  switch (delta) {
    case GIT_DELTA_ADDED:
    case GIT_DELTA_COPIED:
      return GitState::kAdded;
    case GIT_DELTA_DELETED:
      return GitState::kDeleted;
    case GIT_DELTA_MODIFIED:
    case GIT_DELTA_RENAMED:
    case GIT_DELTA_TYPECHANGE:
    case GIT_DELTA_UNREADABLE:
      return GitState::kModified;
    case GIT_DELTA_IGNORED:
      return GitState::kIgnored;
    case GIT_DELTA_UNTRACKED:
      return GitState::kUntracked;
    case GIT_DELTA_CONFLICTED:
      return GitState::kConflict;
    default:
      return GitState::kUnchanged;
  }
}

GitOperation operationOf(git_repository* repository) {
  switch (git_repository_state(repository)) {
    case GIT_REPOSITORY_STATE_MERGE:
      return GitOperation::kMerge;
    case GIT_REPOSITORY_STATE_REVERT:
    case GIT_REPOSITORY_STATE_REVERT_SEQUENCE:
      return GitOperation::kRevert;
    case GIT_REPOSITORY_STATE_CHERRYPICK:
    case GIT_REPOSITORY_STATE_CHERRYPICK_SEQUENCE:
      return GitOperation::kCherryPick;
    case GIT_REPOSITORY_STATE_BISECT:
      return GitOperation::kBisect;
    case GIT_REPOSITORY_STATE_REBASE:
    case GIT_REPOSITORY_STATE_REBASE_INTERACTIVE:
    case GIT_REPOSITORY_STATE_REBASE_MERGE:
      return GitOperation::kRebase;
    case GIT_REPOSITORY_STATE_APPLY_MAILBOX:
    case GIT_REPOSITORY_STATE_APPLY_MAILBOX_OR_REBASE:
      return GitOperation::kApply;
    default:
      return GitOperation::kNone;
  }
}

// Fills in the branch, the commit and the upstream. False: HEAD can't be read.
bool readHead(git_repository* repository, GitStatus& status) {
  git_reference* found = nullptr;
  const int code = git_repository_head(&found, repository);
  const GitReference head(found);
  if (code == GIT_EUNBORNBRANCH) {
    git_reference* symbolic = nullptr;
    if (git_reference_lookup(&symbolic, repository, "HEAD") != 0) return false;
    const GitReference unborn(symbolic);
    QString name = QString::fromUtf8(git_reference_symbolic_target(unborn.get()));
    const QLatin1String heads("refs/heads/");
    status.branch = name.startsWith(heads) ? name.mid(heads.size()) : name;
    return true;
  }
  if (code != 0) return false;
  const git_oid* commit = git_reference_target(head.get());
  if (commit) status.commit = QString::fromLatin1(git_oid_tostr_s(commit)).left(kCommitDigits);
  if (!git_reference_is_branch(head.get())) return true;
  status.branch = QString::fromUtf8(git_reference_shorthand(head.get()));
  const GitReference upstream = upstreamOf(head.get());
  if (!upstream) return true;
  const git_oid* theirs = git_reference_target(upstream.get());
  size_t ahead = 0, behind = 0;
  if (!commit || !theirs ||
      git_graph_ahead_behind(&ahead, &behind, repository, commit, theirs) != 0)
    return true;
  status.upstream = QString::fromUtf8(git_reference_shorthand(upstream.get()));
  status.ahead = static_cast<int>(ahead);
  status.behind = static_cast<int>(behind);
  return true;
}

// libgit2 counts folders without a file in them as ignored. Git doesn't, and a file may come.
bool isEmptyFolder(git_repository* repository, const git_diff_delta* delta, const char* name) {
  int isIgnored = 1;
  return delta->status == GIT_DELTA_IGNORED && QByteArrayView(name).endsWith('/') &&
         git_ignore_path_is_ignored(&isIgnored, repository, name) == 0 && isIgnored == 0;
}

// Adds what differs; a path that is in both diffs gets the stronger state.
void addDeltas(git_repository* repository, git_diff* diff, GitStatus& status,
               QVector<GitChange>& changes) {
  for (size_t i = 0; i < git_diff_num_deltas(diff); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff, i);
    const GitState state = stateOfDelta(delta->status);
    const char* name = delta->new_file.path ? delta->new_file.path : delta->old_file.path;
    if (state == GitState::kUnchanged || !name) continue;
    QString path = status.workFolder + u'/' + editor::pathText(name);
    if (path.endsWith(u'/')) path.chop(1);
    const QString shown = editor::pathText(name);
    const QString from =
        delta->status == GIT_DELTA_RENAMED ? editor::pathText(delta->old_file.path) : QString();
    if (isEmptyFolder(repository, delta, name)) {
      status.watched.append(path);
      QDirIterator below(path, QDir::Dirs | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
      while (below.hasNext()) status.watched.append(below.next());
      continue;
    }
    if (state != GitState::kIgnored) changes.append({shown, from, state});
    GitState& kept = status.files[path];
    // What was added to the index and edited since is still a new file.
    const bool isNew = kept == GitState::kAdded && state == GitState::kModified;
    if (!isNew) kept = std::max(kept, state);
  }
}

// What went in one place and came in another is one change. Many of them are left apart: each would
// be compared with each.
void findRenames(git_diff* diff) {
  constexpr size_t kMostRenames = 400;
  if (!diff || git_diff_num_deltas(diff) > kMostRenames) return;
  git_diff_find_options options = GIT_DIFF_FIND_OPTIONS_INIT;
  options.flags = GIT_DIFF_FIND_RENAMES;
  git_diff_find_similar(diff, &options);
}

// A submodule that is at another commit has changed as a file does.
void addSubmodules(const std::vector<QByteArray>& moved, GitStatus& status) {
  for (const QByteArray& name : moved) {
    const QString path = editor::pathText(name);
    status.unstaged.append({path, {}, GitState::kModified});
    GitState& kept = status.files[status.workFolder + u'/' + path];
    if (kept != GitState::kAdded) kept = std::max(kept, GitState::kModified);
  }
  if (moved.empty()) return;
  std::stable_sort(status.unstaged.begin(), status.unstaged.end(),
                   [](const GitChange& a, const GitChange& b) {
                     return editor::pathBytes(a.path) < editor::pathBytes(b.path);
                   });
}

void addFolders(GitStatus& status) {
  for (auto it = status.files.cbegin(); it != status.files.cend(); ++it) {
    if (*it == GitState::kIgnored) continue;
    const GitState mark = *it == GitState::kConflict ? GitState::kConflict : GitState::kModified;
    for (QString each = aboveOf(it.key()); each.size() > status.workFolder.size();
         each = aboveOf(each)) {
      GitState& kept = status.folders[each];
      if (kept >= mark) break;  // and so have those above
      kept = mark;
    }
  }
}

void addWatched(git_index* index, const QString& folder, GitStatus& status) {
  QSet<QString> folders{folder, status.gitFolder, status.commonFolder};
  const QString prefix = folder + u'/';
  QByteArray last;
  for (size_t i = 0; i < git_index_entrycount(index); ++i) {
    const QByteArray path(git_index_get_byindex(index, i)->path);
    const QByteArray above = path.left(std::max<qsizetype>(0, path.lastIndexOf('/')));
    if (above == last) continue;  // they are in order
    last = above;
    for (QString each = status.workFolder + u'/' + editor::pathText(above);
         each.startsWith(prefix) && !folders.contains(each); each = aboveOf(each))
      folders.insert(each);
  }
  for (const char* kind : {"/refs/heads", "/refs/remotes"}) {
    const QString refs = status.commonFolder + QLatin1String(kind);
    if (QFile::exists(refs)) folders.insert(refs);
    QDirIterator below(refs, QDir::Dirs | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (below.hasNext()) folders.insert(below.next());
  }
  status.watched += folders.values();
}

}  // namespace

GitState GitStatus::stateOf(const QString& path) const {
  if (const auto it = files.constFind(path); it != files.cend()) return *it;
  if (const auto it = folders.constFind(path); it != folders.cend()) return *it;
  for (QString each = aboveOf(path); each.size() > workFolder.size(); each = aboveOf(each)) {
    const GitState above = files.value(each);
    if (above == GitState::kUntracked || above == GitState::kIgnored) return above;
  }
  return GitState::kUnchanged;
}

editor::Result<std::optional<GitStatus>> readGitStatus(const QString& folder,
                                                       const std::atomic<bool>& cancelled) {
  auto opened = openRepository(folder);
  if (!opened) return tl::unexpected(opened.error());
  const GitRepository repository = std::move(*opened);
  if (!repository) return std::nullopt;
  const char* workFolder = git_repository_workdir(repository.get());
  if (!workFolder) {
    return editor::fail(translate("The git repository %1 is bare: it has no files beside it.")
                            .arg(folderOf(git_repository_path(repository.get()))),
                        translate("Open a clone or a worktree of it."));
  }

  GitStatus status;
  status.workFolder = folderOf(workFolder);
  status.gitFolder = folderOf(git_repository_path(repository.get()));
  status.commonFolder = folderOf(git_repository_commondir(repository.get()));
  status.operation = operationOf(repository.get());
  if (!readHead(repository.get(), status))
    return tl::unexpected(damagedRepository(status.gitFolder));
  git_index* files = nullptr;
  if (git_repository_index(&files, repository.get()) != 0)
    return tl::unexpected(damagedRepository(status.gitFolder));
  const GitIndex index(files);

  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_INCLUDE_IGNORED |
                  GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_INCLUDE_UNREADABLE;
  options.ignore_submodules = GIT_SUBMODULE_IGNORE_DIRTY;
  editor::GitWalk walk(repository.get(), status.workFolder, &cancelled);
  walk.watch(options);
  git_diff_options all = options;  // a commit takes what is staged anywhere
  options.flags |= GIT_DIFF_IGNORE_SUBMODULES;
  const QByteArray below = editor::pathBytes(QDir(status.workFolder).relativeFilePath(folder));
  char* spec = const_cast<char*>(below.constData());
  if (below != "." && !below.startsWith("..")) {
    options.flags |= GIT_DIFF_DISABLE_PATHSPEC_MATCH;
    options.pathspec = {&spec, 1};
  }
  git_object* head = nullptr;
  if (!status.commit.isEmpty() && git_revparse_single(&head, repository.get(), "HEAD^{tree}") != 0)
    return tl::unexpected(damagedRepository(status.gitFolder));
  const GitObject tree(head);
  git_diff* made = nullptr;
  const int staged =
      walk.problem()
          ? -1
          : git_diff_tree_to_index(&made, repository.get(), reinterpret_cast<git_tree*>(tree.get()),
                                   index.get(), &all);
  const GitDiff stagedDiff(made);
  findRenames(stagedDiff.get());
  made = nullptr;
  const int unstaged =
      staged == 0 ? git_diff_index_to_workdir(&made, repository.get(), index.get(), &options) : -1;
  const GitDiff unstagedDiff(made);
  if (const auto problem = walk.problem()) return tl::unexpected(*problem);
  if (staged != 0 || unstaged != 0) return tl::unexpected(damagedRepository(status.gitFolder));
  addDeltas(repository.get(), stagedDiff.get(), status, status.staged);
  addDeltas(repository.get(), unstagedDiff.get(), status, status.unstaged);
  addSubmodules(movedSubmodules(repository.get(), index.get(),
                                below.startsWith("..") ? QByteArray() : below, cancelled),
                status);
  // The index's own conflicts are not staged.
  status.staged.removeIf([](const GitChange& each) { return each.state == GitState::kConflict; });
  addFolders(status);
  addWatched(index.get(), folder, status);
  return status;
}

}  // namespace waferpair::workbench
