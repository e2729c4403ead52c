// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/kept/kept_files.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QPointer>
#include <QThread>
#include <cerrno>
#include <chrono>
#include <utility>

#include "editor/text/save_file.h"
#include "pairing/kept/kept_folder.h"
#include "runtime/base/file_lock.h"

namespace waferpair::pairing {
namespace {

constexpr char kKeptSuffix[] = ".json";
constexpr char kDamagedSuffix[] = ".damaged";
constexpr char kLockSuffix[] = ".lock";
// A window that holds a file's lock reads and writes this one file meanwhile.
constexpr std::chrono::seconds kLockPatience(5);
constexpr unsigned long kLockPauseMs = 2;

QString setAside(const QString& path) {
  QString name = path + QLatin1String(kDamagedSuffix);
  for (int i = 2; QFile::exists(name); ++i)
    name = path + QLatin1String(kDamagedSuffix) + QString::number(i);
  return QFile::rename(path, name) ? name : path;
}

// Nothing where another window holds it for too long.
std::optional<base::FileLock> lockFile(const QString& path) {
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
class KeptFiles::Disk {
 public:
  explicit Disk(Merge merge) : merge_(std::move(merge)) {}

  // Returns what went wrong.
  QStringList read(const QString& folder, const Take& take);
  // Empty, or what went wrong.
  QString write(const QString& path, const QByteArray& bytes);
  void remove(const QString& path);

 private:
  struct Known {
    QByteArray base;    // as it was last read or written here, without what others did
    QByteArray digest;  // of the file then
  };
  // `bytes` with what another window has written; nothing where none has.
  std::optional<QByteArray> withTheirs(const QString& path, const QByteArray& bytes) const;

  Merge merge_;
  QHash<QString, Known> known_;
};

QStringList KeptFiles::Disk::read(const QString& folder, const Take& take) {
  QStringList problems;
  known_.clear();
  const QDir dir(folder);
  const QStringList names =
      dir.entryList({u'*' + QLatin1String(kKeptSuffix)}, QDir::Files | QDir::NoSymLinks);
  for (const QString& name : names) {
    QFile file(dir.filePath(name));
    if (!file.open(QIODevice::ReadOnly)) {
      problems.append(
          KeptFiles::tr("The file %1 can't be read: %2.").arg(file.fileName(), file.errorString()));
      continue;
    }
    const QByteArray bytes = file.readAll();
    file.close();
    const auto taken = take(bytes);
    if (taken) {
      known_[dir.filePath(name)] = {*taken, digest(bytes)};
    } else {
      problems.append(
          KeptFiles::tr("A file that was kept can't be read. %1 It was set aside as %2.")
              .arg(taken.error().what, setAside(file.fileName())));
    }
  }
  return problems;
}

std::optional<QByteArray> KeptFiles::Disk::withTheirs(const QString& path,
                                                      const QByteArray& bytes) const {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return std::nullopt;  // a new one, or one that they deleted
  const QByteArray theirs = file.readAll();
  const Known known = known_.value(path);
  if (digest(theirs) == known.digest) return std::nullopt;
  return merge_(known.base, bytes, theirs);
}

QString KeptFiles::Disk::write(const QString& path, const QByteArray& bytes) {
  const QString folder = path.left(path.lastIndexOf(u'/'));
  if (!makeKeptFolder(folder)) return KeptFiles::tr("The folder %1 can't be made.").arg(folder);
  // Without the lock, too: what the user wrote is kept.
  const auto lock = lockFile(path);
  const auto saved = editor::saveFile(path, withTheirs(path, bytes).value_or(bytes), 0600);
  if (saved) {
    known_[path] = {bytes, digest(bytes)};
    return {};
  }
  return KeptFiles::tr("%1 can't be kept: %2. See that %3 has room and can be written to.")
      .arg(path, saved.error().why, folder);
}

void KeptFiles::Disk::remove(const QString& path) {
  QFile::remove(path);
  known_.remove(path);
}

KeptFiles::KeptFiles(const QString& directory, Merge merge, QObject* parent)
    : QObject(parent), directory_(directory), disk_(std::make_shared<Disk>(std::move(merge))) {
  thread_.setMaxThreadCount(1);
}

KeptFiles::~KeptFiles() { flush(); }

QString KeptFiles::pathOf(const QString& id) const {
  Q_ASSERT(!folder_.isEmpty());  // load() comes first
  return folder_ + u'/' + id + QLatin1String(kKeptSuffix);
}

void KeptFiles::load(const QString& project, Take take, std::function<void()> done) {
  folder_ = keptFolder(directory_, project);
  thread_.start([self = QPointer<KeptFiles>(this), disk = disk_, folder = folder_, load = ++loads_,
                 take = std::move(take), done = std::move(done)] {
    const QStringList problems = disk->read(folder, take);
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, load, problems, done] {
          if (!self || load != self->loads_) return;
          for (const QString& problem : problems) Q_EMIT self->problem(problem);
          done();
        },
        Qt::QueuedConnection);
  });
}

void KeptFiles::save(const QString& id, Make make, const Written& written) {
  const QString path = pathOf(id);
  Waiting& waiting = waiting_[path];
  waiting.make = std::move(make);
  if (written) waiting.written.append(written);
  if (!writing_.contains(path)) writeNext(path);
}

void KeptFiles::writeNext(const QString& path) {
  if (!waiting_.contains(path)) return;
  Waiting next = waiting_.take(path);
  writing_.insert(path);
  thread_.start([self = QPointer<KeptFiles>(this), disk = disk_, path, next = std::move(next)] {
    const QString problem = disk->write(path, next.make());
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

void KeptFiles::remove(const QString& id) {
  const QString path = pathOf(id);
  waiting_.remove(path);
  thread_.start([disk = disk_, path] { disk->remove(path); });
}

void KeptFiles::flush() {
  thread_.waitForDone();
  // Some waited for a write to end, whose end has not been told yet.
  const QHash<QString, Waiting> rest = std::exchange(waiting_, {});
  for (const auto& [path, waiting] : rest.asKeyValueRange()) {
    const QString problem = disk_->write(path, waiting.make());
    if (!problem.isEmpty()) Q_EMIT this->problem(problem);
    for (const Written& each : waiting.written)
      QMetaObject::invokeMethod(
          QCoreApplication::instance(), [each, problem] { each(problem); }, Qt::QueuedConnection);
  }
}

}  // namespace waferpair::pairing
