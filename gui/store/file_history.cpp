// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/file_history.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "editor/text/save_file.h"
#include "gui/store/recovery_store.h"

namespace waferpair::gui {
namespace {

// A state is a file named for its time, in the form of a recovery copy, which tells of damage.
constexpr char kStateSuffix[] = ".state";
constexpr int kTimeDigits = 15;
constexpr auto kOwnerOnly = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner;

QString stateName(const QDateTime& time) {
  return QStringLiteral("%1").arg(time.toMSecsSinceEpoch(), kTimeDigits, 10, QLatin1Char('0')) +
         QLatin1String(kStateSuffix);
}

QList<FileHistory::State> statesIn(const QString& folder) {
  QList<FileHistory::State> states;
  const QFileInfoList files = QDir(folder).entryInfoList(
      {QStringLiteral("*%1").arg(QLatin1String(kStateSuffix))}, QDir::Files, QDir::Name);
  for (const QFileInfo& file : files) {
    bool isTime = false;
    const qint64 time = file.baseName().toLongLong(&isTime);
    if (isTime)
      states.prepend({QDateTime::fromMSecsSinceEpoch(time), file.size(), file.filePath()});
  }
  return states;
}

editor::Result<RecoveryEntry> readState(const QString& path) {
  QFile file(path);
  RecoveryEntry entry;
  if (!file.open(QIODevice::ReadOnly) || !decodeRecovery(file.readAll(), &entry))
    return editor::fail(FileHistory::tr("This earlier state is gone or damaged."),
                        FileHistory::tr("Choose another one."));
  return entry;
}

}  // namespace

FileHistory::FileHistory(QString directory, const HistoryLimits& limits, QObject* parent)
    : QObject(parent), directory_(std::move(directory)), limits_(limits) {
  thread_.setMaxThreadCount(1);
}

FileHistory::~FileHistory() { thread_.waitForDone(); }

QString FileHistory::folderOf(const QString& path) const {
  const QByteArray name = QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex();
  return directory_ + u'/' + QString::fromLatin1(name.left(24));
}

void FileHistory::keep(const QString& path, const QDateTime& time, const editor::Snapshot& text) {
  if (text.size() > limits_.textBytes) return;
  const bool prunes = !std::exchange(pruned_, true);
  thread_.start([this, path, time, text, prunes] {
    if (prunes) pruneAll();
    write(path, time, text);
  });
}

void FileHistory::write(const QString& path, const QDateTime& time, const editor::Snapshot& text) {
  const QString folder = folderOf(path);
  const auto failed = [&](const QString& why) {
    QMetaObject::invokeMethod(this, [this, why] {
      if (std::exchange(told_, true)) return;
      Q_EMIT problem(tr("Earlier states of files cannot be kept in %1: %2. Make room there or let "
                        "the folder be written to; the files themselves are saved.")
                         .arg(QDir::toNativeSeparators(directory_), why));
    });
  };
  if (!QDir().mkpath(folder)) return failed(tr("the folder cannot be made"));
  QFile::setPermissions(directory_, kOwnerOnly);
  QFile::setPermissions(folder, kOwnerOnly);
  const QList<State> before = statesIn(folder);
  if (!before.isEmpty()) {
    const auto last = readState(before.first().file);
    if (last && last->text == text) return;
  }
  RecoveryEntry entry;
  entry.path = path;
  entry.time = time;
  entry.text = text;
  constexpr mode_t kPrivate = 0600;
  const auto saved =
      editor::saveFile(folder + u'/' + stateName(time), encodeRecovery(entry), kPrivate);
  if (!saved) return failed(saved.error().why);
  // The first of all states stays: it is the one from before anything was done.
  if (before.size() > 1 && qAbs(before.first().time.secsTo(time)) < limits_.apart)
    QFile::remove(before.first().file);
  prune(folder);
}

void FileHistory::prune(const QString& folder) const {
  const QDateTime oldest = QDateTime::currentDateTime().addSecs(-limits_.seconds);
  QList<State> states = statesIn(folder);
  qint64 bytes = 0;
  for (qsizetype i = 0; i < states.size(); ++i) {
    bytes += states[i].bytes;
    if (i >= limits_.states || (i > 0 && bytes > limits_.fileBytes) || states[i].time < oldest)
      QFile::remove(states[i].file);
  }
  QDir().rmdir(folder);  // fails, as it should, while states are in it
}

void FileHistory::pruneAll() const {
  QList<State> all;
  const QStringList folders =
      QDir(directory_).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
  for (const QString& name : folders) {
    const QString folder = directory_ + u'/' + name;
    prune(folder);
    all += statesIn(folder);
  }
  std::sort(all.begin(), all.end(), [](const State& a, const State& b) { return a.time > b.time; });
  qint64 bytes = 0;
  for (const State& state : std::as_const(all)) {
    bytes += state.bytes;
    if (bytes > limits_.totalBytes) QFile::remove(state.file);
  }
}

QList<FileHistory::State> FileHistory::states(const QString& path) {
  thread_.waitForDone();
  return statesIn(folderOf(path));
}

editor::Result<editor::Snapshot> FileHistory::read(const State& state) const {
  return readState(state.file).map([](const RecoveryEntry& entry) { return entry.text; });
}

void FileHistory::forget(const QString& path) {
  thread_.start([folder = folderOf(path)] {
    for (const State& state : statesIn(folder)) QFile::remove(state.file);
    QDir().rmdir(folder);
  });
}

}  // namespace waferpair::gui
