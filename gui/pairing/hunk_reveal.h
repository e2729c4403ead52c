// SPDX-License-Identifier: GPL-3.0-or-later
// Scrolls to an offered change: all its rows, those that it would take out and those that it would
// put in, with a third of the page around. A change that still comes in, or whose text gets another
// size, is kept in sight until the user scrolls. The caret is left where it is. UI thread only.
#pragma once

#include <QObject>

namespace waferpair::editor {
struct Hunk;
}

namespace waferpair::gui {

class Document;

class HunkReveal : public QObject {
  Q_OBJECT
 public:
  // That of a document, which owns it; made when first asked for.
  static HunkReveal* of(Document* document);

  // The hunk of this index, if it is on offer.
  void show(qsizetype hunk);
  // The same, where nothing of any change on offer can be seen.
  void showUnlessAny(qsizetype hunk);
  // Scrolls to where a change is, unless that can be seen. It need not be on offer, and is not kept
  // in sight.
  static void bringIn(Document* document, const editor::Hunk& hunk);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  explicit HunkReveal(Document* document);
  void scrollSoon();
  void scroll();

  Document* document_;
  qint64 start_ = -1;     // of the hunk that is kept in sight; -1: none is
  long scrolledTo_ = -1;  // the view's first row, as this left it; -1: it has not scrolled yet
  bool posted_ = false;
};

}  // namespace waferpair::gui
