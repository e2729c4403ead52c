// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/disk_watcher.h"

#include <QFileInfo>

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
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this](const QString& path) {
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
  const QString path = document->path();
  // A replaced file is another one: the system has stopped watching it.
  if (!path.isEmpty() && !watcher_.files().contains(path) && QFileInfo::exists(path)) {
    watcher_.addPath(path);
  }
}

void DiskWatcher::dropUnused() {
  QSet<QString> open;
  for (const Document* document : tabs_->documents()) open.insert(document->path());
  const QStringList watched = watcher_.files();
  for (const QString& path : watched) {
    if (!open.contains(path)) watcher_.removePath(path);
  }
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
