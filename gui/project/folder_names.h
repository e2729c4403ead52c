// SPDX-License-Identifier: GPL-3.0-or-later
// How the folders of a window are called where there are several, and what lies in which. Paths are
// absolute and clean, without a slash at the end but for the root of the file system. Values; any
// thread.
#pragma once

#include <QString>
#include <QStringList>

namespace waferpair::gui {

// Whether the path lies in the folder, at any depth; a folder does not lie in itself.
bool isBelowFolder(const QString& path, const QString& folder);

// A name for each folder, in the same order: its own, and where others have the same as many of
// those above it as tell them apart. None is the beginning of another's path.
QStringList folderLabels(const QStringList& folders);

// The innermost folder in which all of them lie, or the only one itself; empty where that is the
// root of the file system, so that a '/' and what is below make a path.
QString folderAround(const QStringList& folders);

// A path as it is shown: below its folder, and behind the folder's label where there are several;
// in none of them, as it is.
QString placeIn(const QStringList& folders, const QString& path);

}  // namespace waferpair::gui
