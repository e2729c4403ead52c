// SPDX-License-Identifier: GPL-3.0-or-later
// The bookmarks of a project's files, open or not. UI thread only.
#pragma once

#include <QList>
#include <QMap>
#include <QObject>
#include <QString>

namespace waferpair::gui {

class Document;
class EditorTabs;

class FileBookmarks : public QObject {
  Q_OBJECT
 public:
  // `tabs` outlives this.
  explicit FileBookmarks(EditorTabs* tabs);

  // Lines, from 0, by the path of their file; of texts with a file only.
  QMap<QString, QList<int>> all() const;
  // Those of another project. Files that are open keep theirs.
  void setClosed(const QMap<QString, QList<int>>& lines) { closed_ = lines; }

 Q_SIGNALS:
  void changed();

 private:
  void opened(Document* document);
  void closing(const Document* document);

  EditorTabs* tabs_;
  QMap<QString, QList<int>> closed_;  // of files that are not open
};

}  // namespace waferpair::gui
