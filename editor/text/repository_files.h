// SPDX-License-Identifier: GPL-3.0-or-later
// What lies in place of a repository's files. libgit2 opens them by itself, waits for a FIFO and
// takes a file of any length into memory. Any thread.
#pragma once

#include <QString>

#include "editor/text/result.h"

namespace waferpair::editor {

// Fails, with the file and the remedy, on the first file of the repository `entry` (the path of its
// `.git`, a folder or a file that names one) that is a FIFO, a socket or a device, or too long to
// be git's; also on such a .gitignore, .gitattributes or .gitmodules beside it. Objects are not
// looked at one by one: there are too many, and those that are read are named by their own hash.
Result<void> checkRepositoryFiles(const QString& entry);

}  // namespace waferpair::editor
