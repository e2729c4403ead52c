// SPDX-License-Identifier: GPL-3.0-or-later
// The way that the caret took through the files: back to where it was before it went far, and
// forward again. Places follow edits; those of files that were closed open them again. UI thread
// only.
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

#include "editor/text/anchor.h"
#include "gui/documents/document.h"

namespace waferpair::gui {

class EditorTabs;

class Places : public QObject {
  Q_OBJECT
 public:
  // `tabs` outlives this.
  explicit Places(EditorTabs* tabs);

  // False: there is nowhere to go.
  bool goBack();
  bool goForward();
  // Nobody has been anywhere: call when files were opened that the user did not go to.
  void forget();

 private:
  struct Place {
    QPointer<Document> document;  // null: it is closed
    QString path;                 // of its file
    editor::Anchor at;            // while it is open
    int line = 0;                 // of the place when it was last told
    int column = 0;
  };

  void watch(Document* document);
  void moved(Document* document);
  void changeTo(Document* document);
  void documentClosed(const Document* document);
  void followEdits(const Document* document, const QVector<editor::TextEdit>& edits);
  static Place placeOf(Document* document);
  bool isNear(const Place& a, const Place& b) const;
  static int lineOf(const Place& place);
  void leave();
  bool go(QList<Place>* from, QList<Place>* to);
  bool show(const Place& place);

  EditorTabs* tabs_;
  Place now_;
  QList<Place> back_;  // the nearest last
  QList<Place> forward_;
  bool going_ = false;
};

}  // namespace waferpair::gui
