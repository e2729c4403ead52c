// SPDX-License-Identifier: GPL-3.0-or-later
// The attributes of a file beside its content: owner, group, mode, and its extended attributes,
// among which are access control lists, capabilities and security labels. Linux.
#pragma once

#include <sys/types.h>

#include <QByteArray>
#include <QMap>
#include <QStringList>
#include <optional>

namespace waferpair::editor {

struct FileAttributes {
  uid_t owner = 0;
  gid_t group = 0;
  mode_t mode = 0;  // permissions with set-user-ID, set-group-ID and sticky
  QMap<QByteArray, QByteArray> extended;

  bool operator==(const FileAttributes&) const = default;

  // Reads those of an open file. Attributes that this process may not see are not among them.
  // Nothing, with errno, if they cannot be read.
  static std::optional<FileAttributes> of(int descriptor);

  enum class Applied { kAll, kNotAll, kFailed };
  // Gives them to an open file, and takes away extended ones that it has and these have not. Goes
  // on after one that is refused (kNotAll), but not when the disk fails or is full (kFailed,
  // errno).
  Applied applyTo(int descriptor) const;

  // Returns in words for the user what of these `now` lacks: "its owner", "the attribute
  // user.note".
  QStringList lostIn(const FileAttributes& now) const;
};

}  // namespace waferpair::editor
