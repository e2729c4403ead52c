// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/keys/line_commands.h"

#include <QSet>
#include <QTextBoundaryFinder>
#include <algorithm>
#include <functional>

#include "editor/keys/cluster_keys.h"
#include "editor/layers/bookmarks.h"
#include "editor/text/indentation.h"
#include "editor/text/kept_bytes.h"
#include "editor/text/text_codec.h"
#include "editor/text/word_byte.h"
#include "editor/view/folding.h"
#include "editor/view/selections.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

QByteArray rightTrimmedLine(QByteArray line) {
  while (!line.isEmpty() && isBlankByte(line.back())) line.chop(1);
  return line;
}

QString inCase(const QString& text, LetterCase letters) {
  if (letters == LetterCase::kUpper) return text.toUpper();
  QString result = text.toLower();
  if (letters == LetterCase::kLower) return result;
  QTextBoundaryFinder words(QTextBoundaryFinder::Word, result);
  for (qsizetype at = 0; at >= 0; at = words.toNextBoundary()) {
    if ((words.boundaryReasons() & QTextBoundaryFinder::StartOfItem) != 0 && at < result.size())
      result[at] = result[at].toTitleCase();
  }
  return result;
}

// The lines of each selection as `change` makes them, without line ends, selected.
bool changeLines(TextView* editor, const std::function<QByteArrayList(QByteArrayList)>& change) {
  const QVector<Selection> selections = selectionsOf(*editor);
  QVector<CaretEdit> edits;
  bool any = false;
  for (const Selection& selection : selections) {
    const LineSpan span = linesOf(*editor, selection);
    QByteArrayList lines;
    for (int line = span.first; line <= span.last; ++line) lines += editor->lineText(line);
    const QByteArrayList changed = change(lines);
    if (changed == lines) {
      edits += CaretEdit{{}, selection};
      continue;
    }
    any = true;
    const qint64 start = editor->lineStart(span.first);
    const QByteArray text = changed.join(editor->lineEndBytes());
    edits += CaretEdit{{{start, editor->lineEnd(span.last), text}}, {start, start + text.size()}};
  }
  return any && applyAtCarets(editor, edits);
}

// A copy of each span of lines is put above it, so that the selections move down with the lower
// one, or below it. One of the span's selections carries the edit: the first, or the last.
bool copyLinesBeside(TextView* editor, bool above) {
  const QVector<Selection> selections = selectionsOf(*editor);
  QVector<CaretEdit> edits;
  for (const Selection& selection : selections) edits += CaretEdit{{}, selection};
  for (const LineSpan& span : wholeSpans(*editor)) {
    const qint64 start = editor->lineStart(span.first);
    const qint64 end = editor->lineEnd(span.last);
    qsizetype carrier = -1;
    for (qsizetype i = 0; i < selections.size(); ++i) {
      const int line = linesOf(*editor, selections[i]).first;
      if (line < span.first || line > span.last) continue;
      const bool nearer =
          carrier < 0 || (selections[i].start() < selections[carrier].start()) == above;
      if (nearer) carrier = i;
    }
    const QByteArray text = editor->textRange(start, end);
    Q_ASSERT(carrier >= 0);  // a span is the lines of some selection
    CaretEdit& edit = edits[carrier];
    if (above) {
      edit.edits = {{start, start, text + editor->lineEndBytes()}};
      const qint64 by = edit.edits.front().text.size();
      edit.after = {edit.after.anchor + by, edit.after.caret + by};
    } else {
      edit.edits = {{end, end, editor->lineEndBytes() + text}};
    }
  }
  return applyAtCarets(editor, edits);
}

bool isIn(const LineSpan& span, int line) { return span.first <= line && line <= span.last; }

// Lines that change places with those beside them.
struct MovedLines {
  LineSpan lines;
  LineSpan beside;
};

