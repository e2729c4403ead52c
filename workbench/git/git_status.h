// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a folder's git repository: the branch, how it stands to its upstream, and which
// files differ from the last commit. Reads the disk and writes nothing; any thread.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <atomic>
#include <optional>

#include "editor/text/result.h"

namespace waferpair::workbench {

// In the order in which one hides another in a folder's mark, the strongest last.
enum class GitState { kUnchanged, kIgnored, kUntracked, kAdded, kDeleted, kModified, kConflict };

// What git is in the middle of.
enum class GitOperation { kNone, kMerge, kRevert, kCherryPick, kBisect, kRebase, kApply };

// A file that differs between the last commit and the index, or the index and the disk.
struct GitChange {
  QString path;  // below the work folder; a folder that is untracked as a whole ends with a slash
  QString from;  // what it was called before, where it was renamed
  GitState state = GitState::kModified;

  bool operator==(const GitChange&) const = default;
};

struct GitStatus {
  // Absolute, without a slash at the end. The second is `.git`, or what stands for it in a linked
  // worktree or a submodule; the third is where the branches are.
  QString workFolder;
  QString gitFolder;
  QString commonFolder;

  QString branch;    // also before its first commit; empty: HEAD is detached
  QString commit;    // ten digits of its name; empty before the first
  QString upstream;  // "origin/main"; empty: none, or gone
  int ahead = 0;     // commits that the upstream does not have
  int behind = 0;    // commits that only the upstream has
  GitOperation operation = GitOperation::kNone;

  // Files below the folder that was read for; whole folders where all in them is untracked or
  // ignored. Absolute paths, without a slash at the end.
  QHash<QString, GitState> files;
  // Folders above changed files: kConflict or kModified.
  QHash<QString, GitState> folders;
  // What a commit would take, of the whole repository, and what it would not take, of the folder
  // that was read for; each by path. Files in conflict are among the second.
  QVector<GitChange> staged;
  QVector<GitChange> unstaged;
  // Folders in which a change may be one of the above; absolute.
  QStringList watched;

  // Returns the state of a file or a folder, by its absolute path.
  GitState stateOf(const QString& path) const;
};

// Returns the state for the files below `folder`, which is absolute, whether the repository is
// there or above; none if there is no repository. Fails where it has no files beside it, is
// damaged, is somebody else's, or once `cancelled` is true.
editor::Result<std::optional<GitStatus>> readGitStatus(const QString& folder,
                                                       const std::atomic<bool>& cancelled);

}  // namespace waferpair::workbench
