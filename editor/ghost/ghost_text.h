// SPDX-License-Identifier: GPL-3.0-or-later
// A suggestion drawn at the caret that is not in the document: never in text(), undo or the
// modified flag until accepted. Owned by its editor; UI thread only.
//
// The ghost is `text` starting at `origin`. Typing its next characters shortens what is left to
// show, deleting them brings it back, anything else takes the ghost away.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QRect>
#include <QStringList>
#include <QTimer>
#include <functional>

#include "editor/assist/completion_provider.h"
#include "editor/assist/typed_since.h"
#include "editor/view/view_part.h"

namespace waferpair::editor {

class AutoPairs;
class GhostAnnouncer;
class TextView;

class GhostText : public QObject, public ViewPart {
  Q_OBJECT
 public:
  // Both outlive this, which the editor owns.
  GhostText(TextView* editor, const AutoPairs* pairs);

  // Shows `utf8` (with the document's line ends) as what could follow `origin`; the text between
  // `origin` and the caret must be its beginning (empty when the caret is at `origin`). Returns
  // false, showing nothing, when it is not, or while there is a selection or more than one caret.
  bool show(qint64 origin, const QByteArray& utf8);
  // Appends more of the same suggestion; what is on screen stays as it is.
  void append(const QByteArray& utf8);
  // Takes the ghost away with no signal to the user's account (stale, replaced).
  void clear();
  // The user's Esc: clears and says dismissed().
  void dismiss();

  // True while there is a ghost, though it may be typed through to its end so far.
  bool isActive() const { return active_; }
  // True while there is text left to show.
  bool isShown() const { return shown_; }
  qint64 position() const { return typed_.end(); }
  // What of it stands in the text already.
  const QByteArray& typed() const { return typed_.text(); }
  // Returns the text that accepting would insert.
  QByteArray remaining() const { return text_.mid(typed_.text().size()); }

  // Each inserts text as exactly one undo step and returns false when nothing is shown. Closers
  // right of the caret that were put in, and that this text closes by itself, make room for it.
  bool acceptAll();
  bool acceptWord();  // spaces before it included
  bool acceptLine();  // the rest of the row, or the line break and the next row

  // Turns on or off a chip behind the ghost that names the key to accept it, for users who do not
  // know it yet.
  void setNamesKey(bool on);
  // What that key is called, as it is bound.
  void setKeyName(std::function<QString()> name) { keyName_ = std::move(name); }
  // Returns that key's name while it is named; empty otherwise.
  QString namedKey() const;
  // Says on the chip which of several suggestions it is ("2 of 3"), and tells assistive technology,
  // until another is shown or none.
  void setNote(const QString& note);
  const QString& note() const { return note_; }
  // The words of the chip; empty: there is none.
  QString chip() const;

  // Tells assistive technology of it.
  GhostAnnouncer* announcer() const { return announcer_; }

  // settle() brings the screen in line, and also follows a caret that moved away.
  void textEdited(const TextEdit& edit, int line, int linesAdded) override;
  void settle() override;
  void textGoes() override { clear(); }
  void paint(QPainter& painter, const QRegion& dirty) override;
  // Says painted() once for each show().
  void afterPaint() override;
  // The number of rows kept for the ghost, its first one included.
  int rows() const { return spacerRows_ + 1; }
  // The rows below the first, right of the margin, which are the ghost's alone to paint; empty when
  // there are none or a wrapped line is in the way.
  QRect blankRows() const override;

 Q_SIGNALS:
  // `text`, all or part of it, stands in front of the caret.
  void accepted(const QByteArray& text);
  void dismissed();
  void cleared();
  // Sent when another ghost than before is there.
  void appeared();
  // Sent when there is more or less of it left to show.
  void changed();
  // The first picture with this ghost is on the screen's surface.
  void painted();

 private:
  // Inserts as many bytes of what is left as `bytesOf` says.
  bool accept(qsizetype (*bytesOf)(const QByteArray& rest));
  void hide();
  void setSpacer(int line, int rows);
  void removeSpacer();
  void scrollIntoView();
  void updateChangedRows();

  TextView* editor_;
  const AutoPairs* pairs_;
  std::function<QString()> keyName_ = [] { return QString(); };
  GhostAnnouncer* announcer_;
  TypedSince typed_;
  QByteArray text_;
  bool active_ = false;  // there is a ghost, though maybe typed through to its end
  bool broken_ = false;  // an edit contradicted it: settle() takes it away
  bool shown_ = false;
  bool isPainted_ = false;  // in the picture that is being made
  bool paintReported_ = false;
  bool namesKey_ = false;
  QString note_;
  // The ghost as it is on screen, or will be with the next paint.
  int shownY_ = 0;
  QStringList shownRows_;
  // The line that carries the blank rows is somewhere in [low, high]; -1 for none. Scintilla moves
  // annotations with their lines, so after edits the range is searched.
  int spacerLow_ = -1;
  int spacerHigh_ = -1;
  int spacerRows_ = 0;
  // A ghost that typing took away leaves its rows for a moment: as a rule the next one needs them,
  // and the text below stands still meanwhile (and need not be painted on each key).
  QTimer linger_{this};
};

}  // namespace waferpair::editor
