// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/layout_pieces.h"

#include <Qsci/qsciscintillabase.h>

#include <algorithm>
#include <bit>

#include "editor/view/long_lines.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr qsizetype kShortest = 20;
constexpr qsizetype kLongest = 26;  // and a character's rest of 3: less than 30
constexpr unsigned kCutsAt = 4;     // one byte in so many may end a piece
constexpr int kStyles = 3;
// Each entry takes 16 bytes, and 150 more once it is used.
constexpr unsigned long kFewestEntries = 1 << 14;
constexpr unsigned long kMostEntries = 1 << 20;

// Returns a hash of the four bytes before the end of a piece.
unsigned hashBefore(const char* end) {
  unsigned hash = 0;
  for (int i = 4; i > 0; --i) hash = (hash + static_cast<unsigned char>(end[-i])) * 0x9E3779B1u;
  return hash >> 16;
}

// Gives the bytes of [from, to) hidden styles.
void hide(QsciScintillaBase* view, long from, long to) {
  static const QByteArray runs = [] {
    QByteArray styles;
    for (int run = 0; run < 256; ++run)
      styles.append(kHiddenRun, static_cast<char>(kFirstHiddenStyle + run % 2));
    return styles;
  }();
  view->SendScintilla(Sci::SCI_STARTSTYLING, static_cast<unsigned long>(from), 0L);
  for (long at = from; at < to; at += static_cast<long>(runs.size()))
    view->SendScintilla(Sci::SCI_SETSTYLINGEX,
                        static_cast<uintptr_t>(std::min<long>(runs.size(), to - at)),
                        runs.constData());
}

// Returns the start of the character at `offset`, within [from, to].
long characterAt(QsciScintillaBase* view, long from, long to, long offset) {
  const auto continues = [view](long byte) {
    return (view->SendScintilla(Sci::SCI_GETCHARAT, static_cast<unsigned long>(byte)) & 0xc0) ==
           0x80;
  };
  while (offset > from && offset < to && continues(offset)) --offset;
  return std::clamp(offset, from, to);
}

}  // namespace

void appendPieces(const char* text, qsizetype length, QByteArray* styles) {
  const auto continues = [&](qsizetype at) { return at < length && (text[at] & 0xc0) == 0x80; };
  int previous = -1;
  for (qsizetype from = 0; from < length;) {
    qsizetype to = std::min(from + kShortest, length);
    while (to < length && to - from < kLongest && hashBefore(text + to) % kCutsAt != 0) ++to;
    while (continues(to)) ++to;
    // The style is chosen by the text, too, so that behind an edit the styles soon are as before.
    int style =
        to - from < kShortest ? 0 : static_cast<int>(hashBefore(text + to) / kCutsAt % kStyles);
    if (style == previous) style = (style + 1) % kStyles;
    previous = style;
    styles->append(to - from, static_cast<char>(style == 0 ? 0 : kFirstPlainTwin + style - 1));
    from = to;
  }
}

void cutIntoPieces(QsciScintillaBase* view, long from, long to) {
  if (from >= to) return;
  const auto* text = reinterpret_cast<const char*>(
      view->SendScintilla(Sci::SCI_GETRANGEPOINTER, static_cast<unsigned long>(from), to - from));
  QByteArray styles;
  styles.reserve(to - from);
  appendPieces(text, to - from, &styles);
  view->SendScintilla(Sci::SCI_STARTSTYLING, static_cast<unsigned long>(from), 0L);
  view->SendScintilla(Sci::SCI_SETSTYLINGEX, static_cast<uintptr_t>(styles.size()),
                      styles.constData());
}

void showPart(QsciScintillaBase* view, long from, long to, long at) {
  const long begin =
      characterAt(view, from, to, std::min(at - kMostOfLongLine / 2, to - kMostOfLongLine));
  const long end = characterAt(view, from, to, std::max(begin, from) + kMostOfLongLine);
  hide(view, from, begin);
  cutIntoPieces(view, begin, end);
  hide(view, end, to);
}

void showStart(QsciScintillaBase* view, const ByteRange& line, long from, long to) {
  const auto start = static_cast<long>(line.start), end = static_cast<long>(line.end);
  const bool isLong = end - start > kLongLine;
  const long shown = isLong ? characterAt(view, start, end, start + kMostOfLongLine) : end;
  cutIntoPieces(view, from, std::min(to, shown));
  hide(view, std::max(from, shown), to);
}

void rememberPieces(QsciScintillaBase* view, long length) {
  const unsigned long wanted = std::bit_ceil(static_cast<unsigned long>(length) / kShortest * 2);
  const unsigned long entries = std::clamp(wanted, kFewestEntries, kMostEntries);
  if (static_cast<unsigned long>(view->SendScintilla(Sci::SCI_GETPOSITIONCACHE)) < entries)
    view->SendScintilla(Sci::SCI_SETPOSITIONCACHE, entries, 0L);
}

}  // namespace waferpair::editor
