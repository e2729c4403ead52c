// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/keys/type_over.h"

#include <algorithm>
#include <utility>

#include "editor/view/selections.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

void typeOver(TextView* editor, qint64 start, qint64 end, const QByteArray& text,
              const QVector<TextEdit>& also) {
  using Sci = QsciScintillaBase;
  editor->flushEdits();
  Q_ASSERT(0 <= start && start <= end && end <= editor->length());
  // From the end to the beginning, so that each finds its place as it was told.
  QVector<TextEdit> edits = also;
  std::stable_sort(edits.begin(), edits.end(),
                   [](const TextEdit& a, const TextEdit& b) { return a.start > b.start; });
  const auto apply = [editor](const TextEdit& edit) {
    if (edit.start < 0 || edit.start > edit.end || edit.end > editor->length()) return;
    editor->sci(Sci::SCI_SETTARGETRANGE, word(edit.start), static_cast<long>(edit.end));
    editor->SendScintilla(Sci::SCI_REPLACETARGET, static_cast<uintptr_t>(edit.text.size()),
                          edit.text.constData());
  };
  editor->sci(Sci::SCI_BEGINUNDOACTION);
  for (const TextEdit& edit : std::as_const(edits))
    if (edit.start > end) apply(edit);
  if (end > start) editor->sci(Sci::SCI_DELETERANGE, word(start), static_cast<long>(end - start));
  editor->sci(Sci::SCI_SETEMPTYSELECTION, word(start));
  editor->SendScintilla(Sci::SCI_ADDTEXT, static_cast<uintptr_t>(text.size()), text.constData());
  for (const TextEdit& edit : std::as_const(edits))
    if (edit.end < start || (edit.end == start && edit.start < start)) apply(edit);
  editor->sci(Sci::SCI_ENDUNDOACTION);
  editor->sci(Sci::SCI_SCROLLCARET);
  editor->flushEdits();
}

void typeOverAtCarets(TextView* editor, qint64 bytes, const QByteArray& text,
                      const QVector<TextEdit>& also) {
  Q_ASSERT(bytes >= 0);
  editor->flushEdits();
  QVector<Selection> carets = selectionsOf(*editor);
  const qsizetype main = mainSelection(*editor);
  const auto before = [editor, bytes](qint64 caret) {
    return caret < bytes ? QByteArray() : editor->textRange(caret - bytes, caret);
  };
  const QByteArray replaced = before(carets[main].caret);
  QVector<TextEdit> edits;
  for (const Selection& each : std::as_const(carets))
    if (each.caret >= bytes && before(each.caret) == replaced)
      edits.append({each.caret - bytes, each.caret, text});
  const QVector<TextEdit> own = edits;
  for (const TextEdit& edit : also) {
    const bool touches = std::any_of(own.cbegin(), own.cend(), [&edit](const TextEdit& each) {
      return edit.start <= each.end && each.start <= edit.end;
    });
    if (!touches && edit.start >= 0 && edit.start <= edit.end && edit.end <= editor->length())
      edits.append(edit);
  }
  std::sort(edits.begin(), edits.end(),
            [](const TextEdit& a, const TextEdit& b) { return a.start < b.start; });
  for (Selection& each : carets) {
    const qint64 caret = placeAfter(edits, each.caret, true);
    each = {caret, caret};
  }
  applyAsStep(editor, edits, carets, main);
}

}  // namespace waferpair::editor
