// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/worktrees.h"

#include <QFileInfo>

namespace waferpair::workbench {

QVector<GitWorktree> readWorktrees(const QByteArray& porcelain) {
  QVector<GitWorktree> worktrees;
  bool isOpen = false;
  for (const QByteArray& line : porcelain.split('\n')) {
    const qsizetype blank = line.indexOf(' ');
    const QByteArray word = blank < 0 ? line : line.left(blank);
    const QByteArray rest = blank < 0 ? QByteArray() : line.mid(blank + 1);
    if (word == "worktree" && rest.startsWith('/')) {
      worktrees.append({QString::fromUtf8(rest), {}, {}, worktrees.isEmpty()});
      isOpen = true;
      continue;
    }
    if (line.isEmpty()) isOpen = false;
    if (!isOpen) continue;
    GitWorktree& one = worktrees.last();
    constexpr QByteArrayView kHeads = "refs/heads/";
    if (word == "HEAD") one.commit = rest;
    if (word == "branch" && rest.startsWith(kHeads))
      one.branch = QString::fromUtf8(rest.mid(kHeads.size()));
    one.isBare |= word == "bare";
    one.isLocked |= word == "locked";
    one.isGone |= word == "prunable";
  }
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
