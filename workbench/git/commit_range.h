// SPDX-License-Identifier: GPL-3.0-or-later
// Which commits a review is about: what the user names, resolved to the whole names of commits in
// hex, so that nothing that somebody called a branch is ever an argument of a program. Reads the
// disk, writes and runs nothing; any thread.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "editor/text/result.h"
#include "workbench/git/refs.h"

namespace waferpair::workbench {

// What leads from one commit to another.
struct CommitRange {
  static constexpr int kMostCommits = 10'000;  // more are not counted
  static constexpr int kMostSubjects = 20;

  QString from;  // in hex; empty: there was nothing before
  QString to;
  int commits = 0;       // that `to` has and `from` has not; 0: a shallow clone can't tell
  QStringList subjects;  // of the newest of these, the newest first
};

// Returns the commit that a branch, a tag, the beginning of a name or HEAD~1 is, in hex. Fails
// before the first commit, where there is none of that name, and for what git would take for an
// option.
editor::Result<QString> commitNamed(const QString& folder, const QString& revision);

// What HEAD has changed since it and `base` went apart. Fails where they never were together, as
// far as the repository has their history, and where HEAD has nothing that `base` has not.
editor::Result<CommitRange> rangeSince(const QString& folder, const GitRef& base);
// What a commit changed: of a merge, to the branch that was merged into.
editor::Result<CommitRange> rangeOfCommit(const QString& folder, const QString& revision);
// "a..b": what leads from a to b; "a...b": what b has changed since the two went apart. A side that
// is left out is HEAD. Fails where both are the same commit.
editor::Result<CommitRange> rangeNamed(const QString& folder, const QString& range);

// Empty: the text may name a range. Else what is wrong with it.
QString rangeNameProblem(const QString& range);

// Which of the refs a branch probably came from: `remembered`, by name, or else the remote's or the
// own branch "main", "master", "trunk" or "develop", or else what the current one follows; never
// the current branch itself. -1: none.
qsizetype likelyBase(const QVector<GitRef>& refs, const QString& remembered);

}  // namespace waferpair::workbench
