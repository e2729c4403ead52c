// SPDX-License-Identifier: GPL-3.0-or-later
// Tells what lies at a path, whatever bytes its name has: Qt's own classes do not find a name that
// is no UTF-8 (path_bytes.h). Nothing here opens a file. Any thread.
#pragma once

#include <QString>

namespace waferpair::editor {

// A link that leads nowhere is there, too.
bool isThere(const QString& path);
// Links are followed.
bool isFileAt(const QString& path);
bool isFolderAt(const QString& path);
// Links are not.
bool isLinkAt(const QString& path);
// Of a file: may this user run it.
bool isExecutableAt(const QString& path);
// Absolute, without links, "." and ".."; empty where there is nothing.
QString realPath(const QString& path);

// Nothing is overwritten. Returns 0, or the errno: EEXIST, where there is something at `to`.
int renameOnDisk(const QString& from, const QString& to);

}  // namespace waferpair::editor
