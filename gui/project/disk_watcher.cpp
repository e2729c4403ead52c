// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/disk_watcher.h"

#include "gui/documents/editor_tabs.h"

namespace waferpair::gui {
namespace {

// Programs that replace a file leave a moment without it; what was written in one go arrives as
// several notices.
constexpr int kSettleMs = 120;

}  // namespace

DiskWatcher::DiskWatcher(EditorTabs* tabs) : QObject(tabs), tabs_(tabs) {
  settle_.setSingleShot(true);
  settle_.setInterval(kSettleMs);
  connect(&settle_, &QTimer::timeout, this, &DiskWatcher::checkPending);
  connect(&watch_, &editor::PathWatch::fileChanged, this, [this](const QString& path) {
    pending_.insert(path);
    settle_.start();
  });
  connect(tabs_, &EditorTabs::opened, this, [this](Document* document) {
    watch(document);
    connect(document, &Document::titleChanged, this, [this, document] { watch(document); });
  });
  connect(tabs_, &EditorTabs::closed, this, &DiskWatcher::dropUnused, Qt::QueuedConnection);
}

void DiskWatcher::watch(Document* document) {
  if (!document->path().isEmpty()) watch_.addFile(document->path());
}

void DiskWatcher::dropUnused() {
  QSet<QString> open;
  for (const Document* document : tabs_->documents()) open.insert(document->path());
  watch_.keepFiles(open);
}

void DiskWatcher::checkPending() {
  const QSet<QString> paths = std::exchange(pending_, {});
  for (Document* document : tabs_->documents()) {
    if (!paths.contains(document->path())) continue;
    watch(document);
    document->checkDisk();
  }
}

void DiskWatcher::checkAll() {
  for (Document* document : tabs_->documents()) {
    watch(document);
    document->checkDisk();
  }
}

}  // namespace waferpair::gui
