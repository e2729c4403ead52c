// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/brace_match.h"

#include <QByteArray>
#include <algorithm>

#include "editor/view/layout_pieces.h"
#include "editor/view/text_view.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

// Scintilla's own search goes to the end of the file for an unmatched bracket, on every key.
constexpr qint64 kReach = 64 * 1024;

// And the nearest pair around a place is sought among so many.
constexpr int kMostPairs = 2000;

constexpr char kOpen[] = "([{";
constexpr char kClose[] = ")]}";

int indexIn(const char* set, char c) {
  for (int i = 0; i < 3; ++i)
    if (set[i] == c) return i;
  return -1;
}

bool isBrace(char c) { return indexIn(kOpen, c) >= 0 || indexIn(kClose, c) >= 0; }

char byteAt(const TextView& editor, qint64 at) {
  return static_cast<char>(editor.sci(Sci::SCI_GETCHARAT, static_cast<unsigned long>(at)));
}

long styleAt(const TextView& editor, qint64 at) {
  return withoutTwins(editor.sci(Sci::SCI_GETSTYLEAT, static_cast<unsigned long>(at)));
}

}  // namespace

qint64 matchingBrace(const TextView& editor, qint64 position) {
  const char brace = byteAt(editor, position);
  const bool forward = indexIn(kOpen, brace) >= 0;
  const int kind = forward ? indexIn(kOpen, brace) : indexIn(kClose, brace);
  if (kind < 0) return -1;
  const long style = styleAt(editor, position);
  const qint64 from = forward ? position : std::max<qint64>(0, position - kReach);
  const qint64 to = forward ? std::min(editor.length(), position + kReach) : position + 1;
  const QByteArray text = editor.textRange(from, to);

  int depth = 0;
  for (qsizetype i = forward ? 0 : text.size() - 1; i >= 0 && i < text.size();
       i += forward ? 1 : -1) {
    const char c = text[i];
    const int step = c == kOpen[kind] ? 1 : c == kClose[kind] ? -1 : 0;
    if (step == 0 || styleAt(editor, from + i) != style) continue;
    depth += step;
    if (depth == 0) return from + i;
  }
  return -1;
}

qint64 bracketAt(const TextView& editor, qint64 caret) {
  if (caret > 0 && isBrace(byteAt(editor, caret - 1))) return caret - 1;
  return caret < editor.length() && isBrace(byteAt(editor, caret)) ? caret : -1;
}

std::pair<qint64, qint64> enclosingBrackets(const TextView& editor, qint64 from, qint64 to) {
  const qint64 start = std::max<qint64>(0, from - kReach);
  const QByteArray text = editor.textRange(start, from);
  int looked = 0;
  for (qsizetype i = text.size() - 1; i >= 0 && looked < kMostPairs; --i) {
    if (!isBrace(text[i])) continue;
    ++looked;
    const qint64 partner = matchingBrace(editor, start + i);
    if (partner >= to && partner > start + i) return {start + i, partner};
    // A pair that is closed left of it is skipped.
    if (partner >= start && partner < start + i) i = partner - start;
  }
  return {-1, -1};
}

void highlightBraces(TextView* editor) {
  const qint64 at = bracketAt(*editor, editor->caret());
  const qint64 partner = at < 0 ? -1 : matchingBrace(*editor, at);
  if (partner < 0) {
    editor->sci(Sci::SCI_BRACEHIGHLIGHT, static_cast<unsigned long>(-1), -1);
  } else {
    editor->sci(Sci::SCI_BRACEHIGHLIGHT, static_cast<unsigned long>(at),
                static_cast<long>(partner));
  }
}

}  // namespace waferpair::editor
