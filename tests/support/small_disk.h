// SPDX-License-Identifier: GPL-3.0-or-later
// A disk of this process's own that can really be full: a tmpfs in a mount namespace (of root's, or
// in a user namespace). Nobody else sees it, and it is gone with the process.
#pragma once

#include <cstddef>
#include <string>

namespace waferpair::test {

class SmallDisk {
 public:
  // Call first in main(), while there is one thread. On a system that allows no such thing
  // problem() says why, and there is no disk.
  explicit SmallDisk(std::size_t bytes);
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk();

  // The one of this process; null before it is made.
  static SmallDisk* instance();

  const std::string& problem() const { return problem_; }
  const std::string& path() const { return path_; }
  // Leaves room for so many bytes, in whole pages of 4,096. False, if it cannot.
  bool fill(std::size_t leave = 0) const;
  void empty() const;  // of all that is on it

 private:
  std::string path_, problem_;
};

}  // namespace waferpair::test
