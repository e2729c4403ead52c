// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/recovery_store.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>
#include <algorithm>

#include "editor/save_file.h"

namespace waferpair::gui {
namespace {

constexpr char kFormat[] = "waferpair-recovery-1";
constexpr char kSuffix[] = ".copy";
constexpr char kLockName[] = "lock";

QByteArray sha1(const QByteArray& bytes) {
  return QCryptographicHash::hash(bytes, QCryptographicHash::Sha1);
}

}  // namespace

QByteArray encodeRecovery(const RecoveryEntry& entry) {
  const QJsonObject header{
      {QStringLiteral("format"), QLatin1String(kFormat)},
      {QStringLiteral("path"), entry.path},
      {QStringLiteral("title"), entry.title},
      {QStringLiteral("language"), entry.language},
      {QStringLiteral("caret"), entry.caret},
      {QStringLiteral("base"), QString::fromLatin1(entry.baseSha1.toHex())},
      {QStringLiteral("time"), entry.time.toUTC().toString(Qt::ISODateWithMs)},
      {QStringLiteral("length"), entry.text.size()},
      {QStringLiteral("sha1"), QString::fromLatin1(sha1(entry.text).toHex())},
  };
  return QJsonDocument(header).toJson(QJsonDocument::Compact) + '\n' + entry.text;
}

bool decodeRecovery(const QByteArray& bytes, RecoveryEntry* entry) {
  const qsizetype headerEnd = bytes.indexOf('\n');
  if (headerEnd < 0) return false;
  const QJsonObject header = QJsonDocument::fromJson(bytes.left(headerEnd)).object();
  const QByteArray text = bytes.mid(headerEnd + 1);
  if (header[QLatin1String("format")].toString() != QLatin1String(kFormat) ||
      header[QLatin1String("length")].toInteger(-1) != text.size() ||
      header[QLatin1String("sha1")].toString().toLatin1() != sha1(text).toHex()) {
    return false;
  }
  entry->path = header[QLatin1String("path")].toString();
  entry->title = header[QLatin1String("title")].toString();
  entry->language = header[QLatin1String("language")].toString();
  entry->caret = std::clamp<qint64>(header[QLatin1String("caret")].toInteger(), 0, text.size());
  entry->baseSha1 = QByteArray::fromHex(header[QLatin1String("base")].toString().toLatin1());
  entry->time = QDateTime::fromString(header[QLatin1String("time")].toString(), Qt::ISODateWithMs);
  entry->text = text;
  return true;
}

RecoveryStore::RecoveryStore(const QString& directory, QObject* parent)
    : QObject(parent), directory_(directory) {
  thread_.setMaxThreadCount(1);
  thread_.setExpiryTimeout(5000);
}

RecoveryStore::~RecoveryStore() {
  flush();
  const auto leave = [](QLockFile& lock, const QString& folder) {
    lock.unlock();
    QDir().rmdir(folder);  // fails, as it should, while copies are left in it
  };
  if (lock_) leave(*lock_, own_);
  for (const auto& lock : claimed_) leave(*lock, QFileInfo(lock->fileName()).absolutePath());
}

QString RecoveryStore::copyFile(const QString& key) const {
  return own_ + u'/' + QString::fromLatin1(sha1(key.toUtf8()).toHex().left(20)) +
         QLatin1String(kSuffix);
}

bool RecoveryStore::openOwnFolder() {
  if (lock_) return true;
  own_ = directory_ + u'/' + QUuid::createUuid().toString(QUuid::Id128);
  if (!QDir().mkpath(own_)) return false;
  // Other users have no business in here: the texts may be anything.
  QFile::setPermissions(own_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  auto lock = std::make_unique<QLockFile>(own_ + u'/' + QLatin1String(kLockName));
  // Only a dead process makes a lock stale; age alone must not.
  lock->setStaleLockTime(0);
  if (!lock->tryLock(0)) return false;
  lock_ = std::move(lock);
  return true;
}

void RecoveryStore::enqueue(std::function<void()> job) { thread_.start(std::move(job)); }

void RecoveryStore::write(const QString& key, const RecoveryEntry& entry) {
  const auto advice = [folder = directory_](const QString& why) {
    return tr("Unsaved text can't be kept safe against a crash: %1. Save your files, and see that "
              "%2 has room and can be written to.")
        .arg(why, folder);
  };
  if (!openOwnFolder()) {
    Q_EMIT problem(advice(tr("%1 can't be made").arg(own_)));
    return;
  }
  enqueue([this, entry, advice, file = copyFile(key)] {
    // Others have no business in it, whatever becomes of the folder's mode.
    const auto saved = editor::saveFile(file, encodeRecovery(entry), 0600);
    // A queued signal: receivers live on the UI thread.
    if (!saved) Q_EMIT problem(advice(saved.error().why));
  });
}

void RecoveryStore::remove(const QString& key) {
  if (!lock_) return;
  enqueue([file = copyFile(key)] { QFile::remove(file); });
}

void RecoveryStore::flush() { thread_.waitForDone(); }

QList<RecoveryStore::Orphan> RecoveryStore::claimOrphans(QStringList* problems) {
  QList<Orphan> orphans;
  const QDir all(directory_);
  const QStringList runs = all.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  for (const QString& run : runs) {
    const QDir folder(all.filePath(run));
    if (folder.path() == own_) continue;
    auto lock = std::make_unique<QLockFile>(folder.filePath(QLatin1String(kLockName)));
    lock->setStaleLockTime(0);
    if (!lock->tryLock(0)) continue;
    claimed_.push_back(std::move(lock));
    const QStringList copies = folder.entryList({u'*' + QLatin1String(kSuffix)}, QDir::Files);
    for (const QString& name : copies) {
      QFile file(folder.filePath(name));
      Orphan orphan{file.fileName(), {}};
      if (file.open(QIODevice::ReadOnly) && decodeRecovery(file.readAll(), &orphan.entry)) {
        orphans.append(orphan);
        continue;
      }
      file.close();
      file.rename(file.fileName() + QStringLiteral(".damaged"));
      problems->append(
          tr("A copy of unsaved text is damaged and was left as %1.").arg(file.fileName()));
    }
  }
  std::sort(orphans.begin(), orphans.end(),
            [](const Orphan& a, const Orphan& b) { return a.entry.time < b.entry.time; });
  return orphans;
}

void RecoveryStore::adopt(const Orphan& orphan, const QString& key) {
  if (!openOwnFolder()) return;  // it stays where it is, for the next run
  enqueue([from = orphan.file, to = copyFile(key)] { QFile::rename(from, to); });
}

}  // namespace waferpair::gui
