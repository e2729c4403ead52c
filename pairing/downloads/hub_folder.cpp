// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/downloads/hub_folder.h"

#include <unistd.h>

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "editor/text/save_file.h"
#include "editor/text/translate.h"
#include "runtime/base/guest_file.h"
#include "runtime/base/output_file.h"

namespace waferpair::pairing {
namespace {

constexpr std::size_t kMostPartNoteBytes = 64 << 10;

editor::Result<void> makeFolder(const QString& folder) {
  if (QDir().mkpath(folder)) return {};
  return editor::fail(translate("The folder %1 cannot be made.").arg(folder),
                      translate("Check who may write there, or set HF_HOME to another folder."));
}

}  // namespace

HubFolder::HubFolder(const QString& cache, const QString& repository) {
  const QString name =
      QStringLiteral("models--") + QString(repository).replace(u'/', QLatin1String("--"));
  folder_ = cache + u'/' + name;
  locks_ = cache + QStringLiteral("/.locks/") + name;
}

QString HubFolder::blob(const HubFile& file) const {
  return folder_ + QStringLiteral("/blobs/") + QString::fromLatin1(file.sha256);
}

QString HubFolder::part(const HubFile& file) const { return blob(file) + QStringLiteral(".part"); }

QString HubFolder::notePath(const HubFile& file) const {
  return part(file) + QStringLiteral(".json");
}

QString HubFolder::lock(const HubFile& file) const {
  return locks_ + u'/' + QString::fromLatin1(file.sha256) + QStringLiteral(".lock");
}

QString HubFolder::snapshot(const QString& commit, const QString& path) const {
  return folder_ + QStringLiteral("/snapshots/") + commit + u'/' + path;
}

editor::Result<void> HubFolder::make() const {
  if (const auto made = makeFolder(folder_ + QStringLiteral("/blobs")); !made) return made;
  return makeFolder(locks_);
}

QVector<HubFolder::Unfinished> HubFolder::unfinished() const {
  QVector<Unfinished> all;
  const QDir blobs(folder_ + QStringLiteral("/blobs"));
  for (const QFileInfo& info : blobs.entryInfoList({QStringLiteral("*.part")}, QDir::Files)) {
    HubFile file;
    file.sha256 = info.completeBaseName().toLatin1();
    if (const auto known = note(file)) all.append({*known, info.size()});
  }
  return all;
}

QString HubFolder::fetched(const QString& pattern) const {
  QDirIterator files(folder_ + QStringLiteral("/snapshots"), {pattern}, QDir::Files,
                     QDirIterator::Subdirectories);
  HubModel model;
  QHash<QString, QString> paths;
  while (files.hasNext()) {
    const QString path = files.next();
    if (!QFileInfo(path).isFile()) continue;  // a link to nothing
    HubFile file;
    file.path = files.fileName();
    model.files.append(file);
    paths[file.path] = path;
  }
  const HubFile* found = model.findLike(pattern);
  return found ? paths.value(found->path) : QString();
}

editor::Result<void> HubFolder::keepNote(const PartNote& note) const {
  const QJsonObject object{{"commit", note.commit},
                           {"path", note.file.path},
                           {"bytes", note.file.bytes},
                           {"sha256", QString::fromLatin1(note.file.sha256)},
                           {"etag", QString::fromLatin1(note.tag)}};
  const auto saved = editor::saveFile(notePath(note.file), QJsonDocument(object).toJson(), 0666);
  if (!saved) return editor::fail(saved.error().what, saved.error().remedy);
  return {};
}

std::optional<PartNote> HubFolder::note(const HubFile& file) const {
  const auto bytes =
      base::readGuestFile(QFile::encodeName(notePath(file)).toStdString(), kMostPartNoteBytes);
  if (!bytes || !*bytes) return {};
  const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(**bytes)).object();
  PartNote note;
  note.commit = object.value(u"commit").toString();
  note.file.path = object.value(u"path").toString();
  note.file.bytes = static_cast<qint64>(object.value(u"bytes").toDouble());
  note.file.sha256 = object.value(u"sha256").toString().toLatin1();
  note.tag = object.value(u"etag").toString().toLatin1();
  if (note.file.sha256 != file.sha256 || note.file.path.isEmpty() || note.file.bytes < 1) return {};
  return note;
}

void HubFolder::removePart(const HubFile& file) const {
  QFile::remove(part(file));
  QFile::remove(notePath(file));
}

editor::Result<QString> HubFolder::show(const QString& commit, const HubFile& file) const {
  const QString link = snapshot(commit, file.path);
  if (const auto made = makeFolder(QFileInfo(link).path()); !made)
    return tl::unexpected(made.error());
  const std::string target =
      QFile::encodeName(QFileInfo(link).dir().relativeFilePath(blob(file))).toStdString();
  const std::string name = QFile::encodeName(link).toStdString();
  const std::string fresh = name + ".part";
  ::unlink(fresh.c_str());
  bool isShown = ::symlink(target.c_str(), fresh.c_str()) == 0;
  // Some file systems have no links: there the file itself stands in the snapshot, as it does when
  // Python fetches it.
  if (!isShown && (errno == EPERM || errno == ENOTSUP || errno == ENOSYS))
    isShown = ::link(QFile::encodeName(blob(file)).constData(), fresh.c_str()) == 0 ||
              ::rename(QFile::encodeName(blob(file)).constData(), fresh.c_str()) == 0;
  if (!isShown || ::rename(fresh.c_str(), name.c_str()) != 0) {
    return editor::fail(
        translate("%1 cannot be made: %2.").arg(link, QString::fromLocal8Bit(std::strerror(errno))),
        translate("Check who may write there, or set HF_HOME to another folder."));
  }
  base::syncFolderOf(name);
  const QString main = folder_ + QStringLiteral("/refs/main");
  if (const auto made = makeFolder(QFileInfo(main).path()); !made)
    return tl::unexpected(made.error());
  if (const auto saved = editor::saveFile(main, commit.toLatin1()); !saved)
    return editor::fail(saved.error().what, saved.error().remedy);
  return link;
}

}  // namespace waferpair::pairing
