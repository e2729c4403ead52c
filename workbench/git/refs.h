// SPDX-License-Identifier: GPL-3.0-or-later
// The branches, tags and stashes of a repository. Reads the disk and writes nothing; any thread.
#pragma once

#include <QDateTime>
#include <QString>
#include <QVector>

#include "editor/text/result.h"

namespace waferpair::workbench {

struct GitRef {
  enum class Kind { kBranch, kRemoteBranch, kTag };
  Kind kind = Kind::kBranch;
  QString name;      // "topic", "origin/topic", "v1.2"
  QString commit;    // in hex
  QString subject;   // the first line of that commit's message
  QDateTime when;    // it was made
  QString upstream;  // of a branch: "origin/topic"; empty: it has none
  bool isCurrent = false;
};

// By kind, in each the newest first. What points at no commit is left out.
editor::Result<QVector<GitRef>> gitRefs(const QString& folder);

struct GitStash {
  int number = 0;  // stash@{0} is the newest
  QString commit;
  QString message;
  QDateTime when;
};

editor::Result<QVector<GitStash>> gitStashes(const QString& folder);

// Empty: a branch or a tag may be called so. Else what is wrong with the name.
QString refNameProblem(const QString& name);

}  // namespace waferpair::workbench
