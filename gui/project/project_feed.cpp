// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/project_feed.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>
#include <utility>

#include "editor/text/path_on_disk.h"
#include "editor/text/watch_limit.h"
#include "gui/client/completion_service.h"
#include "gui/project/file_index.h"

namespace waferpair::gui {

ProjectFeed::ProjectFeed(FileIndex* index, CompletionService* service, FeedPace pace,
                         QObject* parent)
    : QObject(parent), index_(index), service_(service), pace_(pace) {
  for (QTimer* timer : {&chooseSoon_, &turn_, &quiet_}) timer->setSingleShot(true);
  turn_.setInterval(pace_.turnMs);
  quiet_.setInterval(pace_.quietMs);
  connect(&chooseSoon_, &QTimer::timeout, this, &ProjectFeed::choose);
  connect(&turn_, &QTimer::timeout, this, &ProjectFeed::sendTurn);
  connect(&quiet_, &QTimer::timeout, this, &ProjectFeed::sendTurn);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &ProjectFeed::chooseSoon);
  connect(index_, &FileIndex::changed, this, &ProjectFeed::readIndex);

  connect(service_, &CompletionService::sessionBegan, this, &ProjectFeed::startSession);
  connect(service_, &CompletionService::sessionEnded, this, &ProjectFeed::stop);
  connect(service_, &CompletionService::documentEdited, this, [this] { quiet_.start(); });
  connect(service_, &CompletionService::documentOpened, this, &ProjectFeed::documentOpened);
  connect(service_, &CompletionService::documentClosed, this, &ProjectFeed::documentClosed);
  connect(service_, &CompletionService::backgroundDropped, this, [this](const QString& path) {
    forget(path);
    chooseSoon();
  });
  connect(service_, &CompletionService::exclusionsChanged, this, &ProjectFeed::chooseSoon);
  readIndex();
}

ProjectFeed::~ProjectFeed() { stop(); }

void ProjectFeed::setEnabled(bool enabled) {
  if (enabled == std::exchange(enabled_, enabled)) return;
  stop();
  if (enabled_) startSession();
}

void ProjectFeed::setActive(const QString& path, const QString& language) {
  activePath_ = path;
  activeLanguage_ = language;
  followActive();
}

bool ProjectFeed::isBusy() const {
  return choosing_ || chooseSoon_.isActive() || turn_.isActive() ||
         (quiet_.isActive() && queueNext_ < queue_.size());
}

// Chooses again for another active file, unless all files have room: then only their order changes.
void ProjectFeed::followActive() {
  if (complete_) return;
  const auto folder = [](const QString& path) { return QFileInfo(path).path(); };
  if (activeLanguage_ != chosenLanguage_ || folder(activePath_) != folder(chosenFor_)) chooseSoon();
}

void ProjectFeed::lookAgain() {
  if (isWanted() && sinceChoice_.isValid() && sinceChoice_.elapsed() >= pace_.againMs)
    index_->refresh();
}

QString ProjectFeed::summary() const {
  if (!enabled_) return tr("none: switched off in the settings");
  if (folders_.isEmpty()) return tr("none: no folder is open");
  if (!service_->hasSession()) return tr("none: no model server to tell");
  if (!chosen_) return tr("none yet");
  qint64 bytes = 0;
  for (const DiskStamp& stamp : known_) bytes += stamp.bytes;
  const QString files = tr("%Ln file(s)", nullptr, static_cast<int>(known_.size()));
  const QString known = tr("%1, %L2 KiB").arg(files).arg((bytes + 1023) / 1024);
  if (queueNext_ < queue_.size())
    return tr("%1; %L2 on their way").arg(known).arg(queue_.size() - queueNext_);
  return complete_ ? known : tr("%1, the nearest of a larger project").arg(known);
}

bool ProjectFeed::isWanted() const {
  return enabled_ && !folders_.isEmpty() && service_->hasSession();
}

void ProjectFeed::readIndex() {
  const QString before = folders_.value(0);
  folders_ = index_->folders();
  if (index_->folder() != before) {
    stop();
    startSession();
  } else {
    chooseSoon();
  }
}

// A session, or a project, that knows nothing yet.
void ProjectFeed::startSession() {
  sinceChoice_.invalidate();
  chooseSoon();
  Q_EMIT changed();
}

void ProjectFeed::stop() {
  if (choosing_) *std::exchange(choosing_, nullptr) = true;
  chooseSoon_.stop();
  queue_.clear();
  queueNext_ = 0;
  complete_ = true;
  chosen_ = false;
  for (const QString& path : known_.keys()) {
    service_->closeBackground(path);
    forget(path);
  }
  Q_EMIT changed();
}

