// SPDX-License-Identifier: GPL-3.0-or-later
// The list of what could stand at the caret, as a CompletionList fills it. The keyboard stays with
// the text, whose keys move in the list; the mouse takes an entry with a click. Owned by its
// CodeEditor; UI thread only.
//
// It shares the caret with ghost text: below the caret's line is the ghost's place, so the list
// stands above that line, and below the ghost's rows where there is no room. It never covers the
// ghost, and moves only with its word.
#pragma once

#include <QListView>
#include <QTimer>

#include "editor/assist/list_source.h"
#include "editor/view/view_part.h"

class QTextEdit;

namespace waferpair::editor {

class CodeEditor;
class ListPopupModel;

class ListPopup : public QListView, public ViewPart {
  Q_OBJECT
 public:
  explicit ListPopup(CodeEditor* editor);

  // Shows these for the word that begins at `start`, of which `typed` is typed; what was selected
  // by hand stays selected. `byKey`: the user asked for it.
  void showItems(qint64 start, const QByteArray& typed, const QVector<ListItem>& items, bool byKey);
  // Shows this beside the list, until another entry is selected; empty: nothing.
  void describe(const QString& markdown);
  // Takes it away without a signal to the user's account.
  void withdraw();
  // The user's Esc.
  void dismiss();
  void textGoes() override { dismiss(); }

  bool isOpen() const { return open_; }
  // The user turned to it, by opening it or by moving in it: then Tab is the list's, though a ghost
  // is shown.
  bool isOnTop() const { return open_ && (byKey_ || moved_); }
  // Selects the entry `by` further on, round the ends.
  void move(int by);
  // Takes the selected entry. False where there is none, or it stands there already: the list
  // closes, and the key means what it means without it.
  bool take();

 Q_SIGNALS:
  void taken(int index);
  void dismissed();
  // This entry is selected, by the user or because the list opened with it.
  void selected(int index);
  // It opened, closed, or was moved in.
  void changed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void select(int row);
  void place();
  void placeAbout();
  void tell();

  CodeEditor* editor_;
  ListPopupModel* items_;
  QTextEdit* about_;  // what there is to say about the selected entry
  bool open_ = false;
  int width_ = 0;  // it only grows while it is open
  bool byKey_ = false;
  bool moved_ = false;
  bool above_ = true;  // the caret's line
  qint64 start_ = 0;
  QByteArray typed_;
  QTimer placeSoon_{this};
};

}  // namespace waferpair::editor
