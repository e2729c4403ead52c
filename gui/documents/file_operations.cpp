// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/file_operations.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "gui/translate.h"

namespace waferpair::gui {
namespace {

bool taken(const QString& path) {
  const QFileInfo info(path);
  return info.exists() || info.isSymLink();  // a dangling link is there, too
}

}  // namespace

QString checkNewName(const QString& folder, const QString& name) {
  if (name.startsWith(u'/') || name.endsWith(u'/')) return tr("A name, not a whole path, please.");
  const QStringList parts = name.split(u'/');
  for (const QString& part : parts) {
    if (part.trimmed().isEmpty()) return tr("A part of the name is empty.");
    if (part == QLatin1String(".") || part == QLatin1String("..")) {
      return tr("“%1” is not a name.").arg(part);
    }
    if (part.toUtf8().size() > 255) return tr("The name is too long.");
  }
  if (taken(QDir(folder).filePath(name))) return tr("“%1” exists already.").arg(name);
  return {};
}

QString createFile(const QString& path) {
  QDir().mkpath(QFileInfo(path).absolutePath());
  QFile file(path);
  if (file.open(QIODevice::WriteOnly | QIODevice::NewOnly)) return {};
  return tr("%1 can't be made: %2.").arg(path, file.errorString());
}

QString createFolder(const QString& path) {
  if (!taken(path) && QDir().mkpath(path)) return {};
  return tr("The folder %1 can't be made. Check that it doesn't exist and that you may write "
            "there.")
      .arg(path);
}

QString renamePath(const QString& from, const QString& to) {
  if (taken(to)) return tr("%1 exists already; nothing was renamed.").arg(to);
  QDir().mkpath(QFileInfo(to).absolutePath());
  if (QFileInfo(from).isDir() ? QDir().rename(from, to) : QFile::rename(from, to)) return {};
  return tr("%1 can't be renamed to %2. Check that you may write there.").arg(from, to);
}

QString moveToTrash(const QString& path) {
  QFile file(path);
  if (file.moveToTrash()) return {};
  return tr("%1 can't be moved to the trash; it was left where it is. Its disk may have no trash.")
      .arg(path);
}

}  // namespace waferpair::gui
