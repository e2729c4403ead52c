// SPDX-License-Identifier: GPL-3.0-or-later
// Tells whether a text has a line so long that a key in it would cost more than a frame, following
// it from edit to edit without looking at the whole text.
#pragma once

#include <QByteArrayView>
#include <QVector>

#include "editor/text/byte_range.h"

namespace waferpair::editor {

class TextView;

inline constexpr qint64 kLongLine = 64 * 1024;  // bytes; longer ones are long

// Of a text that comes in pieces, the lines over kLongestUncutLine (layout_pieces.h), without their
// ends: LF, CR, or both. For any thread.
class UncutLines {
 public:
  void feed(QByteArrayView utf8);
  // The text is whole.
  void finish() { take(read_); }

  const QVector<ByteRange>& lines() const { return lines_; }
  qint64 longest() const { return longest_; }  // bytes
  // The first line over kLongLine; it begins at -1 where there is none.
  ByteRange firstLong() const;

 private:
  void take(qint64 end);

  QVector<ByteRange> lines_;
  qint64 read_ = 0;   // bytes
  qint64 start_ = 0;  // of the line that is being read
  qint64 longest_ = 0;
};

class LongLines {
 public:
  explicit LongLines(const TextView* editor) : editor_(editor) {}

  bool any() const { return line_ >= 0; }
  // The first one found; -1 for none.
  int line() const { return line_; }

  // Looks at all lines.
  void reset();
  // It is known which is the first; -1: none.
  void set(int line) { line_ = line; }
  // An edit that begins in `line` added lines, or removed them (negative), and is done.
  void edited(int line, int linesAdded);

 private:
  bool isLong(int line) const;

  const TextView* editor_;
  int line_ = -1;
};

}  // namespace waferpair::editor
