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
  QByteArray patch;  // a unified diff; empty for a binary file
};

// Returns those of the files below `folder`, which is in a repository, in git's order.
editor::Result<QVector<FileChange>> changesSinceHead(const QString& folder);

}  // namespace waferpair::pairing
