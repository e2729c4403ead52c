// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/file_bookmarks.h"

#include "editor/layers/bookmarks.h"
#include "gui/documents/editor_tabs.h"

namespace waferpair::gui {

FileBookmarks::FileBookmarks(EditorTabs* tabs) : QObject(tabs), tabs_(tabs) {
  connect(tabs, &EditorTabs::opened, this, &FileBookmarks::opened);
  connect(tabs, &EditorTabs::closed, this, &FileBookmarks::closing);
}

QMap<QString, QList<int>> FileBookmarks::all() const {
  QMap<QString, QList<int>> all = closed_;
  for (const Document* document : tabs_->documents()) {
    if (document->path().isEmpty()) continue;
    const QList<int> lines = document->editor()->bookmarks()->lines();
    if (lines.isEmpty()) {
      all.remove(document->path());
    } else {
      all[document->path()] = lines;
    }
  }
  return all;
}

void FileBookmarks::opened(Document* document) {
  if (const QList<int> lines = closed_.take(document->path()); !lines.isEmpty())
    document->editor()->bookmarks()->setLines(lines);
  connect(document->editor(), &editor::CodeEditor::bookmarksChanged, this, &FileBookmarks::changed);
}

void FileBookmarks::closing(const Document* document) {
  const QList<int> lines = document->editor()->bookmarks()->lines();
  if (!document->path().isEmpty() && !lines.isEmpty()) closed_[document->path()] = lines;
}

}  // namespace waferpair::gui
