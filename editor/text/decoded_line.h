// SPDX-License-Identifier: GPL-3.0-or-later
// A line's UTF-8 as UTF-16, converted once, and the way between the offsets of both. A walk through
// the line with growing offsets costs no more than its length in all.
#pragma once

#include <QByteArray>
#include <QString>

namespace waferpair::editor {

class DecodedLine {
 public:
  DecodedLine() = default;
  explicit DecodedLine(const QByteArray& utf8);

  // The line as exactUtf8() decodes it: U+FFFD for each byte that is no part of a character.
  const QString& text() const { return text_; }

  // Return the offset of the first character at or behind an offset of the other kind; the line's
  // end where there is none.
  qsizetype unitAt(qsizetype byte);
  qsizetype byteAt(qsizetype unit);

 private:
  void step();
  void rewind() { unit_ = byte_ = 0; }

  QByteArray utf8_;
  QString text_;
  // The same place in both: where the last look ended.
  qsizetype unit_ = 0;
  qsizetype byte_ = 0;
};

}  // namespace waferpair::editor
