// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/recovery_store.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>
#include <algorithm>
#include <cerrno>

#include "editor/text/save_file.h"

namespace waferpair::gui {
namespace {

constexpr char kFormat[] = "waferpair-recovery-1";
constexpr char kSuffix[] = ".copy";
constexpr char kDamaged[] = ".damaged";
constexpr char kLockName[] = "lock";

std::string lockFile(const QString& folder) {
  return QFile::encodeName(folder + u'/' + QLatin1String(kLockName)).toStdString();
}

QByteArray sha1(const QByteArray& bytes) {
  return QCryptographicHash::hash(bytes, QCryptographicHash::Sha1);
}

// Removes what the run was writing when it was killed. The copy before it is still whole.
void removeUnfinished(const QDir& folder) {
  const QStringList names =
      folder.entryList({QStringLiteral("*%1.*").arg(QLatin1String(kSuffix))}, QDir::Files);
  for (const QString& name : names) {
    if (!name.endsWith(QLatin1String(kDamaged))) QFile::remove(folder.filePath(name));
  }
}

// Copies of earlier versions of the program have neither size nor kind.
editor::FileStamp baseOf(const QJsonObject& header) {
  editor::FileStamp base;
  base.sha1 = QByteArray::fromHex(header[QLatin1String("base")].toString().toLatin1());
  const qint64 unsaid = base.sha1.isEmpty() ? editor::kNoFile : editor::kUnknownSize;
  base.size = std::max(editor::kUnknownSize, header[QLatin1String("baseSize")].toInteger(unsaid));
  if (header[QLatin1String("baseIsLink")].toBool()) base.kind = editor::PathKind::kLink;
  return base;
}

}  // namespace

QByteArray encodeRecovery(const RecoveryEntry& entry) {
  const QByteArray text = entry.text.toByteArray();
  const QJsonObject header{
      {QStringLiteral("format"), QLatin1String(kFormat)},
      {QStringLiteral("path"), entry.path},
      {QStringLiteral("title"), entry.title},
      {QStringLiteral("language"), entry.language},
      {QStringLiteral("caret"), entry.caret},
      {QStringLiteral("base"), QString::fromLatin1(entry.base.sha1.toHex())},
      {QStringLiteral("baseSize"), entry.base.size},
      {QStringLiteral("baseIsLink"), entry.base.kind == editor::PathKind::kLink},
      {QStringLiteral("encoding"),
       entry.encoding ? editor::encodingName(*entry.encoding) : QString()},
      {QStringLiteral("raw"), entry.isRaw},
      {QStringLiteral("time"), entry.time.toUTC().toString(Qt::ISODateWithMs)},
      {QStringLiteral("length"), text.size()},
      {QStringLiteral("sha1"), QString::fromLatin1(sha1(text).toHex())},
  };
  return QJsonDocument(header).toJson(QJsonDocument::Compact) + '\n' + text;
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
  entry->base = baseOf(header);
  entry->encoding = editor::encodingNamed(header[QLatin1String("encoding")].toString());
  entry->isRaw = header[QLatin1String("raw")].toBool();
  entry->time = QDateTime::fromString(header[QLatin1String("time")].toString(), Qt::ISODateWithMs);
  entry->text = editor::Snapshot(text);
  return true;
}

RecoveryStore::RecoveryStore(const QString& directory, QObject* parent)
    : QObject(parent), directory_(directory) {
  thread_.setMaxThreadCount(1);
  thread_.setExpiryTimeout(5000);
}

RecoveryStore::~RecoveryStore() {
  flush();
  const auto leave = [](base::FileLock lock) {
    const QString folder = QFileInfo(QFile::decodeName(lock.path().c_str())).absolutePath();
    { const base::FileLock gone = std::move(lock); }
    QDir().rmdir(folder);  // fails, as it should, while copies are left in it
  };
  if (lock_) leave(std::move(*lock_));
  for (base::FileLock& lock : claimed_) leave(std::move(lock));
}

QString RecoveryStore::copyFile(const QString& key) const {
  return own_ + u'/' + QString::fromLatin1(sha1(key.toUtf8()).toHex().left(20)) +
         QLatin1String(kSuffix);
}

bool RecoveryStore::openOwnFolder() {
  // Somebody may have cleaned up under a running program.
  if (lock_ && lock_->isInPlace()) return true;
  lock_.reset();
  // A start of the program elsewhere can take a folder for a leftover before its lock is held: then
  // another name.
  for (int attempt = 0; attempt < 3 && !lock_; ++attempt) {
    own_ = directory_ + u'/' + QUuid::createUuid().toString(QUuid::Id128);
    if (!QDir().mkpath(own_)) return false;
    // Other users have no business in here: the texts may be anything.
    QFile::setPermissions(own_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    lock_ = base::FileLock::create(lockFile(own_));
  }
  return lock_.has_value();
}

void RecoveryStore::enqueue(std::function<void()> job) { thread_.start(std::move(job)); }

void RecoveryStore::write(const QString& key, const RecoveryEntry& entry) {
  const auto advice = [folder = directory_](const QString& why) {
    return tr("Unsaved text can't be kept safe against a crash: %1. Save your files, and see that "
              "%2 has room and can be written to.")
        .arg(why, folder);
  };
  if (!openOwnFolder()) {
    Q_EMIT problem(advice(tr("%1 can't be made: %2").arg(own_, qt_error_string())));
    Q_EMIT notKept(key);
    return;
  }
  enqueue([this, key, entry, advice, file = copyFile(key)] {
    // Others have no business in it, whatever becomes of the folder's mode.
    const auto saved = editor::saveFile(file, encodeRecovery(entry), 0600);
    if (saved) return;
    // Queued signals: receivers live on the UI thread.
    Q_EMIT problem(advice(saved.error().why));
    Q_EMIT notKept(key);
  });
}

void RecoveryStore::remove(const QString& key) {
  if (!lock_) return;
  // The copy is removed at once, as a text that has just been saved must not come back as an older
  // one after a kill, and once more after a copy that may be on its way.
  const QString file = copyFile(key);
  QFile::remove(file);
  enqueue([file] { QFile::remove(file); });
}

void RecoveryStore::flush() { thread_.waitForDone(); }

QStringList RecoveryStore::claimCopies(const QStringList& others) {
  QStringList copies;
  claim(directory_, &copies);
  for (const QString& directory : others) claim(directory, &copies);
  return copies;
}

QList<RecoveryStore::Orphan> RecoveryStore::readCopies(const QStringList& files,
                                                       QStringList* problems) {
  QList<Orphan> orphans;
  for (const QString& name : files) {
    QFile file(name);
    Orphan orphan{name, {}};
    if (file.open(QIODevice::ReadOnly) && decodeRecovery(file.readAll(), &orphan.entry)) {
      orphans.append(orphan);
      continue;
    }
    file.close();
    file.rename(name + QLatin1String(kDamaged));
    problems->append(
        tr("A copy of unsaved text is damaged and was left as %1.").arg(file.fileName()));
  }
  std::sort(orphans.begin(), orphans.end(),
            [](const Orphan& a, const Orphan& b) { return a.entry.time < b.entry.time; });
  return orphans;
}

void RecoveryStore::claim(const QString& directory, QStringList* copies) {
  const QDir all(directory);
  const QStringList runs = all.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  for (const QString& run : runs) {
    const QDir folder(all.filePath(run));
    if (folder.path() == own_) continue;
    // It lives if the lock is held; or it is just beginning, and has none yet.
    auto lock = base::FileLock::take(lockFile(folder.path()));
    if (!lock && errno == ENOENT) {
      if (QDir().rmdir(folder.path())) continue;
      lock = base::FileLock::create(lockFile(folder.path()));
    }
    if (!lock) continue;
    claimed_.push_back(std::move(*lock));
    removeUnfinished(folder);
    const QStringList names = folder.entryList({u'*' + QLatin1String(kSuffix)}, QDir::Files);
    for (const QString& name : names) copies->append(folder.filePath(name));
  }
}

void RecoveryStore::adopt(const Orphan& orphan, const QString& key) {
  if (!openOwnFolder()) return;  // it stays where it is, for the next run
  enqueue([this, key, from = orphan.file, to = copyFile(key)] {
    // The orphan's file is there still: the next run gets it.
    if (!QFile::rename(from, to)) Q_EMIT notKept(key);
  });
}

void RecoveryStore::drop(const Orphan& orphan) {
  enqueue([file = orphan.file] { QFile::remove(file); });
}

}  // namespace waferpair::gui
