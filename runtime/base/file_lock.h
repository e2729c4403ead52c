// SPDX-License-Identifier: GPL-3.0-or-later
// A file that lives as long as who made it: held by flock, removed when its holder goes. The kernel
// lets go of the lock when the process ends in whatever way, so a file that can be locked is a
// leftover. No process id is written or compared: in another PID namespace (a container, Flatpak)
// the same number is another process, or this one.
#pragma once

#include <optional>
#include <string>

namespace waferpair::base {

class FileLock {
 public:
  // Makes a new file, mode 0600; fails if there is one already. Returns nothing, with errno, on
  // failure.
  static std::optional<FileLock> create(const std::string& path);
  // Takes over a leftover file. Returns nothing, with errno, on failure: EWOULDBLOCK if its holder
  // lives. Links are not followed, and anything but a regular file is left alone.
  static std::optional<FileLock> take(const std::string& path);
  // Returns true if a living process holds the open file. Processes that only ask do not disturb
  // each other.
  static bool isHeld(int descriptor);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();  // removes the file, unless another lies at its path by now

  const std::string& path() const { return path_; }
  int descriptor() const { return fd_; }  // open for reading and writing
  // Returns true if the path still names this file.
  bool isInPlace() const;
  // Renames it, replacing any file that is there. Returns false, with errno, if that fails.
  bool moveTo(const std::string& path);
  // Lets go of a file that is to stay.
  void leave();

 private:
  FileLock(std::string path, int fd);
  static std::optional<FileLock> lock(const std::string& path, int fd);

  std::string path_;
  int fd_ = -1;  // -1: moved from
};

}  // namespace waferpair::base
