// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of files by the user's own git: staged, unstaged, discarded, committed. On a job's
// thread; `folder` is the work folder, paths are below it.
#pragma once

#include "workbench/git/git_jobs.h"
#include "workbench/git/git_status.h"

namespace waferpair::workbench {

using GitResult = editor::Result<QByteArray>;

// As they are on disk, also that they are gone.
GitResult stageFiles(const QString& folder, const QStringList& paths, const GitJob& job);
GitResult unstageFiles(const QString& folder, const QStringList& paths, const GitJob& job);
// Files are as the index has them then, untracked ones are gone. What they were is kept first;
// returns the name of that (workbench/git/discards.h), empty where there was nothing to keep.
GitResult discardFiles(const QString& folder, const QVector<GitChange>& changes, const GitJob& job);

struct CommitWish {
  QString message;
  bool amends = false;     // the last commit is replaced
  bool stagesAll = false;  // where nothing is staged
};
// Its hooks run, and it is signed, as the user has it set up.
GitResult commit(const QString& folder, const CommitWish& wish, const GitJob& job);

}  // namespace waferpair::workbench