// Nothing of what moves is taken out of the text: what is beside it goes to its other side.
bool exchange(TextView* editor, const QVector<MovedLines>& moves) {
  QVector<TextEdit> edits;
  QVector<Selection> selections = selectionsOf(*editor);
  for (const auto& [lines, beside] : moves) {
    const bool isUp = beside.first < lines.first;
    const LineSpan& upper = isUp ? beside : lines;
    const LineSpan& lower = isUp ? lines : beside;
    Q_ASSERT(upper.last + 1 == lower.first);
    const qint64 seam = editor->lineStart(lower.first);
    const QByteArray lineEnd = editor->textRange(editor->lineEnd(upper.last), seam);
    const qint64 end = editor->lineStart(lower.last + 1);
    const bool hasEnd = editor->lineEnd(lower.last) < end;
    qint64 by = 0;
    if (isUp) {
      const qint64 start = editor->lineStart(upper.first);
      by = start - seam;
      const QByteArray text = editor->textRange(start, seam);
      edits += TextEdit{start, seam, {}};
      edits += TextEdit{end, end, hasEnd ? text : lineEnd + text.chopped(lineEnd.size())};
    } else {
      const qint64 start = editor->lineStart(upper.first);
      const QByteArray text = editor->textRange(seam, end);
      by = text.size() + (hasEnd ? 0 : lineEnd.size());
      edits += TextEdit{start, start, hasEnd ? text : text + lineEnd};
      edits += TextEdit{hasEnd ? seam : seam - lineEnd.size(), end, {}};
    }
    for (Selection& selection : selections) {
      if (isIn(lines, linesOf(*editor, selection).first))
        selection = {std::min(selection.anchor + by, editor->length()),
                     std::min(selection.caret + by, editor->length())};
    }
  }
  applyAsStep(editor, edits, selections, mainSelection(*editor));
  return true;
}

bool moveLines(TextView* editor, Bookmarks* bookmarks, bool up) {
  QVector<MovedLines> moves;
  // The empty line behind the last line end is none to move, nor to go past.
  const int last = editor->lineCount() - 1;
  const int count = last > 0 && editor->lineStart(last) == editor->length() ? last : last + 1;
  for (const LineSpan& span : wholeSpans(*editor)) {
    if (up ? span.first == 0 || span.first >= count : span.last + 1 >= count) continue;
    // One line, or a folded block; a folded block goes past others as a whole.
    const Folding& folding = *editor->folding();
    const bool isBlock = folding.foldedEnd(span.first) == span.last && span.last > span.first;
    const int line = up ? span.first - 1 : span.last + 1;
    LineSpan beside{line, line};
    if (up) {
      const int start = folding.blockStart(line);
      if (isBlock || folding.foldedEnd(start) == line) beside.first = start;
    } else {
      beside.last = isBlock ? folding.blockEnd(line) : folding.foldedEnd(line);
    }
    moves += MovedLines{span, {beside.first, std::min(beside.last, count - 1)}};
  }
  if (moves.isEmpty()) return false;
  const auto lineAfter = [&moves](int line) {
    for (const auto& [lines, beside] : moves) {
      const bool isUp = beside.first < lines.first;
      const int size = lines.last - lines.first + 1;
      const int besideSize = beside.last - beside.first + 1;
      if (isIn(lines, line)) return line + (isUp ? -besideSize : besideSize);
      if (isIn(beside, line)) return line + (isUp ? size : -size);
    }
    return line;
  };
  QVector<int> marked = bookmarks->lines();
  QVector<int> folded = editor->folding()->folded();
  std::transform(marked.begin(), marked.end(), marked.begin(), lineAfter);
  std::transform(folded.begin(), folded.end(), folded.begin(), lineAfter);
  exchange(editor, moves);
  if (!marked.isEmpty()) bookmarks->setLines(marked);
  if (!folded.isEmpty()) editor->folding()->setFolded(folded);
  return true;
}

}  // namespace

