// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/keys/caret_commands.h"

#include <algorithm>
#include <optional>

#include "editor/text/byte_range.h"
#include "editor/text/indentation.h"
#include "editor/text/pairs.h"
#include "editor/view/brace_match.h"
#include "editor/view/layout_pieces.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

ByteRange wordAround(const TextView& editor, qint64 at) {
  return {editor.sci(Sci::SCI_WORDSTARTPOSITION, word(at), 1),
          editor.sci(Sci::SCI_WORDENDPOSITION, word(at), 1)};
}

// The next quote of the string that `from` is in, going left (-1) or right (1) in its line; -1.
qint64 quoteOf(TextView& editor, qint64 from, int direction) {
  const int line = editor.lineAt(from);
  const qint64 start = editor.lineStart(line);
  const QByteArray text = editor.lineText(line);
  if (text.size() > kLongestUncutLine) return -1;
  for (qint64 at = direction < 0 ? from - 1 : from; at >= start && at < start + text.size();
       at += direction) {
    if (!isQuoteByte(text[at - start])) continue;
    // Outside of it a letter left of the first quote, or right of the last one, is no string.
    const qint64 outside = direction < 0 ? at : at + 1;
    if (editor.kindAt(outside) != TextKind::kString) return at;
  }
  return -1;
}

// The string around [range), without its quotes.
std::optional<ByteRange> stringAround(TextView& editor, const ByteRange& range) {
  if (editor.kindAt(range.start) != TextKind::kString) return std::nullopt;
  const qint64 open = quoteOf(editor, range.start, -1);
  const qint64 close = quoteOf(editor, range.end, 1);
  if (open < 0 || close < 0) return std::nullopt;
  return ByteRange{open + 1, close};
}

// The smallest of a few units that is larger than what is selected.
ByteRange grown(TextView& editor, const ByteRange& range) {
  ByteRange best{0, editor.length()};
  const auto offer = [&best, &range](const ByteRange& unit) {
    const bool holds = unit.start <= range.start && range.end <= unit.end;
    const bool larger = unit.end - unit.start > range.end - range.start;
    if (holds && larger && unit.end - unit.start < best.end - best.start) best = unit;
  };
  const auto offerBoth = [&offer](const ByteRange& inner) {
    offer(inner);
    offer({inner.start - 1, inner.end + 1});
  };
  const ByteRange name = wordAround(editor, range.start);
  if (name.end > name.start) offer(name);
  if (const auto string = stringAround(editor, range)) offerBoth(*string);
  if (const auto [open, close] = enclosingBrackets(editor, range.start, range.end); open >= 0)
    offerBoth({open + 1, close});
  const LineSpan lines = linesOf(editor, {range.start, range.end});
  const qint64 indent = leadingBlanks(editor.lineText(lines.first)).size();
  offer({editor.lineStart(lines.first) + indent, editor.lineEnd(lines.last)});
  offer({editor.lineStart(lines.first), editor.lineStart(lines.last + 1)});
  // Blocks, from the one around the first line on.
  for (long parent = lines.first; parent >= 0;
       parent = editor.sci(Sci::SCI_GETFOLDPARENT, word(parent))) {
    const auto last = static_cast<int>(editor.sci(Sci::SCI_GETLASTCHILD, word(parent), -1));
    if (last > parent)
      offer({editor.lineStart(static_cast<int>(parent)), editor.lineStart(last + 1)});
  }
  return best;
}

}  // namespace

bool addCaretBeside(TextView* editor, int direction) {
  QVector<Selection> selections = selectionsOf(*editor);
  const qsizetype main = mainSelection(*editor);
  const auto [low, high] =
      std::minmax_element(selections.begin(), selections.end(),
                          [](const Selection& a, const Selection& b) { return a.caret < b.caret; });
  long line = editor->lineAt(direction < 0 ? low->caret : high->caret);
  do {
    line += direction;
    if (line < 0 || line >= editor->lineCount()) return false;
  } while (editor->sci(Sci::SCI_GETLINEVISIBLE, word(line)) == 0);
  const long column = editor->sci(Sci::SCI_GETCOLUMN, word(selections[main].caret));
  const long at = editor->sci(Sci::SCI_FINDCOLUMN, word(line), column);
  selections += Selection{at, at};
  setSelections(editor, selections, main);
  editor->sci(Sci::SCI_SCROLLRANGE, word(at), at);
  return true;
}

