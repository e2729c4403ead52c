// SPDX-License-Identifier: GPL-3.0-or-later
// What one undo takes back of what is typed, and which carets and selections it brings back.
//
// Scintilla joins letters that are typed one behind the other into one step, and puts one caret
// where it has undone something. Here a step ends where a word begins, at a pause, and when the
// caret is moved; and what was selected before and after a step, and the bookmarks that went with
// lines which it deleted, are there again behind an undo or a
// redo of it: of so many steps as one goes back over, older ones get one caret. Owned by its
// editor, whose edits and keys it sees by itself.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QVector>
#include <map>

#include "editor/view/selections.h"

class QKeyEvent;

namespace waferpair::editor {

class Bookmarks;
class TextView;

class UndoCarets : public QObject {
 public:
  // Both outlive this.
  UndoCarets(TextView* editor, Bookmarks* bookmarks);

  // Off: an undo leaves one caret, where it has undone something.
  void setBringsCarets(bool on) { bringsCarets_ = on; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct State {
    QVector<Selection> selections;
    qsizetype main = 0;
    QVector<int> bookmarks;  // their lines
  };
  using States = std::map<qint64, State>;  // by the number of edits before it
  enum class Kind { kEdit, kUndo, kRedo };

  void beforeModified(int type);
  void settle();
  void caretMoved();
  void breakStep();
  State now() const;
  void keep(States* states, State state);
  void bringBookmarks(const States& states, const State& state);

  TextView* editor_;
  Bookmarks* bookmarks_;
  bool bringsCarets_ = true;
  States before_;        // what was selected before the first edit of an event
  States after_;         // and behind its last
  qint64 at_ = 0;        // edits made and not undone
  bool isOpen_ = false;  // since the last settle() there were edits
  Kind last_ = Kind::kEdit;
  QVector<int> bookmarksThen_;  // before what is being undone or redone was
  qint64 movedAt_ = -1;         // the text's version when the caret moved last
  QElapsedTimer sinceKey_;
  bool hasWord_ = false;  // what is typed in this step has more than blanks
};

}  // namespace waferpair::editor
