// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/file_operations.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <cerrno>

#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "gui/documents/byte_trash.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

// And those on the way to it.
bool makeFolders(const QString& folder) {
  if (editor::isFolderAt(folder)) return true;
  const QString above = QFileInfo(folder).path();
  return above != folder && makeFolders(above) &&
         ::mkdir(editor::pathBytes(folder).constData(), 0777) == 0;
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
    if (editor::pathBytes(part).size() > 255) return tr("The name is too long.");
  }
  if (editor::isThere(QDir(folder).filePath(name))) return tr("“%1” exists already.").arg(name);
  return {};
}

QString createFile(const QString& path) {
  makeFolders(QFileInfo(path).absolutePath());
  const int made =
      ::open(editor::pathBytes(path).constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (made >= 0) {
    ::close(made);
    return {};
  }
  return tr("%1 can't be made: %2.").arg(editor::shownPath(path), qt_error_string());
}

QString createFolder(const QString& path) {
  if (!editor::isThere(path) && makeFolders(path)) return {};
  return tr("The folder %1 can't be made. Check that it doesn't exist and that you may write "
            "there.")
      .arg(editor::shownPath(path));
}

QString renamePath(const QString& from, const QString& to) {
  makeFolders(QFileInfo(to).absolutePath());
  const int error = editor::renameOnDisk(from, to);
  if (error == 0) return {};
  if (error == EEXIST)
    return tr("%1 exists already; nothing was renamed.").arg(editor::shownPath(to));
  // Qt copies a file that has to go to another disk.
  const bool isUtf8 = editor::isUtf8Path(from) && editor::isUtf8Path(to);
  if (error == EXDEV && isUtf8 && QFile::rename(from, to)) return {};
  return tr("%1 can't be renamed to %2. Check that you may write there.")
      .arg(editor::shownPath(from), editor::shownPath(to));
}

QString moveToTrash(const QString& path) {
  // Qt's own finds names in UTF-8 only.
  if (editor::isUtf8Path(path) ? QFile::moveToTrash(path) : trashByBytes(path)) return {};
  return tr("%1 can't be moved to the trash; it was left where it is. Its disk may have no trash.")
      .arg(editor::shownPath(path));
}

}  // namespace waferpair::gui