void ProjectFeed::forget(const QString& path) {
  if (known_.remove(path) == 0) return;
  watcher_.removePath(path);
  Q_EMIT changed();
}

void ProjectFeed::chooseSoon() {
  if (!isWanted() || chooseSoon_.isActive()) return;
  const qint64 rest = sinceChoice_.isValid() ? pace_.againMs - sinceChoice_.elapsed() : 0;
  chooseSoon_.start(static_cast<int>(std::max<qint64>(pace_.settleMs, rest)));
}

void ProjectFeed::choose() {
  if (index_->isReading()) return;  // readIndex() follows
  if (choosing_) return chooseSoon();
  sinceChoice_.start();
  chosenFor_ = activePath_;
  chosenLanguage_ = activeLanguage_;
  choosing_ = std::make_shared<std::atomic<bool>>(false);
  QVector<std::pair<QString, QStringList>> others;
  for (const QString& folder : folders_.mid(1)) others.append({folder, index_->filesOf(folder)});
  ChoiceRequest request{.root = folders_.value(0),
                        .files = index_->files(),
                        .others = others,
                        .activePath = activePath_,
                        .activeLanguage = activeLanguage_,
                        .inEditors = service_->inEditors(),
                        .known = known_};
  // The thread knows nothing of this object but through the guarded pointer, used on the UI thread.
  QThreadPool::globalInstance()->start(
      [self = QPointer<ProjectFeed>(this), cancelled = choosing_, request = std::move(request)] {
        ProjectChoice choice = chooseProjectFiles(request, *cancelled);
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, cancelled, choice = std::move(choice)] {
              if (self && !*cancelled) self->take(choice);
            },
            Qt::QueuedConnection);
      });
}

void ProjectFeed::take(ProjectChoice choice) {
  choosing_ = nullptr;
  chosen_ = true;
  complete_ = choice.complete;
  QSet<QString> wanted;
  for (const ChosenFile& file : choice.files) wanted.insert(file.path);
  for (const QString& path : known_.keys()) {
    if (wanted.contains(path)) continue;
    service_->closeBackground(path);
    forget(path);
  }
  // When a file is gone, another may have come: it was renamed, or a branch was checked out.
  if (choice.gone) index_->refresh();
  queue_ = std::move(choice.files);
  queueNext_ = 0;
  queue_.removeIf([this](const ChosenFile& file) { return known_.value(file.path) == file.stamp; });
  sendTurn();
  followActive();
  Q_EMIT changed();
}

void ProjectFeed::sendTurn() {
  if (quiet_.isActive() || queueNext_ == queue_.size()) return;
  for (qint64 sent = 0; sent < pace_.turnBytes && queueNext_ < queue_.size(); ++queueNext_) {
    const ChosenFile& file = queue_[queueNext_];
    // Known when it was chosen, dropped since: there will be another choice.
    if (file.utf8.isEmpty()) continue;
    editor::watchPaths(&watcher_, {file.path});  // first, so that no change goes unnoticed
    if (service_->openBackground(file.path, file.language, file.utf8)) {
      known_.insert(file.path, file.stamp);
      sent += file.utf8.size();
    } else {
      known_.remove(file.path);
      watcher_.removePath(file.path);
    }
  }
  if (queueNext_ < queue_.size()) {
    turn_.start();
  } else {
    queue_.clear();
    queueNext_ = 0;
  }
  Q_EMIT changed();
}

// An editor may have reached the same file by another way.
void ProjectFeed::documentOpened(const QString& id) {
  const QString path = editor::realPath(id);
  if (!known_.contains(path)) return;
  service_->closeBackground(path);
  forget(path);
}

void ProjectFeed::documentClosed(const QString& id) {
  const auto in = std::find_if(folders_.cbegin(), folders_.cend(), [&id](const QString& folder) {
    return id.startsWith(folder + u'/');
  });
  if (in == folders_.cend() || !isWanted()) return;
  const QString relative = id.mid(in->size() + 1);
  const QStringList files = index_->filesOf(*in);
  if (std::binary_search(files.begin(), files.end(), relative)) {
    chooseSoon();
  } else {
    index_->refresh();  // it is new
  }
}

QString ProjectFeed::busyWith() const {
  return isBusy() ? QStringLiteral("telling the model of files") : QString();
}

}  // namespace waferpair::gui
