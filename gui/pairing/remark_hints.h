// SPDX-License-Identifier: GPL-3.0-or-later
// Remarks at lines of files, shown behind these lines wherever the files are open; they move with
// the text. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <QVector>
#include <optional>

#include "editor/text/anchor.h"

namespace waferpair::editor {
class LineHint;
}

namespace waferpair::gui {

class Document;
class EditorTabs;

class RemarkHints : public QObject {
  Q_OBJECT
 public:
  struct Place {
    qsizetype remark = 0;  // its number, for clicked()
    QString path;          // absolute
    qint64 line = 0;       // from 1
    QString text;
    bool operator==(const Place&) const = default;
  };

  // `tabs` outlive this.
  explicit RemarkHints(EditorTabs* tabs, QObject* parent = nullptr);

  // Replaces those that are shown. Of several at a line the first is.
  void set(const QVector<Place>& places);
  // Returns the line, from 1, at which the remark is by now; none: its file is not open.
  std::optional<int> lineOf(qsizetype remark) const;

 Q_SIGNALS:
  void clicked(qsizetype remark);

 private:
  struct Shown {
    Place place;
    QPointer<Document> document;
    QPointer<editor::LineHint> hint;  // the document's; null where another one is at its line
    editor::Anchor at;
  };
  void showIn(Document* document);
  void follow(Document* document);
  void draw(Shown& shown);

  EditorTabs* tabs_;
  QVector<Place> places_;
  QVector<Shown> shown_;
};

}  // namespace waferpair::gui
