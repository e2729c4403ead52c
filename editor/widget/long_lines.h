// SPDX-License-Identifier: GPL-3.0-or-later
// Tells whether a text has a line so long that a key in it would cost more than a frame, following
// it from edit to edit without looking at the whole text.
#pragma once

#include <QByteArrayView>

namespace waferpair::editor {

class CodeEditor;

inline constexpr qint64 kLongLine = 128 * 1024;  // bytes; longer ones are long

// Of a text that comes in pieces. LF ends lines: where CR does, they are shorter.
class LongestLine {
 public:
  void feed(QByteArrayView utf8);
  qint64 bytes() const { return longest_; }  // without the line end

 private:
  qint64 line_ = 0;  // bytes since the last line end
  qint64 longest_ = 0;
};

class LongLines {
 public:
  explicit LongLines(const CodeEditor* editor) : editor_(editor) {}

  bool any() const { return line_ >= 0; }
  // The first one found; -1 for none.
  int line() const { return line_; }

  // Looks at all lines.
  void reset();
  // It is known that none is long.
  void setNone() { line_ = -1; }
  // An edit that begins in `line` added lines, or removed them (negative), and is done.
  void edited(int line, int linesAdded);

 private:
  bool isLong(int line) const;

  const CodeEditor* editor_;
  int line_ = -1;
};

}  // namespace waferpair::editor
