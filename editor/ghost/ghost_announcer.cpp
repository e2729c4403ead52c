// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/ghost/ghost_announcer.h"

#include "editor/ghost/ghost_painter.h"
#include "editor/ghost/ghost_text.h"
#include "editor/text/unseen.h"
#include "editor/view/announce.h"
#include "editor/view/text_view.h"

namespace waferpair::editor {

namespace {

constexpr int kSettledMs = 500;

// Returns the words for a suggestion: its only row, or the first with words and how many follow.
QString spoken(const QByteArray& ghost) {
  QStringList rows;
  for (const QString& row : GhostPainter::rowsOf(ghost))
    if (!row.trimmed().isEmpty()) rows.append(shownForm(row.trimmed()));
  if (rows.isEmpty()) return {};
  const int more = static_cast<int>(rows.size()) - 1;
  if (more == 0) return GhostAnnouncer::tr("Suggestion: %1").arg(rows.first());
  return GhostAnnouncer::tr("Suggestion: %1 and %n more line(s)", nullptr, more).arg(rows.first());
}

}  // namespace

GhostAnnouncer::GhostAnnouncer(TextView* editor, GhostText* ghost)
    : QObject(ghost), editor_(editor), ghost_(ghost) {
  settled_.setSingleShot(true);
  settled_.setInterval(kSettledMs);
  connect(&settled_, &QTimer::timeout, this, &GhostAnnouncer::announce);
  connect(ghost, &GhostText::appeared, this, [this] {
    forget();
    settled_.start();
  });
  // It grows, or is typed through: once told, nothing more is said.
  connect(ghost, &GhostText::changed, this, [this] {
    if (settled_.isActive()) settled_.start();
  });
  connect(ghost, &GhostText::cleared, this, &GhostAnnouncer::forget);
}

void GhostAnnouncer::announce() {
  if (!ghost_->isShown()) return;
  const QString words = spoken(ghost_->remaining());
  const QString text = ghost_->note().isEmpty() ? words : tr("%1, %2").arg(ghost_->note(), words);
  editor::announce(editor_, text);
  Q_EMIT announced(text);
}

void GhostAnnouncer::forget() {
  settled_.stop();
  if (!editor_->accessibleDescription().isEmpty()) editor_->setAccessibleDescription({});
}

}  // namespace waferpair::editor
