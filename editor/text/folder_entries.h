// SPDX-License-Identifier: GPL-3.0-or-later
// Lists what lies in a folder, by names of any bytes (path_bytes.h). Any thread.
#pragma once

#include <QByteArray>
#include <functional>
#include <optional>

struct dirent;
struct stat;

namespace waferpair::editor {

class FolderEntry {
 public:
  enum class Kind { kFile, kFolder, kLink, kOther };

  FolderEntry(int folder, const dirent* entry) : folder_(folder), entry_(entry) {}

  QByteArray name() const;
  // The entry's own kind, and the kind of what a link leads to: kOther where that is nothing.
  Kind kind() const;
  Kind kindBehind() const;
  // Links are followed; there is none where they lead to nothing.
  std::optional<struct stat> status() const;

 private:
  int folder_;
  const dirent* entry_;
};

// Gives each entry of a folder, in no order, without "." and "..", until `use` returns false.
// Returns whether the folder could be read.
bool eachEntryOf(const QByteArray& folder, const std::function<bool(const FolderEntry&)>& use);

}  // namespace waferpair::editor
