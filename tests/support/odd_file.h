// SPDX-License-Identifier: GPL-3.0-or-later
// What may lie where a project has a file: the kinds of what is no file, or is one beyond all
// bounds. Qt Core only.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QVector>
#include <cstring>
#include <functional>

namespace waferpair::test {

struct OddFile {
  const char* name;
  // Whether reading must fail. Of the others it may, or there is no file, or it has no bytes.
  bool isRefused;
  // Puts one at the path, whose folder is there. Returns whether it could.
  std::function<bool(const QByteArray& path)> make;
};

inline std::function<bool(const QByteArray&)> linkTo(const char* target) {
  return [target](const QByteArray& path) { return ::symlink(target, path.constData()) == 0; };
}

inline bool makeSocket(const QByteArray& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (static_cast<std::size_t>(path.size()) >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.constData(), static_cast<std::size_t>(path.size()));
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool isMade =
      ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(socket);  // its name stays
  return isMade;
}

inline bool makeHole(const QByteArray& path) {
  const int file = ::open(path.constData(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const bool isMade = ::ftruncate(file, off_t{3} << 30) == 0;
  ::close(file);
  return isMade;
}

inline bool makeLongLine(const QByteArray& path) {
  QFile file(QFile::decodeName(path));
  const QByteArray part(1 << 20, 'x');
  if (!file.open(QIODevice::WriteOnly)) return false;
  for (int i = 0; i < 64; ++i)
    if (file.write(part) != part.size()) return false;
  return true;
}

inline bool makeLocked(const QByteArray& path) {
  const int file = ::open(path.constData(), O_WRONLY | O_CREAT | O_CLOEXEC, 0000);
  ::close(file);
  return file >= 0;
}

inline QVector<OddFile> oddFiles() {
  return {
      {"FIFO", true, [](const QByteArray& path) { return ::mkfifo(path.constData(), 0600) == 0; }},
      {"socket", true, makeSocket},
      {"/dev/zero", true, linkTo("/dev/zero")},
      {"/dev/full", true, linkTo("/dev/full")},
      {"/dev/tty", true, linkTo("/dev/tty")},
      {"link to itself", true,
       [](const QByteArray& path) {
         const QByteArray name = path.mid(path.lastIndexOf('/') + 1);
         return ::symlink(name.constData(), path.constData()) == 0;
       }},
      {"folder", true, [](const QByteArray& path) { return ::mkdir(path.constData(), 0700) == 0; }},
      {"/proc/self/mem", true, linkTo("/proc/self/mem")},
      {"/proc/self/environ", true, linkTo("/proc/self/environ")},
      {"hole of 3 GiB", true, makeHole},
      {"no permission", false, makeLocked},  // root may read it
      {"dangling link", false, linkTo("nowhere-at-all")},
      {"64 MiB of one line", true, makeLongLine},
  };
}

}  // namespace waferpair::test
