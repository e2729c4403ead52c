// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/recovery_keeper.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>
#include <utility>

#include "editor/text/busy.h"
#include "editor/text/path_on_disk.h"
#include "editor/view/text_preparation.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/file_openings.h"

namespace waferpair::gui {
namespace {

constexpr int kDelayMs = 1000;
// Writing a large text takes its time: wait longer for it.
constexpr qint64 kBytesPerExtraMs = 10'000;
// The delay after a copy could not be written: by then there may be space again.
constexpr int kWriteAgainMs = 10'000;

// The text with its file, as that is now; a file that is gone is none. Fails where the text cannot
// be shown as one of that file. Runs on a thread.
editor::Result<editor::PreparedText> readRecovered(const RecoveryEntry& entry) {
  if (entry.path.isEmpty() || editor::realPath(entry.path).isEmpty())
    return editor::PreparedText{
        .file = editor::TextFile::create({}), .text = entry.text, .isUnsaved = true};
  auto file = editor::TextFile::open(entry.path);
  if (file && entry.encoding && *entry.encoding != file->encoding() &&
      file->stamp().sha1 == entry.base.sha1)
    file = editor::TextFile::open(entry.path, entry.encoding);
  if (!file) return tl::unexpected<editor::Error>(file.error());
  if (file->safeMode() == editor::SafeMode::kBinary) return editor::fail(file->notice());
  const auto onDisk = file->readText();
  if (!onDisk) return tl::unexpected<editor::Error>(onDisk.error());
  const bool isUnsaved = *onDisk != entry.text;
  return editor::PreparedText{.file = std::move(*file), .text = entry.text, .isUnsaved = isUnsaved};
}

}  // namespace

RecoveryKeeper::RecoveryKeeper(EditorTabs* tabs, editor::DocumentSync* sync,
                               const QString& directory)
    : QObject(tabs), tabs_(tabs), store_(directory) {
  sync->subscribe(this);
  connect(tabs_, &EditorTabs::opened, this, &RecoveryKeeper::track);
  connect(tabs_, &EditorTabs::closed, this, [this](Document* document) {
    drop(document);
    delete tracked_.take(document).timer;
  });
  connect(&store_, &RecoveryStore::notKept, this, [this](const QString& key) {
    for (const Tracked& tracked : std::as_const(tracked_)) {
      if (tracked.key == key && !tracked.timer->isActive()) tracked.timer->start(kWriteAgainMs);
    }
  });
}

void RecoveryKeeper::track(Document* document) {
  auto* timer = new QTimer(this);
  timer->setSingleShot(true);
  timer->setObjectName(QLatin1String(editor::kUnawaited));  // a copy changes nothing that is shown
  tracked_.insert(document, {QString::number(++lastKey_), timer, false});
  connect(timer, &QTimer::timeout, this, [this, document] { keep(document); });
  // Its file is gone or has another name.
  connect(document, &Document::titleChanged, this, [this, document] {
    if (document->isModified()) schedule(document);
  });
  connect(document, &Document::saved, this, [this, document] { drop(document); });
}

void RecoveryKeeper::opened(const editor::SyncedDocument& text) { schedule(text.id); }

void RecoveryKeeper::changed(const editor::SyncedDocument& text, const QVector<editor::TextEdit>&) {
  schedule(text.id);
}

void RecoveryKeeper::schedule(const editor::DocumentId& id) {
  for (auto it = tracked_.cbegin(); it != tracked_.cend(); ++it)
    if (it.key()->id() == id) return schedule(it.key());
}

void RecoveryKeeper::schedule(Document* document) {
  const auto it = tracked_.constFind(document);
  if (it == tracked_.cend()) return;
  const int delay = kDelayMs + static_cast<int>(document->editor()->length() / kBytesPerExtraMs);
  // Keys do not restart the timer: someone who types without a pause is kept safe too.
  if (it->timer->isActive() && it->timer->remainingTime() <= delay) return;
  it->timer->start(delay);
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

void RecoveryKeeper::keepAll() {
  // All documents are looked at: an edit that is just being made has not started its timer yet.
  for (auto it = tracked_.begin(); it != tracked_.end(); ++it) {
    it->timer->stop();
    if (it.key()->isModified()) keep(it.key());
  }
  store_.flush();
}

QString RecoveryKeeper::busyWith() const {
  return isRecovering_ ? QStringLiteral("bringing texts back") : QString();
}

void RecoveryKeeper::recover(const QStringList& others, const Recovered& then) {
  isRecovering_ = true;
  const auto recovery = std::make_shared<Recovery>(Recovery{{}, {}, then, {}});
  const QStringList copies = store_.claimCopies(others);
  if (std::none_of(copies.begin(), copies.end(), FileOpenings::isLarge)) {
    recovery->left = RecoveryStore::readCopies(copies, &recovery->news);
    return readFiles(recovery);
  }
  QThreadPool::globalInstance()->start([self = QPointer(this), copies, recovery] {
    recovery->left = RecoveryStore::readCopies(copies, &recovery->news);
    // The window may be gone by then.
    QMetaObject::invokeMethod(qApp, [self, recovery] {
      if (self) self->readFiles(recovery);
    });
  });
}

// Those whose text is prepared are read with it.
void RecoveryKeeper::readFiles(const std::shared_ptr<Recovery>& recovery) {
  QStringList paths;
  for (const RecoveryStore::Orphan& orphan : std::as_const(recovery->left))
    if (!orphan.entry.path.isEmpty() && !isToBePrepared(orphan.entry))
      paths.append(orphan.entry.path);
  tabs_->readBeforehand(paths, [this, recovery] { openNext(recovery); });
}

bool RecoveryKeeper::isToBePrepared(const RecoveryEntry& entry) const {
  return entry.text.size() > FileOpenings::kLargeBytes && !tabs_->documentAt(entry.path);
}

void RecoveryKeeper::openNext(const std::shared_ptr<Recovery>& recovery) {
  while (!recovery->left.isEmpty()) {
    const RecoveryEntry& entry = recovery->left.first().entry;
    if (isToBePrepared(entry)) {
      const auto opened = [this, recovery](const editor::Result<editor::PreparedText>& prepared) {
        open(recovery.get(), prepared ? &*prepared : nullptr);
        openNext(recovery);
      };
      new editor::TextPreparation([entry] { return readRecovered(entry); }, this, opened);
      return;
    }
    open(recovery.get(), nullptr);
  }
  isRecovering_ = false;
  recovery->then(recovery->news);
}

void RecoveryKeeper::open(Recovery* recovery, const editor::PreparedText* prepared) {
  const RecoveryStore::Orphan orphan = recovery->left.takeFirst();
  RecoveryEntry entry = orphan.entry;
  const QPointer<Document> front = tabs_->current();
  if (recovery->last) tabs_->setCurrent(recovery->last);
  // Another program may have written its file since, or the user opened it.
  const bool isAsRead = prepared &&
                        (prepared->file.path().isEmpty() || prepared->file.looksUnchanged()) &&
                        !tabs_->documentAt(entry.path);
  if (Document* document = place(&entry, isAsRead ? prepared : nullptr, &recovery->news)) {
    document->recover(entry);
    Tracked& tracked = tracked_[document];
    store_.adopt(orphan, tracked.key);
    tracked.kept = true;
  } else {
    store_.drop(orphan);
  }
  recovery->last = tabs_->current();
  if (front) tabs_->setCurrent(front);
}

// The document that is to take the text, opened when needed; null if it has that text already.
Document* RecoveryKeeper::place(RecoveryEntry* entry, const editor::PreparedText* prepared,
                                QStringList* news) {
  if (prepared) {
    Document* document = tabs_->openPrepared(*prepared, entry->title);
    return prepared->isUnsaved ? document : nullptr;
  }
  Document* document = entry->path.isEmpty() ? nullptr : tabs_->documentAt(entry->path);
  if (!document && !entry->path.isEmpty() && !editor::realPath(entry->path).isEmpty()) {
    document = tabs_->openFile(entry->path, false);
  }
  if (!document) return tabs_->newDocument(entry->title);
  // Killed between a save and the end of its copy, or two runs had typed the same.
  if (document->text() == entry->text) return nullptr;
  if (document->textDocument()->isBinary() && entry->isRaw) document->openAnyway();
  const bool binary = document->textDocument()->isBinary();
  if (!binary && !document->isModified()) return document;
  const QString name = document->title();
  Document* other = tabs_->newDocument(name);
  if (!binary) {
    news->append(tr("Two windows had unsaved changes to %1. Both texts are open: one as %1, the "
                    "other as %2.")
                     .arg(name, other->title()));
  }
  entry->path.clear();
  return other;
}

}  // namespace waferpair::gui
