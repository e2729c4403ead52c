// SPDX-License-Identifier: GPL-3.0-or-later
// Opening the repository that a folder is in, by a rule of our own, with what is said where that
// fails. Nothing of it is run. Any thread.
#pragma once

#include <QString>
#include <atomic>
#include <optional>

#include "editor/text/libgit2.h"

namespace waferpair::editor {

// `folder` is absolute; the repository is that of the nearest `.git` in it or above, and its work
// folder is where that lies. A folder of a project that merely looks like a repository, with a
// configuration that its author wrote, is none; without a `.git` above, one that looks so is opened
// as a bare one. Null: there is none. Fails where it is damaged, somebody else's, has its files in
// another place, or has something in it that is no file and would be waited for.
Result<GitRepository> openRepository(const QString& folder);

// What is said of a repository, or a part of it, that can't be read.
Error damagedRepository(const QString& path);

// What is wrong with git's rules for a file, `.gitattributes` in the folders from the work folder
// down to it: one that is no file would be waited for. None: nothing is.
std::optional<Error> rulesProblem(const QString& workFolder, const QString& path);

// Ends a diff of the files on disk before it comes to such a `.gitignore` or `.gitattributes`, or
// once `cancelled` is true.
class GitWalk {
 public:
  // `repository`, which outlives this, has its files in `workFolder`.
  GitWalk(git_repository* repository, const QString& workFolder,
          const std::atomic<bool>* cancelled = nullptr);
  // For a diff that ends before this object does.
  void watch(git_diff_options& options);
  // Why it was ended, or must not be begun.
  std::optional<Error> problem() const;

 private:
  static int look(const git_diff* diff, const char* oldPath, const char* path, void* walk);

  bool lookBelow(const QByteArray& folder);

  git_repository* repository_;
  QString workFolder_;
  QString strange_;
  const std::atomic<bool>* cancelled_;
};

}  // namespace waferpair::editor
