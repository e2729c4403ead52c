// SPDX-License-Identifier: GPL-3.0-or-later
// The lines that places are in, for lists of places: of open texts as they are, of other files from
// the disk, as far as they are not too large or too many. UI thread only.
#pragma once

#include <QHash>

#include "editor/text/snapshot.h"
#include "workbench/language/location.h"

namespace waferpair::gui {

class EditorTabs;

class QuotedLines {
 public:
  explicit QuotedLines(EditorTabs* tabs);

  // Without blanks around it; empty where the file cannot be read.
  QString lineOf(const workbench::Location& location);
  // All of it; empty likewise.
  editor::Snapshot textOf(const QString& path);

 private:
  QHash<QString, editor::Snapshot> texts_;
};

// Relative to `folder` where it lies below that.
QString shownPath(const QString& path, const QString& folder);
// "src/a.cpp:12", the path as shownPath() has it.
QString shownPlace(const workbench::Location& location, const QString& folder);

}  // namespace waferpair::gui
