// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/path_on_disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "editor/text/path_bytes.h"

namespace waferpair::editor {
namespace {

bool isOfKind(const QString& path, mode_t kind) {
  struct stat info;
  return !path.isEmpty() && stat(pathBytes(path).constData(), &info) == 0 &&
         (info.st_mode & S_IFMT) == kind;
}

}  // namespace

bool isThere(const QString& path) {
  struct stat info;
  return !path.isEmpty() && lstat(pathBytes(path).constData(), &info) == 0;
}

bool isFileAt(const QString& path) { return isOfKind(path, S_IFREG); }

bool isFolderAt(const QString& path) { return isOfKind(path, S_IFDIR); }

bool isLinkAt(const QString& path) {
  struct stat info;
  return !path.isEmpty() && lstat(pathBytes(path).constData(), &info) == 0 && S_ISLNK(info.st_mode);
}

bool isExecutableAt(const QString& path) {
  return isFileAt(path) && ::access(pathBytes(path).constData(), X_OK) == 0;
}

QString realPath(const QString& path) {
  if (path.isEmpty()) return {};
  const std::unique_ptr<char, decltype(&std::free)> real(
      ::realpath(pathBytes(path).constData(), nullptr), &std::free);
  return real ? pathText(real.get()) : QString();
}

int renameOnDisk(const QString& from, const QString& to) {
  const QByteArray old = pathBytes(from), fresh = pathBytes(to);
  if (renameat2(AT_FDCWD, old.constData(), AT_FDCWD, fresh.constData(), RENAME_NOREPLACE) == 0)
    return 0;
  // Some file systems know no such flag.
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (isThere(to)) return EEXIST;
  return ::rename(old.constData(), fresh.constData()) == 0 ? 0 : errno;
}

}  // namespace waferpair::editor
