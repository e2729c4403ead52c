// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/recovery_keeper.h"

#include <QFileInfo>

#include "gui/editor_tabs.h"

namespace waferpair::gui {
namespace {

constexpr int kDelayMs = 1000;
// Copying a large text out of the editor and writing it takes its time: wait longer for it.
constexpr qint64 kBytesPerExtraMs = 10'000;

}  // namespace

RecoveryKeeper::RecoveryKeeper(EditorTabs* tabs, const QString& directory)
    : QObject(tabs), tabs_(tabs), store_(directory) {
  connect(tabs_, &EditorTabs::opened, this, &RecoveryKeeper::track);
  connect(tabs_, &EditorTabs::closed, this, [this](Document* document) {
    drop(document);
    delete tracked_.take(document).timer;
  });
}

void RecoveryKeeper::track(Document* document) {
  auto* timer = new QTimer(this);
  timer->setSingleShot(true);
  tracked_.insert(document, {QString::number(++lastKey_), timer, false});
  connect(timer, &QTimer::timeout, this, [this, document] { keep(document); });
  connect(document->editor(), &editor::CodeEditor::textChanged, this,
          [this, document] { schedule(document); });
  // Its file is gone or has another name.
  connect(document, &Document::titleChanged, this, [this, document] {
    if (document->isModified()) schedule(document);
  });
  connect(document, &Document::saved, this, [this, document] { drop(document); });
}

void RecoveryKeeper::schedule(Document* document) {
  const auto it = tracked_.constFind(document);
  if (it == tracked_.cend()) return;
  // Not restarted by each key: someone who types without a pause is kept safe too.
  if (it->timer->isActive()) return;
  it->timer->start(kDelayMs + static_cast<int>(document->editor()->length() / kBytesPerExtraMs));
}

void RecoveryKeeper::keep(Document* document) {
  const auto it = tracked_.find(document);
  if (it == tracked_.end()) return;
  if (!document->isModified()) {  // undone back to what is on disk
    drop(document);
    return;
  }
  store_.write(it->key, document->recoveryEntry());
  it->kept = true;
}

void RecoveryKeeper::drop(Document* document) {
  const auto it = tracked_.find(document);
  if (it == tracked_.end()) return;
  it->timer->stop();
  if (std::exchange(it->kept, false)) store_.remove(it->key);
}

void RecoveryKeeper::discardAll() {
  for (auto it = tracked_.begin(); it != tracked_.end(); ++it) drop(it.key());
}

int RecoveryKeeper::recover(QStringList* problems) {
  int count = 0;
  const QList<RecoveryStore::Orphan> orphans = store_.claimOrphans(problems);
  for (const RecoveryStore::Orphan& orphan : orphans) {
    RecoveryEntry entry = orphan.entry;
    // A file that is open with changes of its own keeps them; the copy waits for another start.
    Document* document = entry.path.isEmpty() ? nullptr : tabs_->documentAt(entry.path);
    if (document && document->isModified()) continue;
    if (!document && !entry.path.isEmpty() && QFileInfo::exists(entry.path)) {
      document = tabs_->openFile(entry.path);
    }
    // A binary one cannot be edited.
    if (document && document->editor()->safeMode() == editor::SafeMode::kBinary) {
      document = nullptr;
      entry.path.clear();
    }
    if (!document) document = tabs_->newDocument();
    document->recover(entry);
    Tracked& tracked = tracked_[document];
    store_.adopt(orphan, tracked.key);
    tracked.kept = true;
    ++count;
  }
  return count;
}

}  // namespace waferpair::gui
