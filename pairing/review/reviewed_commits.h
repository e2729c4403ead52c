// SPDX-License-Identifier: GPL-3.0-or-later
// Commits that are reviewed: what of them goes along, and where a line of theirs is in the files as
// they are by now.
#pragma once

#include <QHash>
#include <QObject>
#include <QStringList>
#include <functional>

#include "editor/text/snapshot.h"
#include "pairing/context/gather_context.h"

namespace waferpair::pairing {

struct ReviewedCommits {
  QString from;   // a commit, in hex; empty: there was nothing before
  QString to;     // likewise
  QString title;  // "Review of feature/x since main, 4 commits"
  // The same for the model, and the commits' subjects, the newest first.
  QString about;
  QStringList subjects = {};
  QString note = {};  // for the user, of what was not looked at; empty: nothing

  bool operator==(const ReviewedCommits&) const = default;
};

struct GatheredCommits {
  QVector<ContextItem> items;  // a diff for each file, or why it does not go along
  // The whole text, in `to`, of each file of which something is sent, by its path in the project.
  QHash<QString, editor::Snapshot> texts;
  qsizetype files = 0;  // that differ, in the open folder
};

// Judged by the gate, and cut to `budget` estimated tokens. Reads the disk.
GatheredCommits gatherCommits(const QString& root, const ReviewedCommits& commits,
                              const QVector<OpenText>& open, qint64 budget);
// The same on a thread of its own. Call it on the UI thread, where `then` is called, unless
// `receiver` is gone by then.
void gatherCommitsInBackground(const QString& root, const ReviewedCommits& commits,
                               const QVector<OpenText>& open, qint64 budget, QObject* receiver,
                               std::function<void(const GatheredCommits&)> then);

// The line, from 1, at which a line of the text that was reviewed is by now; 0: it is another one,
// or gone. How lines end does not matter.
qint64 lineByNow(const editor::Snapshot& reviewed, const editor::Snapshot& now, qint64 line);

}  // namespace waferpair::pairing
