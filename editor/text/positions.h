// SPDX-License-Identifier: GPL-3.0-or-later
// Places as others count them: language servers name a line and a UTF-16 column, people a line and
// a column of characters (code points). A column past a line's end means the line's end; a byte
// that is no part of a character counts as one. All count from 0, and each costs the length of the
// line.
#pragma once

#include "editor/text/snapshot.h"

namespace waferpair::editor {

struct LinePlace {
  qint64 line = 0;
  qint64 column = 0;

  bool operator==(const LinePlace&) const = default;
};

// `offset` is clamped to the text. Inside a character it counts as behind it; inside a CRLF it is
// the end of the line.
LinePlace utf16Place(const Snapshot& text, qint64 offset);
LinePlace codePointPlace(const Snapshot& text, qint64 offset);
// In bytes of UTF-8, as others are shown it: U+FFFD, of three, for a byte that is no part of one.
LinePlace utf8Place(const Snapshot& text, qint64 offset);

// The byte at such a place. A column between the two halves of a surrogate pair is behind it.
qint64 offsetOfUtf16(const Snapshot& text, LinePlace place);
qint64 offsetOfCodePoint(const Snapshot& text, LinePlace place);
qint64 offsetOfUtf8(const Snapshot& text, LinePlace place);

}  // namespace waferpair::editor
