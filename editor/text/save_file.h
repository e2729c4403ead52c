// SPDX-License-Identifier: GPL-3.0-or-later
// The one way in which this program writes a file: it holds all the new bytes, or it is as it was.
//
// Usually the bytes go into a new file in its folder, which gets the old one's owner, group, mode
// and extended attributes (access control lists are among them), is synced and renamed over it;
// then the folder is synced. So a crash or power failure at any moment leaves the old file or the
// new one. Where the file system can, the new file has no name until it is whole; elsewhere a crash
// may leave a ".waferpair-save-XXXXXX".
//
// A rename cannot keep everything. Where it cannot (the file has other hard links, belongs to
// somebody whose files this process may not make, has attributes that it may not set, or is mounted
// by itself) the file itself is overwritten: its room is reserved first, and what it held is
// copied to a synced "NAME.before-save-XXXXXX" beside it. A failure puts the old bytes back; a
// crash leaves that copy. Where no files may be made in the folder the copy is in /var/tmp; where
// none may be made there, either, nothing is saved.
//
// A symbolic link is followed, and stays. What is not a regular file is not written to. Qt Core and
// POSIX only; any thread.
#pragma once

#include <sys/types.h>

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "editor/text/result.h"

namespace waferpair::editor {

struct Saved {
  // Attributes that the file could not keep, in words ("its owner"); usually none.
  QStringList lost;
};

struct SaveError : Error {
  QString why;            // of `what`, for a sentence of the caller's own: "the disk is full"
  QString missingFolder;  // absolute: all that is wrong is that there is no such folder
  // True if the file is not as it was: the new bytes are there, but the disk did not confirm that
  // they stay, or the old ones could not be put back (the text says where they are).
  bool touched = false;
};

using SaveResult = tl::expected<Saved, SaveError>;

// `mode` is that of a file that is not there yet, less the umask. Folders are not made. `what`
// names the file and says what is on disk now.
SaveResult saveFile(const QString& path, const QByteArray& bytes, mode_t mode = 0666);

}  // namespace waferpair::editor
