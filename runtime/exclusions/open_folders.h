// SPDX-License-Identifier: GPL-3.0-or-later
// The folders that windows have open, for every gate of the process (exclusions.h): none of them
// stops short of the top of a folder that is open, whichever of a window's folders it was made for.
// One more folder can only make more rules count. Any thread.
#pragma once

#include <string>
#include <vector>

namespace waferpair::exclusions {

// The folders of one window, absolute; they take the place of those that this held before, and go
// with it.
class OpenFolders {
 public:
  OpenFolders() = default;
  ~OpenFolders();
  OpenFolders(const OpenFolders&) = delete;
  OpenFolders& operator=(const OpenFolders&) = delete;

  void set(const std::vector<std::string>& folders);
};

// Whether the path lies below a folder that a window has open, by one of that folder's names.
bool isInOpenFolder(const std::string& path);

}  // namespace waferpair::exclusions
