// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/review/reviewed_commits.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "editor/text/line_diff.h"
#include "editor/text/translate.h"
#include "pairing/context/change_items.h"

namespace waferpair::pairing {
namespace {

// As an editor has the text: the mark of an encoding is no part of its first line.
editor::Snapshot textOfBlob(const QByteArray& bytes) {
  constexpr QByteArrayView kMark("\xef\xbb\xbf");
  return editor::Snapshot(bytes.startsWith(kMark) ? bytes.mid(kMark.size()) : bytes);
}

}  // namespace

GatheredCommits gatherCommits(const QString& root, const ReviewedCommits& commits,
                              const QVector<OpenText>& open, qint64 budget) {
  const QVector<ContextItem> known;
  ContextCollector made(root, open, known, budget);
  GatheredCommits gathered;
  const auto kind = ContextItem::Kind::kDiff;
  const auto changes = changesBetween(root, commits.from, commits.to);
  if (!changes) made.leaveOut(kind, translate("git diff"), {}, changes.error().message());
  if (changes && changes->isEmpty())
    made.leaveOut(kind, translate("git diff"), {}, translate("nothing in the open folder differs"));
  for (const FileChange& change : changes.value_or(QVector<FileChange>())) {
    ++gathered.files;
    const qsizetype before = made.items().size();
    addChange(&made, change);
    const bool isSent = made.items().size() > before && made.items().constLast().isSent();
    if (isSent && !change.after.isNull() && change.path.startsWith(root + u'/'))
      gathered.texts.insert(change.path.mid(root.size() + 1), textOfBlob(change.after));
  }
  gathered.items = made.items();
  return gathered;
}

void gatherCommitsInBackground(const QString& root, const ReviewedCommits& commits,
                               const QVector<OpenText>& open, qint64 budget, QObject* receiver,
                               std::function<void(const GatheredCommits&)> then) {
  // The thread knows nothing of the receiver but this pointer, which is followed on the UI thread.
  QThreadPool::globalInstance()->start(
      [=, guard = QPointer<QObject>(receiver), then = std::move(then)] {
        const GatheredCommits gathered = gatherCommits(root, commits, open, budget);
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, then, gathered] {
              if (guard) then(gathered);
            },
            Qt::QueuedConnection);
      });
}

qint64 lineByNow(const editor::Snapshot& reviewed, const editor::Snapshot& now, qint64 line) {
  if (line < 1 || line > reviewed.lineCount()) return 0;
  return editor::lineBehind(editor::textDiff(reviewed, now), line - 1) + 1;
}

}  // namespace waferpair::pairing
