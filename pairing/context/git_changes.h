// SPDX-License-Identifier: GPL-3.0-or-later
// The changes in a folder's git repository since the last commit (HEAD), as `git diff HEAD` tells
// them: files that git follows, as they are on disk. Reads the disk; any thread.
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
};

// Longer files are not compared, nor those that come behind so much.
inline constexpr qint64 kMostOfComparedFile = 4 << 20;  // bytes, before or after
inline constexpr qint64 kMostOfAllPatches = 16 << 20;

// On disk, or only what is staged.
enum class ChangesIn { kFiles, kIndex };

// Returns those of the files below `folder`, which is in a repository, in git's order.
editor::Result<QVector<FileChange>> changesSinceHead(const QString& folder,
                                                     ChangesIn where = ChangesIn::kFiles);

}  // namespace waferpair::pairing
