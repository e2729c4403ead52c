// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/threads/thread_store.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QPointer>
#include <algorithm>
#include <utility>

#include "editor/text/save_file.h"
#include "pairing/kept_folder.h"
#include "pairing/threads/thread_json.h"

namespace waferpair::pairing {
namespace {

constexpr char kThreadSuffix[] = ".json";
constexpr char kDamagedSuffix[] = ".damaged";

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

LoadedThreads readThreads(const QString& folder) {
  LoadedThreads loaded;
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
    auto thread = threadFromJson(file.readAll());
    file.close();
    if (thread) {
      endStreams(&*thread);
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

// Empty, or what went wrong.
QString writeThread(const QString& path, const Thread& thread) {
  const QString folder = path.left(path.lastIndexOf(u'/'));
  if (!makeKeptFolder(folder))
    return ThreadStore::tr("The folder %1 for threads can't be made.").arg(folder);
  const auto saved = editor::saveFile(path, threadToJson(thread), 0600);
  if (saved) return {};
  return ThreadStore::tr(
             "The thread \"%1\" can't be kept: %2. See that %3 has room and can be "
             "written to.")
      .arg(thread.title, saved.error().why, folder);
}

}  // namespace

ThreadStore::ThreadStore(const QString& directory, QObject* parent)
    : QObject(parent), directory_(directory) {
  thread_.setMaxThreadCount(1);
}

ThreadStore::~ThreadStore() { flush(); }

void ThreadStore::load(const QString& project) {
  folder_ = keptFolder(directory_, project);
  thread_.start([self = QPointer<ThreadStore>(this), folder = folder_, load = ++loads_] {
    LoadedThreads loaded = readThreads(folder);
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
  thread_.start([self = QPointer<ThreadStore>(this), path, next = std::move(next)] {
    const QString problem = writeThread(path, next.thread);
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
  thread_.start([path] { QFile::remove(path); });
}

void ThreadStore::flush() {
  thread_.waitForDone();
  // Those that waited for a write to end, whose end has not been told yet.
  const QHash<QString, Waiting> rest = std::exchange(waiting_, {});
  for (const auto& [path, waiting] : rest.asKeyValueRange()) {
    const QString problem = writeThread(path, waiting.thread);
    if (!problem.isEmpty()) Q_EMIT this->problem(problem);
    for (const Written& each : waiting.written)
      QMetaObject::invokeMethod(
          QCoreApplication::instance(), [each, problem] { each(problem); }, Qt::QueuedConnection);
  }
}

}  // namespace waferpair::pairing
