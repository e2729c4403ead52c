// SPDX-License-Identifier: GPL-3.0-or-later
// What stands over a text and follows it: marks, ghost text, closers that were put in. The view
// knows its parts by this alone, and calls each of them in the order in which they were added
// (TextView::addPart()). UI thread only.
#pragma once

#include <QRect>

class QPainter;
class QRegion;

namespace waferpair::editor {

struct TextEdit;

class ViewPart {
 public:
  virtual ~ViewPart() = default;

  // An edit was made that begins in `line` and added lines, or removed them (negative). Called
  // inside Scintilla's notices: the text may be read, but not changed, and nobody told.
  virtual void textEdited(const TextEdit& /*edit*/, int /*line*/, int /*linesAdded*/) {}
  // Edits are over, or carets have moved: what is drawn may be brought in line.
  virtual void settle() {}
  // Another text comes in place of this one.
  virtual void textGoes() {}

  // Rows of the viewport that hold nothing of the text, and are this part's alone to paint over
  // the background; empty: there are none. Those of one part at a time.
  virtual QRect blankRows() const { return {}; }
  // Over the finished picture, in viewport coordinates.
  virtual void paint(QPainter& /*painter*/, const QRegion& /*dirty*/) {}
  // What paint() drew is on the surface.
  virtual void afterPaint() {}
};

}  // namespace waferpair::editor
