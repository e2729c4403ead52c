// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/keys/cluster_keys.h"

#include <algorithm>

#include "editor/text/clusters.h"
#include "editor/view/selections.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

// Bytes of a long line that are looked at either side of a place: no cluster in use is longer.
constexpr qint64 kLongestCluster = 256;

struct Surroundings {
  qint64 start = 0;
  QByteArray text;
};

Surroundings around(const TextView& editor, qint64 at) {
  const int line = editor.lineAt(at);
  const auto atCharacter = [&editor](qint64 place) {
    return static_cast<qint64>(editor.sci(Sci::SCI_POSITIONBEFORE, word(place + 1)));
  };
  const qint64 start = std::max(editor.lineStart(line), atCharacter(at - kLongestCluster));
  const qint64 end = std::min(editor.lineEnd(line), atCharacter(at + kLongestCluster));
  return {start, editor.textRange(start, end)};
}

bool isAscii(const TextView& editor, qint64 at) {
  return at < 0 || at >= editor.length() || (editor.sci(Sci::SCI_GETCHARAT, word(at)) & 0x80) == 0;
}

bool isWithinCluster(const TextView& editor, qint64 at) {
  if (isAscii(editor, at)) return false;  // what goes on a cluster is beyond ASCII
  const auto [start, text] = around(editor, at);
  return !isClusterEdge(text, at - start);
}

}  // namespace

qint64 clusterBefore(const TextView& editor, qint64 at) {
  const long plain = editor.sci(Sci::SCI_POSITIONBEFORE, word(at));
  if (isAscii(editor, at - 1)) return plain;
  const auto [start, text] = around(editor, at);
  Q_ASSERT(start <= at);
  return at > start ? start + clusterEdgeBefore(text, at - start) : plain;
}

qint64 clusterBehind(const TextView& editor, qint64 at) {
  const long plain = editor.sci(Sci::SCI_POSITIONAFTER, word(at));
  if (isAscii(editor, plain)) return plain;
  const auto [start, text] = around(editor, at);
  return at < start + text.size() ? start + clusterEdgeBehind(text, at - start) : plain;
}

void leaveClusters(TextView* editor, bool forward) {
  if (editor->sci(Sci::SCI_SELECTIONISRECTANGLE) != 0) return;
  const QVector<Selection> selections = selectionsOf(*editor);
  bool any = false;
  for (qsizetype i = 0; i < selections.size(); ++i) {
    const Selection& selection = selections[i];
    if (!isWithinCluster(*editor, selection.caret)) continue;
    any = true;
    const qint64 to =
        forward ? clusterBehind(*editor, selection.caret) : clusterBefore(*editor, selection.caret);
    if (selection.isEmpty())
      editor->sci(Sci::SCI_SETSELECTIONNANCHOR, word(i), static_cast<long>(to));
    editor->sci(Sci::SCI_SETSELECTIONNCARET, word(i), static_cast<long>(to));
  }
  if (any) editor->sci(Sci::SCI_SCROLLCARET);
}

bool deleteClusters(TextView* editor, bool forward) {
  if (hasVirtualSpace(*editor) || editor->sci(Sci::SCI_SELECTIONISRECTANGLE) != 0) return false;
  QVector<CaretEdit> edits;
  bool any = false;
  for (const Selection& selection : selectionsOf(*editor)) {
    qint64 start = selection.start();
    qint64 end = selection.end();
    if (selection.isEmpty() && forward) {
      end = clusterBehind(*editor, start);
      any = any || end != editor->sci(Sci::SCI_POSITIONAFTER, word(start));
    } else if (selection.isEmpty()) {
      start = clusterBefore(*editor, end);
      any = any || start != editor->sci(Sci::SCI_POSITIONBEFORE, word(end));
    }
    edits += CaretEdit{{{start, end, {}}}, {start, start}};
  }
  return any && applyAtCarets(editor, edits);
}

}  // namespace waferpair::editor
