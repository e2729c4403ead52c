// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/byte_trash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QByteArray>
#include <QDateTime>
#include <QDir>
#include <QStandardPaths>
#include <cerrno>
#include <optional>

#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"

namespace waferpair::gui {
namespace {

constexpr int kMostOfAName = 10'000;  // files of one name in the trash

QByteArray aboveOf(const QByteArray& path) {
  const qsizetype end = path.lastIndexOf('/');
  return end > 0 ? path.left(end) : QByteArray("/");
}

std::optional<struct stat> statusOf(const QByteArray& path) {
  struct stat status;
  if (::lstat(path.constData(), &status) != 0) return std::nullopt;
  return status;
}

// A folder of this user's own; a link to one might lead to anybody's.
bool makeOwnFolder(const QByteArray& path) {
  if (::mkdir(path.constData(), 0700) == 0) return true;
  const auto status = statusOf(path);
  return status && S_ISDIR(status->st_mode) && status->st_uid == ::getuid();
}

// Where the file system that the path lies on begins.
QByteArray topOf(QByteArray path, dev_t disk) {
  while (path != "/") {
    const auto above = statusOf(aboveOf(path));
    if (!above || above->st_dev != disk) break;
    path = aboveOf(path);
  }
  return path;
}

struct Trash {
  QByteArray folder;
  QByteArray top;  // that paths in its notes are relative to; empty: they are absolute
};

// The user's own, or that of the disk.
std::optional<Trash> trashFor(const QByteArray& path, dev_t disk) {
  const QString named = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
  QDir().mkpath(named);
  const QByteArray data = editor::pathBytes(named);
  if (const auto home = statusOf(data); home && home->st_dev == disk)
    return Trash{data + "/Trash", {}};
  const QByteArray top = topOf(path, disk);
  const QByteArray user = QByteArray::number(::getuid());
  const auto shared = statusOf(top + "/.Trash");
  if (shared && S_ISDIR(shared->st_mode) && (shared->st_mode & S_ISVTX) != 0)
    return Trash{top + "/.Trash/" + user, top};
  return Trash{top + "/.Trash-" + user, top};
}

bool writeNote(int note, const QByteArray& text) {
  const bool isWhole = ::write(note, text.constData(), static_cast<size_t>(text.size())) ==
                       static_cast<ssize_t>(text.size());
  return ::close(note) == 0 && isWhole;
}

}  // namespace

bool trashByBytes(const QString& path) {
  // Where it really is, without following what it itself may be a link to.
  const QByteArray named = editor::pathBytes(path);
  const QString folder = editor::realPath(editor::pathText(aboveOf(named)));
  const QByteArray name = named.mid(named.lastIndexOf('/') + 1);
  const QByteArray real = editor::pathBytes(folder) + '/' + name;
  const auto status = statusOf(real);
  if (folder.isEmpty() || name.isEmpty() || !status) return false;
  const auto trash = trashFor(real, status->st_dev);
  if (!trash || !makeOwnFolder(trash->folder) || !makeOwnFolder(trash->folder + "/info") ||
      !makeOwnFolder(trash->folder + "/files"))
    return false;
  const QByteArray place = trash->top.isEmpty() ? real
                           : trash->top == "/"  ? real.mid(1)
                                                : real.mid(trash->top.size() + 1);
  const QByteArray text =
      "[Trash Info]\nPath=" + place.toPercentEncoding("/") + "\nDeletionDate=" +
      QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss")).toLatin1() +
      '\n';
  for (int number = 1; number <= kMostOfAName; ++number) {
    const QByteArray free = number == 1 ? name : name + '.' + QByteArray::number(number);
    const QByteArray noteName = trash->folder + "/info/" + free + ".trashinfo";
    // Who makes the note has the name.
    const int note = ::open(noteName.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (note < 0 && errno == EEXIST) continue;
    if (note < 0) return false;
    const bool isNoted = writeNote(note, text);
    const int error = isNoted
                          ? editor::renameOnDisk(editor::pathText(real),
                                                 editor::pathText(trash->folder + "/files/" + free))
                          : EIO;
    if (error == 0) return true;
    ::unlink(noteName.constData());
    if (error != EEXIST) return false;
  }
  return false;
}

}  // namespace waferpair::gui
