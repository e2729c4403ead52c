// SPDX-License-Identifier: GPL-3.0-or-later
// The file operations of the folder tree. Each returns an empty string, or what went wrong and what
// can be done; nothing is ever overwritten.
#pragma once

#include <QString>

namespace waferpair::gui {

// Returns what is wrong with `name` (which may lead into subfolders) for a new entry of `folder`;
// empty if nothing is.
QString checkNewName(const QString& folder, const QString& name);

// Make the folders on the way, too.
QString createFile(const QString& path);
QString createFolder(const QString& path);
QString renamePath(const QString& from, const QString& to);
// Moves the file to the desktop's trash, from where it can be brought back.
QString moveToTrash(const QString& path);

}  // namespace waferpair::gui
