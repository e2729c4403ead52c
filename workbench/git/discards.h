// SPDX-License-Identifier: GPL-3.0-or-later
// Files as they were before the user discarded what was changed in them: kept byte by byte in the
// repository itself, as a commit below refs/waferpair/discarded, so that nothing is lost. Git does
// not push these by itself. Any thread.
#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <QVector>

#include "editor/text/result.h"

namespace waferpair::workbench {

struct Discard {
  QString name;  // of the reference
  QDateTime when;
  QStringList paths;  // below the work folder
};

// Keeps the files of the repository that `folder` is in: paths below its work folder, of which a
// folder, with a slash at its end, means all that is in it. What is not on disk needs no keeping.
// Returns what was kept; its name is empty where there was nothing. Fails before anything is kept,
// also for a folder that is a repository of its own. Kept ones that are over 90 days old go.
editor::Result<Discard> keepDiscarded(const QString& folder, const QStringList& paths);

// Those of the files below `paths` that are not as they were kept any more.
QStringList changedSince(const QString& folder, const Discard& kept, const QStringList& paths);

// Removes untracked files that were kept, and folders that are empty then. One that is another than
// was kept by now is left, and told.
editor::Result<QByteArray> removeKept(const QString& folder, const Discard& kept,
                                      const QStringList& paths);

// The newest first.
editor::Result<QVector<Discard>> discards(const QString& folder);

// Puts all its files back as they were kept. What is in their places now is kept first, as another
// discard, which is returned.
editor::Result<Discard> restoreDiscarded(const QString& folder, const QString& name);

}  // namespace waferpair::workbench
