// SPDX-License-Identifier: GPL-3.0-or-later
// The worktrees of a repository. Reads the disk and writes nothing; any thread.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>

#include "editor/text/result.h"

namespace waferpair::workbench {

struct GitWorktree {
  QString path;         // absolute
  QByteArray commit;    // in hex; empty: a bare repository, or no commit yet
  QString branch;       // empty: HEAD is detached
  bool isMain = false;  // not linked: it cannot be removed
  bool isBare = false;
  bool isLocked = false;
  bool isGone = false;  // its folder is not there any more

  bool operator==(const GitWorktree&) const = default;
};

// Those of the repository that `folder` is in: the main one first, the others by their paths.
editor::Result<QVector<GitWorktree>> gitWorktrees(const QString& folder);

// Returns where a new worktree of this repository would have its place: beside the main one, called
// like it and the branch, and by a number where something is there already.
QString worktreePlace(const QString& main, const QString& branch);

}  // namespace waferpair::workbench
