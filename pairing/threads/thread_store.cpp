// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/threads/thread_store.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QPointer>
#include <QThread>
#include <algorithm>
#include <cerrno>
#include <utility>

#include "editor/text/save_file.h"
#include "pairing/kept_folder.h"
#include "pairing/threads/merge_threads.h"
#include "pairing/threads/thread_json.h"
#include "runtime/base/file_lock.h"

namespace waferpair::pairing {
namespace {

constexpr char kThreadSuffix[] = ".json";
constexpr char kDamagedSuffix[] = ".damaged";
constexpr char kLockSuffix[] = ".lock";
// A window that holds a thread's lock reads and writes one file meanwhile.
constexpr std::chrono::seconds kLockPatience(5);
constexpr unsigned long kLockPauseMs = 2;

struct LoadedThreads {
  QVector<Thread> threads;
  QStringList problems;
};

// An answer that was being written when the program ended comes no further.
void endStreams(Thread* thread) {
  for (Message& message : thread->messages)
    if (message.state == MessageState::kStreaming) message.state = MessageState::kInterrupted;
}

QString setAside(const QString& path) {
  QString name = path + QLatin1String(kDamagedSuffix);
  for (int i = 2; QFile::exists(name); ++i)
    name = path + QLatin1String(kDamagedSuffix) + QString::number(i);
  return QFile::rename(path, name) ? name : path;
}

// Nothing where another window holds it for too long.
std::optional<base::FileLock> lockThread(const QString& path) {
  const std::string name = QFile::encodeName(path + QLatin1String(kLockSuffix)).toStdString();
  for (const QDeadlineTimer deadline(kLockPatience); !deadline.hasExpired();) {
    if (auto lock = base::FileLock::create(name)) return lock;
    if (errno != EEXIST) return std::nullopt;
    if (auto lock = base::FileLock::take(name)) return lock;
    QThread::msleep(kLockPauseMs);
  }
  return std::nullopt;
}

QByteArray digest(const QByteArray& bytes) {
  return QCryptographicHash::hash(bytes, QCryptographicHash::Sha1);
}

}  // namespace

// The files, and what this window knows of each.
class ThreadStore::Files {
 public:
  LoadedThreads read(const QString& folder);
  // Empty, or what went wrong.
  QString write(const QString& path, const Thread& thread);
  void remove(const QString& path);

 private:
  struct Known {
    Thread thread;      // as it was last read or written here, without what others did
    QByteArray digest;  // of a file that holds just this
  };
  // `thread` with what another window has written; nothing where none has.
  std::optional<Thread> withTheirs(const QString& path, const Thread& thread) const;

