// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/hunk_reveal.h"

#include <QEvent>
#include <algorithm>

#include "editor/assist/hunks.h"
#include "editor/view/word.h"
#include "gui/documents/document.h"

namespace waferpair::gui {
namespace {

using editor::CodeEditor;
using editor::Hunk;
using editor::word;
using Sci = QsciScintillaBase;

constexpr long kPartAround = 3;  // one of so many parts of the page, above and below

// Rows of the view, counted from the text's first.
struct Rows {
  long first = 0;
  long end = 0;
};

// What a change would put in is drawn in rows below the line that it ends in, or above that line if
// it begins there.
Rows rowsOf(const CodeEditor& editor, const Hunk& hunk) {
  const auto rowOf = [&](int line) { return editor.sci(Sci::SCI_VISIBLEFROMDOCLINE, word(line)); };
  const qint64 start = hunk.range.start();
  const int first = editor.lineAt(start);
  const int last = editor.lineAt(std::max(start, hunk.range.end() - 1));
  if (hunk.isInsertion() && first > 0 && start == editor.lineStart(first)) {
    const long rows = editor.sci(Sci::SCI_ANNOTATIONGETLINES, word(first - 1));
    return {rowOf(first) - rows, rowOf(first)};
  }
  return {rowOf(first), rowOf(last + 1)};
}

Rows page(const CodeEditor& editor) {
  const long top = editor.sci(Sci::SCI_GETFIRSTVISIBLELINE);
  return {top, top + editor.sci(Sci::SCI_LINESONSCREEN)};
}

}  // namespace

HunkReveal* HunkReveal::of(Document* document) {
  auto* reveal = document->findChild<HunkReveal*>({}, Qt::FindDirectChildrenOnly);
  return reveal ? reveal : new HunkReveal(document);
}

HunkReveal::HunkReveal(Document* document) : QObject(document), document_(document) {
  connect(document->hunks(), &editor::Hunks::changed, this, &HunkReveal::scrollSoon);
  connect(document->editor(), &CodeEditor::documentReset, this, [this] { start_ = -1; });
  document->editor()->viewport()->installEventFilter(this);
}

bool HunkReveal::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) scrollSoon();
  if (event->type() == QEvent::Wheel || event->type() == QEvent::MouseButtonPress) start_ = -1;
  return QObject::eventFilter(watched, event);
}

void HunkReveal::show(qsizetype hunk) {
  const auto& hunks = document_->hunks()->hunks();
  if (hunk < 0 || hunk >= hunks.size()) return;
  start_ = hunks[hunk].range.start();
  scrolledTo_ = -1;
  scrollSoon();
}

void HunkReveal::showUnlessAny(qsizetype hunk) {
  const CodeEditor& editor = *document_->editor();
  const Rows seen = page(editor);
  for (const Hunk& each : document_->hunks()->hunks()) {
    if (each.state != editor::HunkState::kOffered || each.range.end() > editor.length()) continue;
    const Rows rows = rowsOf(editor, each);
    if (rows.first < seen.end && rows.end > seen.first) return;
  }
  show(hunk);
}

void HunkReveal::bringIn(Document* document, const Hunk& hunk) {
  CodeEditor* editor = document->editor();
  editor->sci(Sci::SCI_ENSUREVISIBLE, word(editor->lineAt(hunk.range.start())));
  const Rows seen = page(*editor);
  const long row = rowsOf(*editor, hunk).first;
  if (row >= seen.first && row < seen.end) return;
  const long around = (seen.end - seen.first) / kPartAround;
  editor->sci(Sci::SCI_SETFIRSTVISIBLELINE, word(std::max(0L, row - around)));
}

// The rows of a change, and the view's size, are known once the event that changes them is over.
void HunkReveal::scrollSoon() {
  if (posted_ || start_ < 0) return;
  posted_ = true;
  QMetaObject::invokeMethod(this, &HunkReveal::scroll, Qt::QueuedConnection);
}

void HunkReveal::scroll() {
  posted_ = false;
  CodeEditor* editor = document_->editor();
  const auto& hunks = document_->hunks()->hunks();
  const auto hunk = std::find_if(hunks.begin(), hunks.end(), [&](const Hunk& each) {
    return each.state == editor::HunkState::kOffered && each.range.start() == start_;
  });
  const Rows seen = page(*editor);
  const bool hasUserScrolled = scrolledTo_ >= 0 && scrolledTo_ != seen.first;
  if (hunk == hunks.end() || hunk->range.end() > editor->length() || hasUserScrolled) {
    start_ = -1;
    return;
  }
  for (const qint64 at : {hunk->range.start(), hunk->range.end()})
    editor->sci(Sci::SCI_ENSUREVISIBLE, word(editor->lineAt(at)));
  const Rows rows = rowsOf(*editor, *hunk);
  const long height = seen.end - seen.first;
  const long around = std::clamp((height - (rows.end - rows.first)) / 2, 0L, height / kPartAround);
  long top = seen.first;
  // Of one that is taller than the page the beginning is shown.
  top = std::max(top, rows.end + around - height);
  top = std::min(top, rows.first - around);
  editor->sci(Sci::SCI_SETFIRSTVISIBLELINE, word(std::max(0L, top)));
  scrolledTo_ = editor->sci(Sci::SCI_GETFIRSTVISIBLELINE);
}

}  // namespace waferpair::gui