bool moveLinesUp(TextView* editor, Bookmarks* bookmarks) {
  return moveLines(editor, bookmarks, true);
}
bool moveLinesDown(TextView* editor, Bookmarks* bookmarks) {
  return moveLines(editor, bookmarks, false);
}

bool deleteLines(TextView* editor) {
  if (editor->length() == 0) return false;
  QVector<TextEdit> edits;
  QVector<Selection> carets = selectionsOf(*editor);
  for (const LineSpan& span : wholeSpans(*editor)) {
    // The last line has no end of its own: the one before it goes along.
    const bool isLast = span.last + 1 == editor->lineCount();
    const qint64 start =
        isLast && span.first > 0 ? editor->lineEnd(span.first - 1) : editor->lineStart(span.first);
    edits += TextEdit{start, editor->lineStart(span.last + 1), {}};
    const int next = isLast ? std::max(0, span.first - 1) : span.last + 1;
    for (Selection& caret : carets) {
      if (!isIn(span, linesOf(*editor, caret).first)) continue;
      const long column = editor->sci(Sci::SCI_GETCOLUMN, word(caret.caret));
      const long at = editor->sci(Sci::SCI_FINDCOLUMN, word(next), column);
      caret = {at, at};
    }
  }
  for (Selection& caret : carets) {
    const qint64 at = placeAfter(edits, caret.caret, true);
    caret = {at, at};
  }
  applyAsStep(editor, edits, carets, mainSelection(*editor));
  return true;
}

bool duplicate(TextView* editor) {
  QVector<TextEdit> edits;
  QSet<int> lines;  // carets of one line have it copied once
  QVector<Selection> selections = selectionsOf(*editor);
  for (const Selection& selection : selections) {
    const int line = editor->lineAt(selection.caret);
    qint64 start = selection.start();
    qint64 end = selection.end();
    if (selection.isEmpty()) {
      if (lines.contains(line)) continue;
      lines.insert(line);
      start = editor->lineStart(line);
      end = editor->lineEnd(editor->folding()->foldedEnd(line));
    }
    const QByteArray lineEnd = selection.isEmpty() ? editor->lineEndBytes() : QByteArray();
    edits += TextEdit{end, end, lineEnd + editor->textRange(start, end)};
  }
  std::stable_sort(edits.begin(), edits.end(),
                   [](const TextEdit& a, const TextEdit& b) { return a.start < b.start; });
  // What is selected stays so; the next selection may begin where that one ends.
  for (Selection& selection : selections) {
    const qint64 anchor = selection.anchor;
    selection.anchor = placeAfter(edits, anchor, anchor < selection.caret);
    selection.caret = placeAfter(edits, selection.caret, selection.caret < anchor);
  }
  applyAsStep(editor, edits, selections, mainSelection(*editor));
  return true;
}

bool sortLines(TextView* editor, bool descending) {
  return changeLines(editor, [descending](QByteArrayList lines) {
    // The order of UTF-8's bytes is that of its characters.
    std::stable_sort(lines.begin(), lines.end(), [descending](const auto& a, const auto& b) {
      return descending ? b < a : a < b;
    });
    return lines;
  });
}

bool joinLines(TextView* editor) {
  QVector<TextEdit> edits;
  QVector<Selection> carets;  // spans that were joined from several selections leave one each
  qint64 removed = 0;
  for (const LineSpan& span : selectedSpans(*editor)) {
    const int last = std::min(std::max(span.last, span.first + 1), editor->lineCount() - 1);
    qint64 seam = editor->lineEnd(span.first) - removed;
    for (int line = span.first; line < last; ++line) {
      const QByteArray left = rightTrimmedLine(editor->lineText(line));
      const QByteArray right = editor->lineText(line + 1);
      const qint64 from = editor->lineStart(line) + left.size();
      const qint64 to = editor->lineStart(line + 1) + leadingBlanks(right).size();
      const bool both = !left.isEmpty() && !right.trimmed().isEmpty();
      const QByteArray between = both ? QByteArray(" ") : QByteArray();
      seam = from - removed;
      edits += TextEdit{from, to, between};
      removed += to - from - between.size();
    }
    carets += Selection{seam, seam};
  }
  if (edits.isEmpty()) return false;
  applyAsStep(editor, edits, carets, 0);
  return true;
}

