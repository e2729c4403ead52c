// SPDX-License-Identifier: GPL-3.0-or-later
// The changes in a folder's git repository: since the last commit (HEAD), as `git diff HEAD` tells
// them, of files that git follows, as they are on disk; and between two commits. Reads the disk and
// runs nothing; any thread.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>

#include "editor/text/result.h"

namespace waferpair::pairing {

struct FileChange {
  QString path;      // absolute; as it is on disk, or as it was where it is gone
  QString oldPath;   // absolute; another one where it was renamed
  QByteArray patch;  // a unified diff; empty for a binary file, and for one that is too long
  bool isTooLong = false;
  // Between commits: all that the file holds in either, as git stores it; null: it has none there.
  QByteArray before = {};
  QByteArray after = {};
};

// Longer files are not compared, nor those that come behind so much.
inline constexpr qint64 kMostOfComparedFile = 4 << 20;  // bytes, before or after
inline constexpr qint64 kMostOfAllPatches = 16 << 20;
// Nor those between commits that come behind files with so much in them.
inline constexpr qint64 kMostOfAllTexts = 64 << 20;

// On disk, or only what is staged.
enum class ChangesIn { kFiles, kIndex };

// Returns those of the files below `folder`, which is in a repository, in git's order.
editor::Result<QVector<FileChange>> changesSinceHead(const QString& folder,
                                                     ChangesIn where = ChangesIn::kFiles);

// Likewise those that lead from one commit to another, both by their whole names in hex; `from`
// empty: all that there is in `to`. What is on disk and in the index does not matter.
editor::Result<QVector<FileChange>> changesBetween(const QString& folder, const QString& from,
                                                   const QString& to);

}  // namespace waferpair::pairing
