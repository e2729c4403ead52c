// SPDX-License-Identifier: GPL-3.0-or-later
// The interface through which a SuggestionController and a CompletionList see a text and show what
// they have for it: a widget implements it, or a test's script. Offsets are bytes, lines count from
// 0. UI thread only.
#pragma once

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QVector>

#include "editor/assist/list_source.h"
#include "editor/text/edit.h"

namespace waferpair::editor {

// The suggestion that is shown is one of `count`; `more` may come.
struct SuggestionChoice {
  int place = 0;  // from 0
  int count = 1;
  bool more = false;

  bool operator==(const SuggestionChoice&) const = default;
};

class SuggestionView : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // -- The text

  // Tells of edits made so far now, rather than when the current event ends.
  virtual void flushEdits() = 0;
  virtual qint64 version() const = 0;
  virtual int lineCount() const = 0;
  virtual int lineAt(qint64 offset) const = 0;
  virtual qint64 lineStart(int line) const = 0;
  virtual qint64 lineEnd(int line) const = 0;  // before the line end characters
  virtual QByteArray textRange(qint64 start, qint64 end) const = 0;
  // The characters that new lines get.
  virtual QByteArray lineEndBytes() const = 0;
  // Returns why nothing is suggested in this text, in words for the status bar; empty: something
  // may be.
  virtual QString silence() const = 0;

  // The text is in front of the user.
  virtual bool isSeen() const = 0;
  virtual qint64 caret() const = 0;
  // There is one caret, and nothing is selected.
  virtual bool hasPlainCaret() const = 0;
  // There are several carets, and nothing is selected.
  virtual bool hasSeveralCarets() const { return false; }
  // Runs since the last key press; invalid before the first.
  virtual QElapsedTimer sinceKey() const = 0;

  // -- What could follow the caret: see ghost_text.h

  virtual bool showGhost(qint64 origin, const QByteArray& utf8) = 0;
  virtual void appendGhost(const QByteArray& utf8) = 0;
  virtual void clearGhost() = 0;
  // There is one, though it may be typed through to its end so far.
  virtual bool hasGhost() const = 0;
  // There is some of it left to show.
  virtual bool isGhostShown() const = 0;
  // Says beside the ghost which of several it is, until another is shown or none.
  virtual void noteChoice(const SuggestionChoice& choice) = 0;

  // -- A list of what could stand at the caret: see list_popup.h

  // Shows these for the word that begins at `start`, of which `typed` is typed. `byKey`: the user
  // asked for them.
  virtual void showList(qint64 start, const QByteArray& typed, const QVector<ListItem>& items,
                        bool byKey) = 0;
  virtual void hideList() = 0;
  // Replaces what stands from `start` to the caret, as one undo step; the caret goes behind it. Of
  // several carets each that has the same text before it has it replaced, too.
  // `also` are edits elsewhere in the text as it is, which are part of that step; none overlaps
  // another, and those that touch what is replaced are left out.
  virtual void typeOver(qint64 start, const QByteArray& text,
                        const QVector<TextEdit>& also = {}) = 0;
  // The same at one caret, with a snippet in place of the text; its fields are filled in then.
  virtual void typeSnippet(qint64 start, const QByteArray& snippet,
                           const QVector<TextEdit>& also = {}) = 0;
  // Shows this beside the list, about the entry that is selected; empty: nothing.
  virtual void describeItem(const QString& markdown) = 0;

 Q_SIGNALS:
  // Sent when there is another text, or another silence() or language for it.
  void wasReset();
  // Sent with edits in order; the offsets of each are of the text after the edits before it.
  void edited(const QVector<waferpair::editor::TextEdit>& edits, qint64 version);
  // Sent after edited() when the user typed, deleted or broke a line with a key.
  void typed();
  void caretMoved();
  // The user wants a suggestion here and now.
  void suggestionWanted();
  // The user wants to see what else could stand there: the next (1), or the one before (-1).
  void alternativeWanted(int by);
  // `text`, all or part of the ghost, stands in front of the caret.
  void ghostAccepted(const QByteArray& text);
  void ghostDismissed();
  // Esc was pressed where there was nothing to close.
  void escaped();
  // The first picture with this ghost is on the screen's surface.
  void ghostPainted();
  // One of these is to stand in [start, end), whose end is at the caret.
  void choicesOffered(qint64 start, qint64 end, const QByteArrayList& choices);
  // The user wants the list here and now, takes an entry of it, or does not want it.
  void listWanted();
  void listTaken(int index);
  void listDismissed();
  // This entry of it is selected.
  void listMoved(int index);
};

}  // namespace waferpair::editor