bool copyLinesDown(TextView* editor) { return copyLinesBeside(editor, true); }
bool copyLinesUp(TextView* editor) { return copyLinesBeside(editor, false); }

bool transposeCharacters(TextView* editor) {
  QVector<CaretEdit> edits;
  bool any = false;
  for (const Selection& selection : selectionsOf(*editor)) {
    const int line = editor->lineAt(selection.caret);
    qint64 at = selection.caret;
    if (at == editor->lineEnd(line)) at = clusterBefore(*editor, at);
    const qint64 from = clusterBefore(*editor, at);
    const qint64 to = clusterBehind(*editor, at);
    const bool isInLine =
        from < at && at < to && from >= editor->lineStart(line) && to <= editor->lineEnd(line);
    if (!selection.isEmpty() || !isInLine) {
      edits += CaretEdit{{}, selection};
      continue;
    }
    any = true;
    edits +=
        CaretEdit{{{from, to, editor->textRange(at, to) + editor->textRange(from, at)}}, {to, to}};
  }
  return any && applyAtCarets(editor, edits);
}

bool changeCase(TextView* editor, LetterCase letters) {
  QVector<CaretEdit> edits;
  bool any = false;
  for (const Selection& selection : selectionsOf(*editor)) {
    qint64 start = selection.start();
    qint64 end = selection.end();
    if (selection.isEmpty()) {
      start = editor->sci(Sci::SCI_WORDSTARTPOSITION, word(start), 1);
      end = editor->sci(Sci::SCI_WORDENDPOSITION, word(end), 1);
    }
    const QByteArray before = editor->textRange(start, end);
    // Bytes that are no characters stay as they are.
    const QByteArray changed = inCase(exactUtf8(before), letters).toUtf8();
    const QByteArray text = withBytesOf(before, changed).value_or(before);
    if (text == before) {
      edits += CaretEdit{{}, selection};
      continue;
    }
    any = true;
    Selection after{start, start + text.size()};
    if (selection.isEmpty()) after = {after.caret, after.caret};
    if (selection.caret < selection.anchor) std::swap(after.anchor, after.caret);
    edits += CaretEdit{{{start, end, text}}, after};
  }
  return any && applyAtCarets(editor, edits);
}

bool trimLineEnds(TextView* editor) { return tidyText(editor, {.trimsLineEnds = true}); }

bool tidyText(TextView* editor, const Tidying& tidying) {
  if (!tidying.trimsLineEnds && !tidying.endsWithLineEnd) return false;
  QSet<int> spared;
  if (tidying.sparesCarets) {
    for (const Selection& selection : selectionsOf(*editor))
      spared.insert(editor->lineAt(selection.caret));
  }
  QVector<TextEdit> edits;
  const int last = editor->lineCount() - 1;
  const int first = tidying.trimsLineEnds ? 0 : last;
  for (int line = last; line >= first; --line) {
    const qint64 end = editor->lineEnd(line);
    const QByteArray text = editor->lineText(line);
    const bool trims = tidying.trimsLineEnds && !spared.contains(line);
    const QByteArray left = trims ? rightTrimmedLine(text) : text;
    const bool ends = line == last && tidying.endsWithLineEnd && !left.isEmpty();
    const QByteArray lineEnd = ends ? editor->lineEndBytes() : QByteArray();
    if (left != text || ends) edits += TextEdit{end - text.size() + left.size(), end, lineEnd};
  }
  if (edits.isEmpty()) return false;
  editor->applyEdits(edits);
  return true;
}

}  // namespace waferpair::editor
