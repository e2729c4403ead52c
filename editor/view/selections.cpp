// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/selections.h"

#include <numeric>

#include "editor/view/folding.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

// From the top, those that touch or overlap as one.
QVector<LineSpan> joined(QVector<LineSpan> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const LineSpan& a, const LineSpan& b) { return a.first < b.first; });
  QVector<LineSpan> together;
  for (const LineSpan& span : spans) {
    if (!together.isEmpty() && span.first <= together.back().last + 1) {
      together.back().last = std::max(together.back().last, span.last);
    } else {
      together += span;
    }
  }
  return together;
}

// From the first place to the last, none over another, all in a text of so many bytes.
[[maybe_unused]] bool areInOrder(const QVector<TextEdit>& edits, qint64 length) {
  qint64 behind = 0;
  for (const TextEdit& edit : edits) {
    if (edit.start < behind || edit.end < edit.start || edit.end > length) return false;
    behind = edit.end;
  }
  return true;
}

}  // namespace

QVector<Selection> selectionsOf(const TextView& editor) {
  QVector<Selection> selections;
  for (long i = 0; i < editor.sci(Sci::SCI_GETSELECTIONS); ++i) {
    selections.append({editor.sci(Sci::SCI_GETSELECTIONNANCHOR, word(i)),
                       editor.sci(Sci::SCI_GETSELECTIONNCARET, word(i))});
  }
  return selections;
}

qsizetype mainSelection(const TextView& editor) { return editor.sci(Sci::SCI_GETMAINSELECTION); }

void setSelections(TextView* editor, const QVector<Selection>& selections, qsizetype main) {
  QVector<Selection> set;
  qsizetype newMain = 0;
  for (qsizetype i = 0; i < selections.size(); ++i) {
    if (!set.contains(selections[i])) set.append(selections[i]);
    if (i == main) newMain = set.indexOf(selections[i]);
  }
  editor->sci(Sci::SCI_SETSELECTION, word(set[0].caret), static_cast<long>(set[0].anchor));
  for (qsizetype i = 1; i < set.size(); ++i)
    editor->sci(Sci::SCI_ADDSELECTION, word(set[i].caret), static_cast<long>(set[i].anchor));
  editor->sci(Sci::SCI_SETMAINSELECTION, word(newMain));
  editor->sci(Sci::SCI_SCROLLCARET);
  editor->sci(Sci::SCI_CHOOSECARETX);
}

bool hasVirtualSpace(const TextView& editor) {
  for (long i = 0; i < editor.sci(Sci::SCI_GETSELECTIONS); ++i) {
    if (editor.sci(Sci::SCI_GETSELECTIONNCARETVIRTUALSPACE, word(i)) != 0 ||
        editor.sci(Sci::SCI_GETSELECTIONNANCHORVIRTUALSPACE, word(i)) != 0)
      return true;
  }
  return false;
}

LineSpan linesOf(const TextView& editor, const Selection& selection) {
  const int first = editor.lineAt(selection.start());
  const int last = editor.lineAt(selection.end());
  Q_ASSERT(first <= last);
  const bool leavesOut = last > first && editor.lineStart(last) == selection.end();
  return {first, leavesOut ? last - 1 : last};
}

QVector<LineSpan> selectedSpans(const TextView& editor) {
  QVector<LineSpan> spans;
  for (const Selection& selection : selectionsOf(editor)) spans += linesOf(editor, selection);
  return joined(spans);
}

QVector<LineSpan> wholeSpans(const TextView& editor) {
  QVector<LineSpan> spans = selectedSpans(editor);
  for (LineSpan& span : spans) span.last = editor.folding()->foldedEnd(span.last);
  return joined(spans);
}

bool applyAtCarets(TextView* editor, const QVector<CaretEdit>& edits) {
  Q_ASSERT(edits.size() == selectionsOf(*editor).size());
  QVector<qsizetype> order(edits.size());
  std::iota(order.begin(), order.end(), 0);
  const auto place = [&edits](qsizetype i) {
    return edits[i].edits.isEmpty() ? edits[i].after.start() : edits[i].edits.front().start;
  };
  std::sort(order.begin(), order.end(),
            [&place](qsizetype a, qsizetype b) { return place(a) < place(b); });
  QVector<TextEdit> all;
  QVector<Selection> selections(edits.size());
  qint64 shift = 0;
  for (const qsizetype i : order) {
    const Selection& after = edits[i].after;
    selections[i] = {after.anchor + shift, after.caret + shift};
    for (const TextEdit& edit : edits[i].edits) {
      if (!all.isEmpty() && edit.start < all.back().end) return false;
      all += edit;
      shift += edit.text.size() - (edit.end - edit.start);
    }
  }
  applyAsStep(editor, all, selections, mainSelection(*editor));
  return true;
}

qint64 placeAfter(const QVector<TextEdit>& edits, qint64 place, bool isBehind) {
  Q_ASSERT(place >= 0);
  qint64 shift = 0;
  for (const TextEdit& edit : edits) {
    const bool isInsertedHere = edit.start == place && edit.end == place;
    if (edit.start > place || (isInsertedHere && !isBehind)) break;
    if (edit.end > place)
      return edit.start + shift + std::min<qint64>(place - edit.start, edit.text.size());
    shift += edit.text.size() - (edit.end - edit.start);
  }
  return place + shift;
}

void applyAsStep(TextView* editor, const QVector<TextEdit>& edits,
                 const QVector<Selection>& selections, qsizetype main) {
  Q_ASSERT(areInOrder(edits, editor->length()));
  editor->sci(Sci::SCI_BEGINUNDOACTION);
  // From the last one, so that earlier offsets stay as they are.
  for (auto edit = edits.crbegin(); edit != edits.crend(); ++edit) {
    editor->sci(Sci::SCI_SETTARGETRANGE, word(edit->start), static_cast<long>(edit->end));
    editor->SendScintilla(Sci::SCI_REPLACETARGET, static_cast<uintptr_t>(edit->text.size()),
                          edit->text.constData());
  }
  editor->sci(Sci::SCI_ENDUNDOACTION);
  setSelections(editor, selections, main);
  editor->flushEdits();
}

void applyAroundSelections(TextView* editor, const QVector<TextEdit>& edits) {
  QVector<Selection> selections = selectionsOf(*editor);
  for (Selection& selection : selections) {
    const bool isForward = selection.anchor < selection.caret;
    const bool isEmpty = selection.isEmpty();
    selection = {placeAfter(edits, selection.anchor, isEmpty || !isForward),
                 placeAfter(edits, selection.caret, isEmpty || isForward)};
  }
  applyAsStep(editor, edits, selections, mainSelection(*editor));
}

}  // namespace waferpair::editor
