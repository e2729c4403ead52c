// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/layers/bookmarks.h"

#include <algorithm>

#include "editor/view/announce.h"
#include "editor/view/selections.h"
#include "editor/view/text_view.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr double kBookmarkMarginPart = 0.75;  // of a line's height, while there is one

}  // namespace

Bookmarks::Bookmarks(TextView* editor) : QObject(editor), editor_(editor) {
  editor->sci(Sci::SCI_SETMARGINTYPEN, kBookmarkMargin, Sci::SC_MARGIN_SYMBOL);
  editor->sci(Sci::SCI_SETMARGINMASKN, kBookmarkMargin, 1L << kBookmarkMarker);
  editor->sci(Sci::SCI_MARKERDEFINE, kBookmarkMarker, Sci::SC_MARK_BOOKMARK);
  // The margin is as wide as a line is high, and marks go with the text that they were in.
  for (const auto signal : {&TextView::themeChanged, &TextView::documentReset})
    connect(editor, signal, this, &Bookmarks::applyLook);
  connect(editor, &TextView::zoomChanged, this, &Bookmarks::applyLook);
  connect(this, &Bookmarks::changed, this, &Bookmarks::applyLook);
  applyLook();
}

void Bookmarks::applyLook() {
  editor_->SendScintilla(Sci::SCI_MARKERSETFORE, kBookmarkMarker, editor_->colors().bookmark);
  editor_->SendScintilla(Sci::SCI_MARKERSETBACK, kBookmarkMarker, editor_->colors().bookmark);
  const auto height = static_cast<double>(editor_->sci(Sci::SCI_TEXTHEIGHT, 0));
  const bool any = editor_->sci(Sci::SCI_MARKERNEXT, 0, 1L << kBookmarkMarker) >= 0;
  editor_->sci(Sci::SCI_SETMARGINWIDTHN, kBookmarkMargin,
               any ? static_cast<long>(height * kBookmarkMarginPart) : 0);
}

bool Bookmarks::isSet(int line) const {
  return (editor_->sci(Sci::SCI_MARKERGET, word(line)) & (1L << kBookmarkMarker)) != 0;
}

QVector<int> Bookmarks::lines() const {
  QVector<int> lines;
  for (long line = editor_->sci(Sci::SCI_MARKERNEXT, 0, 1L << kBookmarkMarker); line >= 0;
       line = editor_->sci(Sci::SCI_MARKERNEXT, word(line + 1), 1L << kBookmarkMarker))
    lines += static_cast<int>(line);
  return lines;
}

void Bookmarks::setLines(const QVector<int>& lines) {
  editor_->sci(Sci::SCI_MARKERDELETEALL, kBookmarkMarker);
  for (const int line : lines) {
    if (line >= 0 && line < editor_->lineCount())
      editor_->sci(Sci::SCI_MARKERADD, word(line), kBookmarkMarker);
  }
  Q_EMIT changed();
}

bool Bookmarks::toggle() {
  QVector<int> lines;
  for (const Selection& selection : selectionsOf(*editor_)) {
    const int line = editor_->lineAt(selection.caret);
    if (!lines.contains(line)) lines += line;
  }
  const bool all =
      std::all_of(lines.begin(), lines.end(), [this](int line) { return isSet(line); });
  for (const int line : lines) {
    editor_->sci(Sci::SCI_MARKERDELETE, word(line), kBookmarkMarker);
    if (!all) editor_->sci(Sci::SCI_MARKERADD, word(line), kBookmarkMarker);
  }
  Q_EMIT changed();
  const QString line = QString::number(editor_->caretLine() + 1);
  announce(editor_, all ? tr("Line %1 has no bookmark.").arg(line)
                        : tr("Line %1 has a bookmark.").arg(line));
  return true;
}

bool Bookmarks::go(int direction) {
  const QVector<int> all = lines();
  if (all.isEmpty()) return false;
  const int from = editor_->caretLine();
  int to = direction > 0 ? all.front() : all.back();
  if (direction > 0) {
    const auto next = std::upper_bound(all.begin(), all.end(), from);
    if (next != all.end()) to = *next;
  } else {
    const auto before = std::lower_bound(all.begin(), all.end(), from);
    if (before != all.begin()) to = *std::prev(before);
  }
  editor_->goToLine(to);
  return true;
}

bool Bookmarks::clear() {
  if (lines().isEmpty()) return false;
  setLines({});
  return true;
}

}  // namespace waferpair::editor
