// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/keys/line_clipboard.h"

#include <QClipboard>
#include <QDataStream>
#include <QGuiApplication>
#include <QMimeData>
#include <algorithm>
#include <numeric>

#include "editor/text/line_ends.h"
#include "editor/text/text_codec.h"
#include "editor/view/clip_data.h"
#include "editor/view/selections.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr char kMark[] = "application/x-waferpair-lines";
// Holds what each of several selections was.
constexpr char kPieces[] = "application/x-waferpair-pieces";

QVector<qint64> caretsOf(const TextView& editor) {
  QVector<qint64> carets;
  for (const Selection& selection : selectionsOf(editor)) carets.append(selection.caret);
  return carets;
}

// Returns the lines of the carets, each once, from the top.
QVector<int> linesOf(const TextView& editor, const QVector<qint64>& carets) {
  QVector<int> lines;
  for (const qint64 caret : carets) lines.append(editor.lineAt(caret));
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

// Sets carets without a selection; the one at `main` is the main one.
void setCarets(TextView* editor, const QVector<qint64>& carets, qsizetype main) {
  QVector<Selection> selections;
  for (const qint64 caret : carets) selections.append({caret, caret});
  setSelections(editor, selections, main);
}

// Without their ends.
QByteArrayList clippedLines(const QByteArray& text) {
  QByteArray utf8 = withLf(text);
  if (utf8.endsWith('\n')) utf8.chop(1);
  return utf8.split('\n');
}

}  // namespace

bool copyLines(const TextView& editor) {
  if (editor.hasSelection()) return false;
  QByteArray text;
  for (const int line : linesOf(editor, caretsOf(editor)))
    text += editor.lineText(line) + editor.lineEndBytes();
  QMimeData* data = clipOf(text);
  data->setData(QLatin1String(kMark), QByteArray());
  QGuiApplication::clipboard()->setMimeData(data);
  return true;
}

bool cutLines(TextView* editor) {
  if (!copyLines(*editor)) return false;
  if (editor->sci(Sci::SCI_GETREADONLY) != 0) return true;
  QVector<qint64> carets = caretsOf(*editor);
  const QVector<int> lines = linesOf(*editor, carets);
  editor->sci(Sci::SCI_BEGINUNDOACTION);
  // Lines are removed from the last one up, so that earlier offsets stay as they are.
  for (auto line = lines.crbegin(); line != lines.crend(); ++line) {
    // The last line has no end of its own: the one before it goes along.
    const bool last = *line + 1 == editor->lineCount();
    const qint64 start = last && *line > 0 ? editor->lineEnd(*line - 1) : editor->lineStart(*line);
    const qint64 end = editor->lineStart(*line + 1);
    editor->sci(Sci::SCI_DELETERANGE, word(start), static_cast<long>(end - start));
    for (qint64& caret : carets)
      if (caret >= start) caret = caret < end || last ? start : caret - (end - start);
  }
  editor->sci(Sci::SCI_ENDUNDOACTION);
  setCarets(editor, carets, mainSelection(*editor));
  return true;
}

bool pasteLines(TextView* editor) {
  const QMimeData* data = QGuiApplication::clipboard()->mimeData();
  if (data == nullptr || !data->hasFormat(QLatin1String(kMark)) || !data->hasText() ||
      editor->hasSelection() || editor->sci(Sci::SCI_GETREADONLY) != 0)
    return false;
  QByteArrayList clipped = clippedLines(clippedText(*data));
  for (QByteArray& line : clipped) line += editor->lineEndBytes();
  QVector<qint64> carets = caretsOf(*editor);
  const QVector<int> lines = linesOf(*editor, carets);
  const bool oneEach = lines.size() > 1 && lines.size() == clipped.size();
  QByteArray all;
  for (const QByteArray& line : clipped) all += line;
  editor->sci(Sci::SCI_BEGINUNDOACTION);
  for (qsizetype i = lines.size() - 1; i >= 0; --i) {
    const QByteArray& text = oneEach ? clipped[i] : all;
    const qint64 start = editor->lineStart(lines[i]);
    editor->sci(Sci::SCI_SETTARGETRANGE, word(start), static_cast<long>(start));
    editor->SendScintilla(Sci::SCI_REPLACETARGET, static_cast<uintptr_t>(text.size()),
                          text.constData());
    for (qint64& caret : carets)
      if (caret >= start) caret += text.size();
  }
  editor->sci(Sci::SCI_ENDUNDOACTION);
  setCarets(editor, carets, mainSelection(*editor));
  return true;
}

bool copySelections(const TextView& editor) {
  if (editor.hasOneCaret() || editor.sci(Sci::SCI_SELECTIONISRECTANGLE) != 0) return false;
  QVector<Selection> selections = selectionsOf(editor);
  std::sort(selections.begin(), selections.end(),
            [](const Selection& a, const Selection& b) { return a.start() < b.start(); });
  QByteArrayList pieces;
  for (const Selection& selection : selections) {
    if (!selection.isEmpty()) pieces += editor.textRange(selection.start(), selection.end());
  }
  if (pieces.isEmpty()) return false;
  QMimeData* data = clipOf(pieces.join(editor.lineEndBytes()));
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream << pieces;
  data->setData(QLatin1String(kPieces), bytes);
  QGuiApplication::clipboard()->setMimeData(data);
  return true;
}

bool pasteOneEach(TextView* editor) {
  const QMimeData* data = QGuiApplication::clipboard()->mimeData();
  if (data == nullptr || !data->hasText() || editor->hasOneCaret() || hasVirtualSpace(*editor) ||
      editor->sci(Sci::SCI_GETREADONLY) != 0)
    return false;
  QByteArrayList pieces = clippedLines(clippedText(*data));
  if (const QByteArray marked = data->data(QLatin1String(kPieces)); !marked.isEmpty()) {
    QDataStream stream(marked);
    stream >> pieces;
    if (stream.status() != QDataStream::Ok) return false;
  }
  const QVector<Selection> selections = selectionsOf(*editor);
  if (pieces.size() != selections.size()) return false;
  QVector<qsizetype> order(selections.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&selections](qsizetype a, qsizetype b) {
    return selections[a].start() < selections[b].start();
  });
  QVector<CaretEdit> edits(selections.size());
  for (qsizetype i = 0; i < pieces.size(); ++i) {
    const Selection& selection = selections[order[i]];
    const QByteArray text = withLineEnds(pieces[i], editor->lineEnds());
    const qint64 end = selection.start() + text.size();
    edits[order[i]] = {{{selection.start(), selection.end(), text}}, {end, end}};
  }
  return applyAtCarets(editor, edits);
}

}  // namespace waferpair::editor