bool caretsAtLineEnds(TextView* editor) {
  QVector<Selection> carets;
  for (const LineSpan& span : selectedSpans(*editor)) {
    for (int line = span.first; line <= span.last; ++line) {
      const qint64 end = editor->lineEnd(line);
      carets += Selection{end, end};
    }
  }
  setSelections(editor, carets, carets.size() - 1);
  return true;
}

bool selectAllOccurrences(TextView* editor) {
  ByteRange range{editor->sci(Sci::SCI_GETSELECTIONSTART), editor->sci(Sci::SCI_GETSELECTIONEND)};
  const bool isWord = range.start == range.end;
  if (isWord) range = wordAround(*editor, range.start);
  if (range.start == range.end) return false;
  const QByteArray text = editor->textRange(range.start, range.end);
  editor->sci(Sci::SCI_SETSEARCHFLAGS,
              Sci::SCFIND_MATCHCASE | (isWord ? Sci::SCFIND_WHOLEWORD : 0));
  QVector<Selection> found;
  qsizetype main = 0;
  for (qint64 from = 0;;) {
    editor->sci(Sci::SCI_SETTARGETRANGE, word(from), static_cast<long>(editor->length()));
    const long at = editor->SendScintilla(Sci::SCI_SEARCHINTARGET,
                                          static_cast<uintptr_t>(text.size()), text.constData());
    if (at < 0) break;
    if (at == range.start) main = found.size();
    from = at + text.size();
    found += Selection{at, from};
  }
  setSelections(editor, found, main);
  return true;
}

bool goToBracket(TextView* editor, bool select) {
  QVector<Selection> selections = selectionsOf(*editor);
  bool any = false;
  for (Selection& selection : selections) {
    const qint64 caret = selection.caret;
    editor->highlightTo(caret + 1);  // styles decide what counts as a bracket
    const qint64 bracket = bracketAt(*editor, caret);
    qint64 to = bracket < 0 ? -1 : matchingBrace(*editor, bracket);
    // The caret stays on the same side: outside of the pair, or inside.
    if (to >= 0) {
      const bool forward = to > bracket;
      const bool outside = forward == (bracket == caret);
      to += forward == outside ? 1 : 0;
    } else {
      to = enclosingBrackets(*editor, caret, caret).first;
    }
    if (to < 0) continue;
    any = true;
    selection = {select ? selection.anchor : to, to};
  }
  if (any) setSelections(editor, selections, mainSelection(*editor));
  return any;
}

ByteRange SelectionSteps::next(TextView& editor, ByteRange range) const {
  if (knownVersion_ == editor.version()) {
    for (const ByteRange& known : known_)
      if (known.start <= range.start && range.end <= known.end && known != range) return known;
  }
  return grown(editor, range);
}

bool SelectionSteps::expand(TextView* editor) {
  const QVector<Selection> selections = selectionsOf(*editor);
  if (selections != now_ || version_ != editor->version()) smaller_.clear();
  const auto [low, high] =
      std::minmax_element(selections.begin(), selections.end(),
                          [](const Selection& a, const Selection& b) { return a.end() < b.end(); });
  editor->highlightTo(high->end());
  QVector<Selection> larger;
  for (const Selection& selection : selections) {
    const ByteRange range = next(*editor, {selection.start(), selection.end()});
    larger += Selection{range.start, range.end};
  }
  if (larger == selections) return false;
  smaller_ += selections;
  setSelections(editor, larger, mainSelection(*editor));
  now_ = selectionsOf(*editor);
  version_ = editor->version();
  return true;
}

bool SelectionSteps::shrink(TextView* editor) {
  if (smaller_.isEmpty() || selectionsOf(*editor) != now_ || version_ != editor->version())
    return false;
  setSelections(editor, smaller_.takeLast(), mainSelection(*editor));
  now_ = selectionsOf(*editor);
  return true;
}

}  // namespace waferpair::editor
