// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/watched_files.h"

#include <QHash>
#include <QSet>
#include <algorithm>
#include <chrono>
#include <utility>

#include "gui/project/file_index.h"

namespace waferpair::gui {

using editor::FolderWatch;
using workbench::FileChange;
using workbench::LanguageClient;

namespace {

// A build or a checkout changes many files one after the other.
constexpr std::chrono::milliseconds kTellDelay(300);

}  // namespace

WatchedFiles::WatchedFiles(workbench::LanguageService* service, const FileIndex* files,
                           QObject* parent)
    : QObject(parent), service_(service), files_(files) {
  pool_.setMaxThreadCount(1);
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, &WatchedFiles::tell);
  connect(&watch_, &FolderWatch::fileChanged, this, &WatchedFiles::take);
  connect(service_, &workbench::LanguageService::stateChanged, this, &WatchedFiles::followServers,
          Qt::QueuedConnection);
  connect(files_, &FileIndex::changed, this, [this] {
    if (on_) watchFolders();
  });
}

WatchedFiles::~WatchedFiles() { pool_.waitForDone(); }

void WatchedFiles::followServers() {
  const QVector<LanguageClient*>& clients = service_->clients();
  const bool on = std::any_of(clients.begin(), clients.end(),
                              [](const LanguageClient* client) { return client->watchesFiles(); });
  if (std::exchange(on_, on) != on) watchFolders();
}

// A watch takes the system's while, of which a large project has thousands.
void WatchedFiles::watchFolders() {
  QHash<QString, QStringList> all;
  if (on_)
    for (const QString& folder : files_->folders()) all[folder] = files_->filesOf(folder);
  pool_.start([this, all] {
    QSet<QString> folders;
    for (auto each = all.cbegin(); each != all.cend(); ++each) {
      for (const QString& file : each.value()) {
        const qsizetype end = file.lastIndexOf(u'/');
        folders.insert(end < 0 ? each.key() : each.key() + u'/' + file.left(end));
      }
    }
    watch_.setFolders(folders.values());
  });
}

void WatchedFiles::take(const QString& path, FolderWatch::Event event) {
  const auto before = changes_.constFind(path);
  const bool isKnown = before != changes_.cend();
  FileChange change = FileChange::kChanged;
  if (event == FolderWatch::Event::kGone) {
    change = FileChange::kDeleted;
  } else if (event == FolderWatch::Event::kMade) {
    // What was deleted a moment ago and is there again was saved by way of another file.
    change =
        isKnown && *before == FileChange::kDeleted ? FileChange::kChanged : FileChange::kCreated;
  } else if (isKnown && *before == FileChange::kCreated) {
    change = FileChange::kCreated;
  }
  changes_.insert(path, change);
  if (!soon_.isActive()) soon_.start(kTellDelay);
}

void WatchedFiles::tell() {
  const auto changes = std::exchange(changes_, {});
  for (LanguageClient* client : service_->clients()) client->filesChanged(changes);
}

}  // namespace waferpair::gui
