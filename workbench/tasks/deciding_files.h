// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a project whose words a command line runs: which they are, and a mark that is another
// when their content is. Reads them; any thread.
#pragma once

#include <QString>
#include <QStringList>

namespace waferpair::workbench {

// The makefile that make reads in a folder when none is named; empty: there is none. Absolute.
QString makefileIn(const QString& folder);

// The makefiles that make reads there when it is called so: those that are named, or the folder's
// own, with those that they include by a plain name. `words`: of the command, make's own name
// included. Absolute, without those that are not there.
QStringList makefilesOf(const QStringList& words, const QString& folder);

// "sha256 ba78…, 3,412 bytes", the hash in full. Empty: the file is too large to be looked at on
// each start, is no regular file, or may not be read.
QString contentMark(const QString& path);

}  // namespace waferpair::workbench
