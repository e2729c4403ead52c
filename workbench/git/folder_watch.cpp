// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/folder_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <QFile>
#include <QSet>
#include <QSocketNotifier>
#include <array>
#include <cstring>
#include <optional>

namespace waferpair::workbench {
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

FolderWatch::FolderWatch(QObject* parent)
    : QObject(parent), inotify_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  if (inotify_ < 0) return;
  auto* notifier = new QSocketNotifier(inotify_, QSocketNotifier::Read, this);
  connect(notifier, &QSocketNotifier::activated, this, &FolderWatch::readEvents);
}

FolderWatch::~FolderWatch() {
  qDeleteAll(findChildren<QSocketNotifier*>());
  if (inotify_ >= 0) close(inotify_);
}

bool FolderWatch::setFolders(const QStringList& folders) {
  if (inotify_ < 0) return false;
  const QSet<QString> wanted(folders.begin(), folders.end());
  QMutexLocker lock(&mutex_);
  for (auto it = watches_.begin(); it != watches_.end();) {
    if (wanted.contains(it.key())) {
      ++it;
      continue;
    }
    inotify_rm_watch(inotify_, *it);
    folders_.remove(*it);
    it = watches_.erase(it);
  }
  bool isNew = false;
  for (const QString& folder : wanted) {
    // The thread of the events does not wait for all of them.
    lock.unlock();
    lock.relock();
    isNew = add(folder) || isNew;
  }
  return isNew;
}

bool FolderWatch::add(const QString& folder) {
  if (watches_.size() >= kMostFolders || watches_.contains(folder)) return false;
  const int watch = inotify_add_watch(
      inotify_, QFile::encodeName(folder).constData(),
      IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVE | IN_ATTRIB | IN_DELETE_SELF | IN_ONLYDIR);
  if (watch < 0) return false;
  watches_.insert(folder, watch);
  folders_.insert(watch, folder);
  return true;
}

void FolderWatch::readEvents() {
  alignas(inotify_event) std::array<char, kEventBytes> bytes;
  const ssize_t size = read(inotify_, bytes.data(), bytes.size());
  bool any = false;
  for (ssize_t at = 0; at < size;) {
    inotify_event event;
    std::memcpy(&event, bytes.data() + at, sizeof event);
    const QString name =
        event.len > 0 ? QFile::decodeName(bytes.data() + at + sizeof event) : QString();
    at += static_cast<ssize_t>(sizeof event + event.len);
    const bool isGone = (event.mask & IN_IGNORED) != 0;
    const bool isTold = !isGone && !name.endsWith(QLatin1String(".lock"));
    any = any || isTold;
    const std::optional<Event> what = eventOf(event.mask);
    if (isTold && what && !name.isEmpty()) {
      mutex_.lock();
      const QString folder = folders_.value(event.wd);
      mutex_.unlock();
      if (!folder.isEmpty()) Q_EMIT fileChanged(folder + u'/' + name, *what);
    }
    const QMutexLocker lock(&mutex_);
    if (isGone) {
      watches_.remove(folders_.take(event.wd));
    } else if ((event.mask & IN_CREATE) != 0 && (event.mask & IN_ISDIR) != 0 &&
               folders_.contains(event.wd)) {
      add(folders_.value(event.wd) + u'/' + name);
    }
  }
  if (any) Q_EMIT changed();
}

}  // namespace waferpair::workbench
