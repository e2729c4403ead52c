// SPDX-License-Identifier: GPL-3.0-or-later
// Decorations are drawn in an editor and no part of its text: what a suggestion would take out, in
// place, what it would put in, in rows of its own below, and a mark in the margin beside both.
// Drawn by Scintilla (indicators, annotations, markers), so it moves with the text by itself until
// it is set anew; in the theme's colors; told to assistive technology as the editor's description.
// While a ghost stands in a line, its rows take the place of those below that line. A change that
// is still being written is drawn beside them, its rows in italics. UI thread only.
#pragma once

#include <QObject>
#include <QSet>
#include <QVector>

#include "editor/assist/hunks.h"

namespace waferpair::editor {

class CodeEditor;

struct Decoration {
  enum class Kind {
    kRemoved,   // bytes [start, end) are marked
    kInserted,  // `text` is shown below the line of `end`, or above that line if it begins there
  };
  Kind kind = Kind::kRemoved;
  qint64 start = 0;
  qint64 end = 0;
  QByteArray text;

  bool operator==(const Decoration&) const = default;
};

class Decorations : public QObject {
  Q_OBJECT
 public:
  // The editor must outlive this.
  explicit Decorations(CodeEditor* editor, QObject* parent = nullptr);
  ~Decorations() override;  // nothing is drawn any more

  // Replaces what is drawn.
  void set(const QVector<Decoration>& decorations);
  // Draws the hunks on offer, and follows them; null: none. They are of the editor's text, and must
  // outlive this or the next call.
  void show(const Hunks* hunks);

  // Draws a change that is still being written, beside what else is drawn; none: no change is. What
  // it has in common with the last call, from its beginning, is left as it is. The row of the text
  // that is read stays where it is: that of the caret where the keyboard is in the text and the row
  // in sight, else the page's first. The hunks are of the text as it is, in its order.
  void grow(const QVector<Hunk>& hunks);

  // Marks the lines of bytes [start, end], which an instruction is about, in the margin. The mark
  // moves with them.
  void setTarget(qint64 start, qint64 end);
  void clearTarget();

  const QVector<Decoration>& decorations() const { return decorations_; }
  const QVector<Decoration>& growing() const { return growing_; }
  // The changes in words, for screen readers: "Line 3: “int” would become “long”." for each.
  QString description() const { return description_; }

 private:
  void draw();
  void erase();
  bool areDrawn(const QVector<Decoration>& decorations) const;
  bool onlyMoved(const QVector<Decoration>& now, const QVector<Decoration>& before) const;
  bool isDrawn(const Decoration& decoration) const;
  int nextMarked(int line) const;
  int rowsLine(const Decoration& inserted) const;
  void defineLook();
  void showMargin();
  void showChanged();
  bool hasOurRows(int line) const;
  void mark(const Decoration& decoration);
  void unmark(const Decoration& decoration);
  // Rows of these lines; null: of all.
  void addRows(const QSet<int>* only);
  QString described(const Hunk& hunk) const;

  CodeEditor* editor_;
  const Hunks* hunks_ = nullptr;
  QVector<Decoration> decorations_;
  QVector<Decoration> growing_;
  QString description_;
  long firstStyle_ = -1;  // of three that are Scintilla's to give
  int rowLines_ = 0;      // lines that have rows of `decorations_` below them
  bool hasTarget_ = false;
  bool hasLook_ = false;  // the styles are those of the theme
};

}  // namespace waferpair::editor
