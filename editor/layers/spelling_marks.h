// SPDX-License-Identifier: GPL-3.0-or-later
// Lines under the words of comments, strings and paragraphs that no dictionary has. Words are
// looked up in slices of a few ms, behind the highlighting that tells what is prose; a word that
// the text's own code has as a name is right, and the one that is being typed is left alone. Drawn
// by Scintilla, so the marks move with the text by themselves. UI thread only.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <optional>

#include "editor/text/byte_range.h"
#include "editor/view/highlighter.h"

namespace waferpair::editor {

class TextView;
class SpellChecker;

// Lines [first, last], which move with the text's lines.
struct MovingLines {
  int first = 0;
  int last = -1;

  bool isEmpty() const { return last < first; }
  void include(int from, int to);
  void follow(int line, int linesAdded);
};

class SpellingMarks : public QObject, private StyleFollower {
  Q_OBJECT
 public:
  // Owned by the editor; off at first. The checker outlives it.
  SpellingMarks(TextView* editor, SpellChecker* checker);

  void setOn(bool on);
  bool isOn() const { return on_; }

  // The marked word that `offset` touches.
  std::optional<ByteRange> wrongAt(qint64 offset) const;
  // The first one that begins behind `offset` (+1), or the last one that begins before it (-1);
  // none: there is no further one among the lines that were looked at.
  std::optional<ByteRange> next(qint64 offset, int direction) const;
  // All lines were looked at, and their words judged.
  bool isFinished() const;

 private:
  void linesEdited(int line, int linesAdded) override;
  void linesStyled(int first, int last) override;
  void restarted() override;

  void defineLook();
  void startOver();
  void addDirty(int first, int last);
  void slice();
  void check(int line);
  // False: some are not judged yet.
  bool markProse(const QByteArray& prose, qint64 at);
  void addNames(const QByteArray& code);
  bool isName(const QString& word) const;
  void unmarkNames();

  TextView* editor_;
  SpellChecker* checker_;
  QTimer soon_{this};
  bool on_ = false;
  // Lines [0, checked_) were looked at; of those, some are to be again, and some have words that
  // are not judged yet.
  int checked_ = 0;
  MovingLines dirty_;
  MovingLines waiting_;
  int typedLine_ = -1;        // where a word may be half typed; -1: nowhere
  QSet<QByteArray> names_;    // in the code that was looked at
  bool hasNewNames_ = false;  // since unmarkNames()
};

}  // namespace waferpair::editor
