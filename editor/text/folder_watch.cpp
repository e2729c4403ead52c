// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/folder_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <QHash>
#include <QMutex>
#include <QPointer>
#include <QSet>
#include <QSocketNotifier>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "editor/text/path_bytes.h"
#include "editor/text/watch_limit.h"

namespace waferpair::editor {
namespace {

constexpr std::size_t kEventBytes = 64 << 10;

// Of a file; none: of a folder, or nothing that changes what is in it.
std::optional<FolderWatch::Event> eventOf(quint32 mask) {
  if ((mask & IN_ISDIR) != 0) return std::nullopt;
  if ((mask & (IN_CREATE | IN_MOVED_TO)) != 0) return FolderWatch::Event::kMade;
  if ((mask & IN_CLOSE_WRITE) != 0) return FolderWatch::Event::kWritten;
  if ((mask & (IN_DELETE | IN_MOVED_FROM)) != 0) return FolderWatch::Event::kGone;
  return std::nullopt;
}

}  // namespace

// The watches of all. Lives as long as one of those does.
class SharedWatch {
 public:
  static std::shared_ptr<SharedWatch> instance();

  SharedWatch();
  ~SharedWatch();
  SharedWatch(const SharedWatch&) = delete;
  SharedWatch& operator=(const SharedWatch&) = delete;

  bool setFolders(FolderWatch* who, const QStringList& folders);
  void forget(FolderWatch* who);

 private:
  // Who wants a folder, by the paths that lead to it: there may be links among these.
  using Paths = QHash<QString, QSet<FolderWatch*>>;

  void readEvents();
  bool add(FolderWatch* who, const QString& folder);
  void remove(FolderWatch* who, const QString& folder);

  const int inotify_;  // negative: the system allows no more
  std::unique_ptr<QSocketNotifier> notifier_;
  QMutex mutex_;
  // Under the mutex:
  QHash<QString, int> watches_;  // by path
  QHash<int, Paths> paths_;      // by watch
  QHash<FolderWatch*, QSet<QString>> wanted_;
};

// -- The watches

// The thread in which it is made gets the events.
std::shared_ptr<SharedWatch> SharedWatch::instance() {
  static QMutex mutex;
  static std::weak_ptr<SharedWatch> shared;
  const QMutexLocker lock(&mutex);
  std::shared_ptr<SharedWatch> all = shared.lock();
  if (!all) shared = all = std::make_shared<SharedWatch>();
  return all;
}

SharedWatch::SharedWatch() : inotify_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  if (inotify_ < 0) return;
  notifier_ = std::make_unique<QSocketNotifier>(inotify_, QSocketNotifier::Read);
  QObject::connect(notifier_.get(), &QSocketNotifier::activated, notifier_.get(),
                   [this] { readEvents(); });
}

SharedWatch::~SharedWatch() {
  notifier_.reset();
  if (inotify_ >= 0) close(inotify_);
}

bool SharedWatch::setFolders(FolderWatch* who, const QStringList& folders) {
  if (inotify_ < 0) {
    if (!folders.isEmpty()) WatchLimit::instance().meet();
    return false;
  }
  const QSet<QString> wanted(folders.begin(), folders.end());
  QMutexLocker lock(&mutex_);
  QSet<QString> unwanted = wanted_.value(who);
  unwanted.subtract(wanted);
  for (const QString& folder : std::as_const(unwanted)) remove(who, folder);
  bool isNew = false;
  for (const QString& folder : wanted) {
    // The thread of the events does not wait for all of them.
    lock.unlock();
    lock.relock();
    isNew = add(who, folder) || isNew;
  }
  return isNew;
}

void SharedWatch::forget(FolderWatch* who) {
  const QMutexLocker lock(&mutex_);
  const QSet<QString> all = wanted_.value(who);
  for (const QString& folder : all) remove(who, folder);
  wanted_.remove(who);
}

bool SharedWatch::add(FolderWatch* who, const QString& folder) {
  QSet<QString>& wanted = wanted_[who];
  if (wanted.size() >= FolderWatch::kMostFolders || wanted.contains(folder)) return false;
  auto at = watches_.constFind(folder);
  if (at == watches_.cend()) {
    const int watch = inotify_add_watch(
        inotify_, pathBytes(folder).constData(),
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVE | IN_ATTRIB | IN_DELETE_SELF | IN_ONLYDIR);
    if (watch < 0) {
      if (errno == ENOSPC || errno == ENOMEM) WatchLimit::instance().meet();
      return false;
    }
    at = watches_.insert(folder, watch);
  }
  paths_[*at][folder].insert(who);
  wanted.insert(folder);
  return true;
}

void SharedWatch::remove(FolderWatch* who, const QString& folder) {
  wanted_[who].remove(folder);
  const auto at = watches_.constFind(folder);
  if (at == watches_.cend()) return;
  const int watch = *at;
  Paths& paths = paths_[watch];
  QSet<FolderWatch*>& by = paths[folder];
  by.remove(who);
  if (!by.isEmpty()) return;
  watches_.erase(at);
  paths.remove(folder);
  if (!paths.isEmpty()) return;
  paths_.remove(watch);
  inotify_rm_watch(inotify_, watch);
}

void SharedWatch::readEvents() {
  alignas(inotify_event) std::array<char, kEventBytes> bytes;
  const ssize_t size = read(inotify_, bytes.data(), bytes.size());
  // Whoever is told may be gone by the next event.
  QVector<QPointer<FolderWatch>> told;
  for (ssize_t at = 0; at < size;) {
    inotify_event event;
    std::memcpy(&event, bytes.data() + at, sizeof event);
    const QString name = event.len > 0 ? pathText(bytes.data() + at + sizeof event) : QString();
    at += static_cast<ssize_t>(sizeof event + event.len);
    QMutexLocker lock(&mutex_);
    const bool isGone = (event.mask & IN_IGNORED) != 0;
    const bool isNewFolder = (event.mask & IN_CREATE) != 0 && (event.mask & IN_ISDIR) != 0;
    const Paths paths = isGone ? paths_.take(event.wd) : paths_.value(event.wd);
    QVector<std::pair<QPointer<FolderWatch>, QString>> now;
    for (auto path = paths.cbegin(); path != paths.cend(); ++path) {
      if (isGone) watches_.remove(path.key());
      for (FolderWatch* who : *path) {
        if (isGone) wanted_[who].remove(path.key());
        if (isNewFolder) add(who, path.key() + u'/' + name);
        now.append({who, path.key()});
      }
    }
    lock.unlock();
    if (isGone || name.endsWith(QLatin1String(".lock"))) continue;
    const std::optional<FolderWatch::Event> what = eventOf(event.mask);
    for (const auto& [who, folder] : now) {
      if (!told.contains(who)) told.append(who);
      if (who && what && !name.isEmpty()) Q_EMIT who->fileChanged(folder + u'/' + name, *what);
    }
  }
  for (const QPointer<FolderWatch>& who : told)
    if (who) Q_EMIT who->changed();
}

// -- What one of them wants

FolderWatch::FolderWatch(QObject* parent) : QObject(parent), shared_(SharedWatch::instance()) {}

FolderWatch::~FolderWatch() { shared_->forget(this); }

bool FolderWatch::setFolders(const QStringList& folders) {
  return shared_->setFolders(this, folders);
}

}  // namespace waferpair::editor
