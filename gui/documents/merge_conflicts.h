// SPDX-License-Identifier: GPL-3.0-or-later
// The conflicts that a merge left in a document's text: their sides are told apart by grounds, and
// over each stand buttons that keep one side or both. It follows the text. UI thread only.
#pragma once

#include <QColor>
#include <QList>
#include <QObject>
#include <QTimer>
#include <memory>

#include "editor/text/conflicts.h"
#include "editor/view/theme.h"

class QFrame;
class QToolButton;

namespace waferpair::gui {

class Document;
class MergeBar;

// The grounds of our side, theirs, what both changed, and the lines between.
QList<QColor> conflictGrounds(const editor::ThemeColors& colors);

class MergeConflicts : public QObject {
  Q_OBJECT
 public:
  // Owned by the document.
  explicit MergeConflicts(Document* document);

  // Null where nobody looks for conflicts in that document.
  static MergeConflicts* of(const Document* document);

  const QVector<editor::Conflict>& conflicts() const { return conflicts_; }
  // The one that the caret is in; -1: none.
  qsizetype current() const;
  // Goes to the next conflict (1) or the one before (-1), around the ends.
  void step(int direction);
  // Puts this in the place of a conflict, as one undo step; false: there is none of that number.
  bool resolve(qsizetype conflict, editor::Resolution resolution);
  // The same with all of them, as one undo step.
  bool resolveAll(editor::Resolution resolution);

 Q_SIGNALS:
  // The conflicts, or the one that the caret is in, are others.
  void changed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // Three buttons over a conflict; `conflict` is the number of the one that they are for just now.
  struct Buttons {
    QFrame* frame;
    std::shared_ptr<qsizetype> conflict;
  };

  void look();
  void lookNow();  // if what is known is not up to date
  void mark();
  void defineLook();
  void placeSoon();
  void place();
  Buttons makeButtons();

  Document* document_;
  QVector<editor::Conflict> conflicts_;
  QVector<Buttons> buttons_;  // as many as were ever seen at a time
  QTimer later_{this};
  MergeBar* bar_ = nullptr;
  qsizetype current_ = -1;  // as last told
  bool posted_ = false;
};

}  // namespace waferpair::gui
