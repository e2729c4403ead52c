// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/disk_watcher.h"

#include <QDir>
#include <algorithm>

#include "editor/text/path_on_disk.h"
#include "gui/documents/editor_tabs.h"

namespace waferpair::gui {
namespace {

// Programs that replace a file leave a moment without it; what was written in one go arrives as
// several notices.
constexpr int kSettleMs = 120;

QString configIn(const QString& folder) { return folder + QStringLiteral("/.editorconfig"); }

// The folders in which an .editorconfig may be made for the file at `path`, the nearest first: up
// to that of its repository or below the user's home, and a few at most. One further up counts,
// too, but is hardly made while the file is edited.
QStringList configFolders(const QString& path) {
  constexpr qsizetype kMost = 12;
  QStringList folders;
  QString folder = path;
  for (qsizetype slash = folder.lastIndexOf(u'/'); slash > 0 && folders.size() < kMost;
       slash = folder.lastIndexOf(u'/')) {
    folder.truncate(slash);
    if (folder == QDir::homePath() || folder == QDir::tempPath()) break;
    folders.append(folder);
    if (editor::isThere(folder + QStringLiteral("/.git"))) break;
  }
  return folders;
}

bool isConfig(const QString& path) { return path.endsWith(QLatin1String("/.editorconfig")); }

}  // namespace

DiskWatcher::DiskWatcher(EditorTabs* tabs) : QObject(tabs), tabs_(tabs) {
  settle_.setSingleShot(true);
  settle_.setInterval(kSettleMs);
  connect(&settle_, &QTimer::timeout, this, &DiskWatcher::checkPending);
  connect(&watch_, &editor::PathWatch::fileChanged, this, [this](const QString& path) {
    pending_.insert(path);
    settle_.start();
  });
  connect(&watch_, &editor::PathWatch::folderChanged, this, &DiskWatcher::lookForConfig);
  connect(tabs_, &EditorTabs::opened, this, [this](Document* document) {
    watch(document);
    connect(document, &Document::titleChanged, this, [this, document] { watch(document); });
  });
  connect(tabs_, &EditorTabs::closed, this, &DiskWatcher::dropUnused, Qt::QueuedConnection);
}

void DiskWatcher::watch(Document* document) {
  if (document->path().isEmpty()) return;
  watch_.addFile(document->path());
  watchConfigs(document->path());
}

void DiskWatcher::watchConfigs(const QString& path) {
  for (const QString& folder : configFolders(path)) {
    watch_.addFolder(folder);
    if (!editor::isThere(configIn(folder))) continue;
    configs_.insert(configIn(folder));
    watch_.addFile(configIn(folder));
  }
}

// One was made or taken away, or another file was.
void DiskWatcher::lookForConfig(const QString& folder) {
  const QString config = configIn(folder);
  if (editor::isThere(config) == configs_.contains(config)) return;
  pending_.insert(config);
  settle_.start();
}

void DiskWatcher::dropUnused() {
  QSet<QString> open, folders;
  for (const Document* document : tabs_->documents()) {
    open.insert(document->path());
    for (const QString& folder : configFolders(document->path())) {
      folders.insert(folder);
      open.insert(configIn(folder));
    }
  }
  watch_.keepFiles(open);
  watch_.keepFolders(folders);
  configs_.intersect(open);
}

void DiskWatcher::checkPending() {
  const QSet<QString> paths = std::exchange(pending_, {});
  for (const QString& path : paths)
    if (isConfig(path) && !editor::isThere(path)) configs_.remove(path);
  for (Document* document : tabs_->documents()) {
    const bool hasConfig = std::any_of(paths.cbegin(), paths.cend(), [&](const QString& path) {
      return isConfig(path) &&
             document->path().startsWith(path.chopped(qsizetype(sizeof(".editorconfig")) - 1));
    });
    if (hasConfig) {
      watchConfigs(document->path());
    } else if (!paths.contains(document->path())) {
      continue;
    }
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