  QHash<QString, Known> known_;
};

LoadedThreads ThreadStore::Files::read(const QString& folder) {
  LoadedThreads loaded;
  known_.clear();
  const QDir dir(folder);
  const QStringList names =
      dir.entryList({u'*' + QLatin1String(kThreadSuffix)}, QDir::Files | QDir::NoSymLinks);
  for (const QString& name : names) {
    QFile file(dir.filePath(name));
    if (!file.open(QIODevice::ReadOnly)) {
      loaded.problems.append(ThreadStore::tr("The thread in %1 can't be read: %2.")
                                 .arg(file.fileName(), file.errorString()));
      continue;
    }
    const QByteArray bytes = file.readAll();
    auto thread = threadFromJson(bytes);
    file.close();
    if (thread) {
      endStreams(&*thread);
      known_[dir.filePath(name)] = {*thread, digest(bytes)};
      loaded.threads.append(*thread);
    } else {
      loaded.problems.append(ThreadStore::tr("A thread can't be read. %1 It was set aside as %2.")
                                 .arg(thread.error().what, setAside(file.fileName())));
    }
  }
  std::sort(loaded.threads.begin(), loaded.threads.end(),
            [](const Thread& a, const Thread& b) { return a.changed > b.changed; });
  return loaded;
}

std::optional<Thread> ThreadStore::Files::withTheirs(const QString& path,
                                                     const Thread& thread) const {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return std::nullopt;  // a new one, or one that they deleted
  const QByteArray bytes = file.readAll();
  const Known known = known_.value(path);
  if (digest(bytes) == known.digest) return std::nullopt;
  const auto theirs = threadFromJson(bytes);
  if (!theirs) return std::nullopt;
  return mergedThread(known.thread, thread, *theirs);
}

QString ThreadStore::Files::write(const QString& path, const Thread& thread) {
  const QString folder = path.left(path.lastIndexOf(u'/'));
  if (!makeKeptFolder(folder))
    return ThreadStore::tr("The folder %1 for threads can't be made.").arg(folder);
  // Without the lock, too: what the user wrote is kept.
  const auto lock = lockThread(path);
  const QByteArray bytes = threadToJson(thread);
  const std::optional<Thread> merged = withTheirs(path, thread);
  const auto saved = editor::saveFile(path, merged ? threadToJson(*merged) : bytes, 0600);
  if (saved) {
    known_[path] = {thread, digest(bytes)};
    return {};
  }
  return ThreadStore::tr(
             "The thread \"%1\" can't be kept: %2. See that %3 has room and can be "
             "written to.")
      .arg(thread.title, saved.error().why, folder);
}

void ThreadStore::Files::remove(const QString& path) {
  QFile::remove(path);
  known_.remove(path);
}

ThreadStore::ThreadStore(const QString& directory, QObject* parent)
    : QObject(parent), directory_(directory), files_(std::make_shared<Files>()) {
  thread_.setMaxThreadCount(1);
}

ThreadStore::~ThreadStore() { flush(); }

void ThreadStore::load(const QString& project) {
  folder_ = keptFolder(directory_, project);
  thread_.start(
      [self = QPointer<ThreadStore>(this), files = files_, folder = folder_, load = ++loads_] {
        LoadedThreads loaded = files->read(folder);
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, load, loaded = std::move(loaded)] {
              if (!self || load != self->loads_) return;
              for (const QString& problem : loaded.problems) Q_EMIT self->problem(problem);
              Q_EMIT self->loaded(loaded.threads);
            },
            Qt::QueuedConnection);
      });
}

void ThreadStore::save(const Thread& thread, const Written& written) {
  Q_ASSERT(!folder_.isEmpty());  // load() comes first
  const QString path = folder_ + u'/' + thread.id + QLatin1String(kThreadSuffix);
  Waiting& waiting = waiting_[path];
  waiting.thread = thread;
  if (written) waiting.written.append(written);
  if (!writing_.contains(path)) writeNext(path);
}

void ThreadStore::writeNext(const QString& path) {
  if (!waiting_.contains(path)) return;
  Waiting next = waiting_.take(path);
  writing_.insert(path);
  thread_.start([self = QPointer<ThreadStore>(this), files = files_, path, next = std::move(next)] {
    const QString problem = files->write(path, next.thread);
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, path, problem, written = next.written] {
          if (!self) return;
          self->writing_.remove(path);
          self->writeNext(path);
          if (!problem.isEmpty()) Q_EMIT self->problem(problem);
          for (const Written& each : written) each(problem);
        },
        Qt::QueuedConnection);
  });
}

void ThreadStore::remove(const QString& threadId) {
  const QString path = folder_ + u'/' + threadId + QLatin1String(kThreadSuffix);
  waiting_.remove(path);
  thread_.start([files = files_, path] { files->remove(path); });
}

void ThreadStore::flush() {
  thread_.waitForDone();
  // Those that waited for a write to end, whose end has not been told yet.
  const QHash<QString, Waiting> rest = std::exchange(waiting_, {});
  for (const auto& [path, waiting] : rest.asKeyValueRange()) {
    const QString problem = files_->write(path, waiting.thread);
    if (!problem.isEmpty()) Q_EMIT this->problem(problem);
    for (const Written& each : waiting.written)
      QMetaObject::invokeMethod(
          QCoreApplication::instance(), [each, problem] { each(problem); }, Qt::QueuedConnection);
  }
}

}  // namespace waferpair::pairing
