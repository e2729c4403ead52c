// SPDX-License-Identifier: GPL-3.0-or-later
// Characters that one does not see (editor/text/unseen.h), made visible in an editor. Those that
// are so wherever they stand are boxes with their code, in which those that turn text round lose
// that power; over those that are so by their place a pin is painted, and a frame around blanks
// that are none. The text, the caret and the clipboard have the characters as they are.
#pragma once

#include <QPainter>
#include <QRegion>

namespace waferpair::editor {

class TextView;

class UnseenMarks {
 public:
  // Gives the characters their boxes. Scintilla forgets them when the code page changes.
  static void makeBoxes(TextView* editor);

  explicit UnseenMarks(const TextView& editor) : editor_(editor) {}

  // Paints over the editor's finished picture, in viewport coordinates.
  void paint(QPainter& painter, const QRegion& dirty) const;

 private:
  void paintLine(QPainter& painter, int line, const QRect& view) const;

  const TextView& editor_;
};

}  // namespace waferpair::editor
