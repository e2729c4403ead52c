// SPDX-License-Identifier: GPL-3.0-or-later
// Text that runs from right to left. Scintilla lays all text out from left to right and finds that
// a run of Arabic or Hebrew has no width. So each of its letters gets a cell of its own, in the
// order of the text; over the cells of a run the run itself is painted as it is read, with its
// selection and the caret, and the mouse finds the letters where they are seen. The base direction
// of a line is left to right, as in other code editors; the arrow keys go in the order of the text.
#pragma once

#include <QPainter>
#include <QRegion>
#include <vector>

namespace waferpair::editor {

class TextView;

// Returns whether UTF-8 may hold letters of such a script; false for nearly all code.
bool mayRunRightToLeft(const QByteArray& utf8);

class RtlText {
 public:
  // Gives the letters their cells. Scintilla forgets them when the code page changes.
  static void makeCells(TextView* editor);

  explicit RtlText(const TextView& editor) : editor_(editor) {}

  // Paints over the editor's finished picture, in viewport coordinates.
  void paint(QPainter& painter, const QRegion& dirty) const;
  // The caret is in such a run: paint() draws it, and Scintilla must not.
  bool ownsCaret() const;
  // Returns the point at which Scintilla has the letter that is seen at `point`.
  QPoint inLayout(const QPoint& point) const;

 private:
  struct Run;
  std::vector<Run> runsInRow(int displayRow) const;
  void addRuns(qint64 start, qint64 end, std::vector<Run>* runs) const;
  bool layOut(Run* run) const;
  bool holdsCaret(const Run& run) const;
  double caretX(Run& run) const;
  void fill(QPainter& painter, Run& run, qint64 from, qint64 to, const QColor& color) const;
  void paintRun(QPainter& painter, Run& run) const;

  const TextView& editor_;
};

}  // namespace waferpair::editor
