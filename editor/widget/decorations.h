// SPDX-License-Identifier: GPL-3.0-or-later
// Decorations are drawn in an editor and no part of its text: what a suggestion would take out, in
// place, what it would put in, in rows of its own below, and a mark in the margin beside both.
// Drawn by Scintilla (indicators, annotations, markers), so it moves with the text by itself until
// it is set anew; in the theme's colors; told to assistive technology as the editor's description.
// While a ghost stands in a line, its rows take the place of those below that line. UI thread only.
#pragma once

#include <QObject>
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

  // Marks the lines of bytes [start, end], which an instruction is about, in the margin. The mark
  // moves with them.
  void setTarget(qint64 start, qint64 end);
  void clearTarget();

  const QVector<Decoration>& decorations() const { return decorations_; }
  // The changes in words, for screen readers: "Line 3: “int” would become “long”." for each.
  QString description() const { return description_; }

 private:
  void draw();
  void erase();
  bool areDrawn(const QVector<Decoration>& decorations) const;
  bool isDrawn(const Decoration& decoration) const;
  int nextMarked(int line) const;
  int rowsLine(const Decoration& inserted) const;
  void defineLook();
  void showMargin();
  void showChanged();
  void mark(const Decoration& removed);
  void addRows();
  QString described(const Hunk& hunk) const;

  CodeEditor* editor_;
  const Hunks* hunks_ = nullptr;
  QVector<Decoration> decorations_;
  QString description_;
  long firstStyle_ = -1;  // of two that are Scintilla's to give
  int rowLines_ = 0;      // lines that have rows below them
  bool hasTarget_ = false;
  bool hasLook_ = false;  // the styles are those of the theme
};

}  // namespace waferpair::editor
