// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/decoded_line.h"

#include "editor/text/text_codec.h"

namespace waferpair::editor {

DecodedLine::DecodedLine(const QByteArray& utf8) : utf8_(utf8), text_(exactUtf8(utf8)) {}

void DecodedLine::step() {
  const QChar c = text_.at(unit_++);  // at(), as a match may share the text
  if (c.unicode() < 0x80) {
    byte_ += 1;
  } else if (c.unicode() < 0x800) {
    byte_ += 2;
  } else if (c.isHighSurrogate()) {
    ++unit_;  // a decoder never leaves one alone
    byte_ += 4;
  } else if (c == QChar::ReplacementCharacter &&
             !QByteArrayView(utf8_).sliced(byte_).startsWith("\xEF\xBF\xBD")) {
    byte_ += 1;  // stands for a byte that is none
  } else {
    byte_ += 3;
  }
}

qsizetype DecodedLine::unitAt(qsizetype byte) {
  if (byte < byte_) rewind();
  while (byte_ < byte && unit_ < text_.size()) step();
  return unit_;
}

qsizetype DecodedLine::byteAt(qsizetype unit) {
  if (unit < unit_) rewind();
  while (unit_ < unit && unit_ < text_.size()) step();
  return byte_;
}

}  // namespace waferpair::editor
