// SPDX-License-Identifier: GPL-3.0-or-later
// Long plain lines, cut for Scintilla's layout. It measures a changed line as a whole, at about a
// microsecond a byte, but remembers the widths of runs of one style that are shorter than 30
// bytes. So a long line is cut into such runs by styles that all look plain. Where the cuts are
// depends on the text nearby alone: an edit moves few of them.
#pragma once

#include <QByteArray>

#include "editor/text/byte_range.h"

class QsciScintillaBase;

namespace waferpair::editor {

// Bytes. A minified line of 1 MB takes half a second to highlight, and one to lay out; a usual
// worst line stays below 4 ms.
inline constexpr long kLongestUncutLine = 20 * 1024;

// Style numbers that StyleTable leaves alone; they look as style 0 does.
inline constexpr int kFirstPlainTwin = 254;
inline constexpr int kLastPlainTwin = 255;

// Two styles that are not drawn and take no room: to lay them out costs little. They take turns, as
// Scintilla looks for places to cut in runs of 300 bytes and more, which takes half as long again.
inline constexpr int kFirstHiddenStyle = kFirstPlainTwin - 2;
inline constexpr int kHiddenRun = 256;  // bytes
// Bytes that are shown of a line over kLongLine (long_lines.h): those around the caret.
inline constexpr long kMostOfLongLine = 16 * 1024;

// Of a style that SCI_GETSTYLEAT gave.
inline bool isHiddenStyle(long style) {
  style &= 0xff;
  return style >= kFirstHiddenStyle && style < kFirstPlainTwin;
}

// Returns the style that SCI_GETSTYLEAT gave as an unsigned byte, and 0 for all styles of plain
// text.
inline long withoutTwins(long style) {
  style &= 0xff;
  return style >= kFirstHiddenStyle ? 0 : style;
}

// Adds a style byte for each of `length` bytes of UTF-8.
void appendPieces(const char* text, qsizetype length, QByteArray* styles);

// Sets them for bytes [from, to) of the view's text.
void cutIntoPieces(QsciScintillaBase* view, long from, long to);

// The same for the bytes of [from, to) around `at`, of which there are kMostOfLongLine at most; the
// others are hidden.
void showPart(QsciScintillaBase* view, long from, long to, long at);

// Sets for bytes [from, to) of the line `line` the styles that it has while its beginning is shown:
// a long line is cut part by part so.
void showStart(QsciScintillaBase* view, const ByteRange& line, long from, long to);

// Makes room for the widths of a line of `length` bytes.
void rememberPieces(QsciScintillaBase* view, long length);

}  // namespace waferpair::editor
