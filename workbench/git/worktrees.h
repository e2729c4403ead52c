// SPDX-License-Identifier: GPL-3.0-or-later
// The worktrees of a repository, as `git worktree list --porcelain` tells of them. Values; any
// thread.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>

namespace waferpair::workbench {

struct GitWorktree {
  QString path;         // absolute
  QByteArray commit;    // in hex; empty: a bare repository
  QString branch;       // empty: HEAD is detached
  bool isMain = false;  // not linked: it cannot be removed
  bool isBare = false;
  bool isLocked = false;
  bool isGone = false;  // its folder is not there any more

  bool operator==(const GitWorktree&) const = default;
};

// In the order of git's answer, the main one first; what is not of its form is left out.
QVector<GitWorktree> readWorktrees(const QByteArray& porcelain);

// Returns where a new worktree of this repository would have its place: beside the main one, called
// like it and the branch, and by a number where something is there already.
QString worktreePlace(const QString& main, const QString& branch);

}  // namespace waferpair::workbench
