// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/sample_project.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "gui/translate.h"

namespace waferpair::gui {
namespace {

// Returns whether a copy is at `place`, whatever was done to it since: all that the sample has at
// its top is there, too.
bool isCopy(const QString& sample, const QString& place) {
  const QStringList wanted = QDir(sample).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
  for (const QString& name : wanted) {
    if (!QFileInfo::exists(QDir(place).filePath(name))) return false;
  }
  return !wanted.isEmpty();
}

// The folder nearest to `path`, upwards, that is there.
QFileInfo nearestFolder(const QString& path) {
  QFileInfo folder(QFileInfo(path).absolutePath());
  while (!folder.exists() && !folder.isRoot()) folder.setFile(folder.absolutePath());
  return folder;
}

QString copyFile(const QString& from, const QString& to) {
  QFile source(from);
  if (!source.copy(to))
    return tr("%1 can't be copied to %2: %3.")
        .arg(QDir::toNativeSeparators(from), QDir::toNativeSeparators(to), source.errorString());
  QFile copy(to);
  copy.setPermissions(copy.permissions() | QFile::ReadOwner | QFile::WriteOwner);
  return {};
}

QString copyFolder(const QString& from, const QString& to) {
  const QDir source(from);
  QDirIterator entries(from, QDir::Files | QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot,
                       QDirIterator::Subdirectories);
  while (entries.hasNext()) {
    entries.next();
    const QString target = QDir(to).filePath(source.relativeFilePath(entries.filePath()));
    // A folder may come before or after what is in it.
    if (!QDir().mkpath(entries.fileInfo().isDir() ? target : QFileInfo(target).absolutePath()))
      return tr("The folder %1 can't be made.").arg(QDir::toNativeSeparators(target));
    if (entries.fileInfo().isDir()) continue;
    if (const QString wrong = copyFile(entries.filePath(), target); !wrong.isEmpty()) return wrong;
  }
  return {};
}

}  // namespace

QString usualSamplePlace() {
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  const QString below = QFileInfo(documents).isWritable() ? documents : QDir::homePath();
  return QDir(below).filePath(QStringLiteral("waferpair-sample"));
}

QString samplePlace(const QString& text) {
  QString path = text.trimmed();
  if (path == QLatin1String("~") || path.startsWith(QLatin1String("~/")))
    path.replace(0, 1, QDir::homePath());
  return QDir::cleanPath(QDir::home().absoluteFilePath(path));
}

QString checkSamplePlace(const QString& sample, const QString& place) {
  const QFileInfo there(place);
  if (there.isDir() && isCopy(sample, place)) return {};
  if (there.exists() || there.isSymLink()) {
    if (!there.isDir()) return tr("A file of this name is there. Choose another name.");
    if (!QDir(place).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot))
      return tr("Other things are in this folder. Choose another name.");
    if (!there.isWritable()) return tr("This folder may not be written. Choose another one.");
    return {};
  }
  const QFileInfo parent = nearestFolder(place);
  if (!parent.isDir() || !parent.isWritable())
    return tr("%1 may not be written. Choose another place.")
        .arg(QDir::toNativeSeparators(parent.filePath()));
  return {};
}

QString copySampleProject(const QString& sample, const QString& place) {
  if (const QString wrong = checkSamplePlace(sample, place); !wrong.isEmpty()) return wrong;
  if (isCopy(sample, place)) return {};
  const QString parent = QFileInfo(place).absolutePath();
  if (!QDir().mkpath(parent))
    return tr("The folder %1 can't be made.").arg(QDir::toNativeSeparators(parent));
  QTemporaryDir half(QDir(parent).filePath(QStringLiteral(".waferpair-sample-XXXXXX")));
  if (!half.isValid())
    return tr("The folder %1 can't be made: %2.")
        .arg(QDir::toNativeSeparators(place), half.errorString());
  const QString copy = half.filePath(QStringLiteral("copy"));
  if (const QString wrong = copyFolder(sample, copy); !wrong.isEmpty())
    return wrong + u' ' + tr("Check that the disk is not full.");
  QDir().rmdir(place);  // an empty folder gives way, nothing else does
  if (QDir().rename(copy, place)) return {};
  return tr("The folder %1 can't be made. Choose another place.")
      .arg(QDir::toNativeSeparators(place));
}

}  // namespace waferpair::gui
