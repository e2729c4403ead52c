// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/ghost/ghost_text.h"

#include <algorithm>
#include <utility>

#include "editor/ghost/ghost_announcer.h"
#include "editor/ghost/ghost_painter.h"
#include "editor/keys/auto_pairs.h"
#include "editor/text/word_byte.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr int kLingerMs = 150;

bool isLineEnd(char c) { return c == '\n' || c == '\r'; }

// LF, CR and CRLF each end one row, as they do in the document.
int lineEndCount(const QByteArray& text) {
  int count = 0;
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && i > 0 && text[i - 1] == '\r') continue;
    if (isLineEnd(text[i])) ++count;
  }
  return count;
}

qsizetype skipLineEnd(const QByteArray& text, qsizetype at) {
  if (at < text.size() && text[at] == '\r') ++at;
  if (at < text.size() && text[at] == '\n') ++at;
  return at;
}

qsizetype lineLength(const QByteArray& text, qsizetype from) {
  while (from < text.size() && !isLineEnd(text[from])) ++from;
  return from;
}

// Bytes of the first word with the blanks (or line end and indentation) before it.
qsizetype wordLength(const QByteArray& text) {
  qsizetype at = 0;
  while (at < text.size() && (isBlankByte(text[at]) || isLineEnd(text[at]))) ++at;
  if (at == text.size()) return at;
  const bool word = isWordByte(text[at]);
  while (at < text.size() && !isBlankByte(text[at]) && !isLineEnd(text[at]) &&
         isWordByte(text[at]) == word)
    ++at;
  return at;
}

}  // namespace

GhostText::GhostText(TextView* editor, const AutoPairs* pairs)
    : QObject(editor),
      editor_(editor),
      pairs_(pairs),
      announcer_(new GhostAnnouncer(editor, this)) {
  linger_.setSingleShot(true);
  linger_.setInterval(kLingerMs);
  connect(&linger_, &QTimer::timeout, this, [this] {
    shown_ ? setSpacer(editor_->lineAt(position()), lineEndCount(remaining())) : removeSpacer();
  });
}

bool GhostText::show(qint64 origin, const QByteArray& utf8) {
  editor_->flushEdits();
  const qint64 caret = editor_->caret();
  const bool possible = !utf8.isEmpty() && origin <= caret && origin >= 0 &&
                        !editor_->hasSelection() && editor_->hasOneCaret();
  const QByteArray typed = possible ? editor_->textRange(origin, caret) : QByteArray();
  if (!possible || !utf8.startsWith(typed)) {
    clear();
    return false;
  }
  typed_ = TypedSince(origin, editor_->lineStart(editor_->lineAt(origin)), typed);
  text_ = utf8;
  active_ = true;
  broken_ = false;
  paintReported_ = false;
  note_.clear();
  settle();
  if (shown_) Q_EMIT appeared();
  return shown_;
}

void GhostText::append(const QByteArray& utf8) {
  if (!active_ || broken_ || utf8.isEmpty()) return;
  text_.append(utf8);
  if (!typed_.agreesWith(text_)) broken_ = true;
  settle();
}

void GhostText::clear() {
  hide();
  linger_.stop();
  removeSpacer();
}

// All but the blank rows.
void GhostText::hide() {
  if (!active_) return;
  active_ = false;
  shown_ = false;
  updateChangedRows();
  broken_ = false;
  text_.clear();
  note_.clear();
  Q_EMIT cleared();
}

void GhostText::dismiss() {
  if (!active_) return;
  clear();
  Q_EMIT dismissed();
}

bool GhostText::acceptAll() {
  return accept([](const QByteArray& rest) { return rest.size(); });
}

bool GhostText::acceptWord() { return accept(wordLength); }

bool GhostText::acceptLine() {
  return accept([](const QByteArray& rest) {
    const qsizetype from = !rest.isEmpty() && isLineEnd(rest[0]) ? skipLineEnd(rest, 0) : 0;
    return lineLength(rest, from);
  });
}

bool GhostText::accept(qsizetype (*bytesOf)(const QByteArray& rest)) {
  // The caret may have gone elsewhere, or the text have changed, and nobody told us yet.
  editor_->flushEdits();
  if (!shown_) return false;
  const QByteArray rest = remaining();
  const QByteArray text = rest.left(bytesOf(rest));
  Q_ASSERT(active_ && editor_->caret() == position() && !text.isEmpty());
  const qsizetype taken = pairs_->takenBy(typed(), text);
  editor_->sci(Sci::SCI_BEGINUNDOACTION);
  editor_->SendScintilla(Sci::SCI_ADDTEXT, static_cast<uintptr_t>(text.size()), text.constData());
  if (taken > 0)
    editor_->sci(Sci::SCI_DELETERANGE, word(editor_->caret()), static_cast<long>(taken));
  editor_->sci(Sci::SCI_ENDUNDOACTION);
  editor_->sci(Sci::SCI_SCROLLCARET);
  // The edit comes back through textEdited() like any typing, and shortens the ghost.
  editor_->flushEdits();
  Q_EMIT accepted(text);
  return true;
}

void GhostText::textEdited(const TextEdit& edit, int line, int linesAdded) {
  if (spacerLow_ >= 0 && linesAdded != 0) {
    // The exact place of an annotation after lines split or join depends on Scintilla: keep a range
    // that surely holds it.
    if (line <= spacerHigh_) {
      spacerLow_ = std::max(0, std::min(spacerLow_, spacerLow_ + linesAdded));
      spacerHigh_ = std::max(spacerHigh_, spacerHigh_ + linesAdded);
    }
  }
  if (!active_ || broken_) return;
  broken_ = !typed_.follow(edit) || !typed_.agreesWith(text_);
}

void GhostText::settle() {
  if (!active_) {
    // Rows that linger stay only below the caret's line, unsplit.
    if (spacerLow_ >= 0 && (spacerLow_ != spacerHigh_ || editor_->caretLine() != spacerLow_)) {
      linger_.stop();
      removeSpacer();
    }
    return;
  }
  const bool away =
      editor_->caret() != position() || editor_->hasSelection() || !editor_->hasOneCaret();
  if (broken_) {
    hide();
    if (spacerLow_ >= 0) linger_.start();
    settle();
    return;
  }
  if (away) {
    clear();
    return;
  }
  const QByteArray rest = remaining();
  shown_ = !rest.isEmpty();
  if (!shown_) {
    updateChangedRows();
    removeSpacer();
  } else {
    setSpacer(editor_->lineAt(position()), lineEndCount(rest));
    scrollIntoView();
    updateChangedRows();
  }
  Q_EMIT changed();
}

void GhostText::setNamesKey(bool on) {
  if (on == std::exchange(namesKey_, on) || !shown_) return;
  updateChangedRows();
}

QString GhostText::namedKey() const { return namesKey_ ? keyName_() : QString(); }

void GhostText::setNote(const QString& note) {
  if (!shown_ || note == note_) return;
  note_ = note;
  editor_->viewport()->update(GhostPainter(*editor_, position()).textRows(0, 1));
  announcer_->announceSoon();
}

QString GhostText::chip() const {
  const QString key = namedKey();
  return key.isEmpty() || note_.isEmpty() ? key + note_ : key + QStringLiteral("  ") + note_;
}

// Repaints the rows that changed and that Scintilla does not paint again by itself. A key usually
// changes one row.
void GhostText::updateChangedRows() {
  const QStringList rows = shown_ ? GhostPainter::rowsOf(remaining()) : QStringList();
  if (rows.isEmpty() && shownRows_.isEmpty()) return;
  const qint64 at = std::min(position(), editor_->length());
  const GhostPainter painter(*editor_, at);
  const auto before = static_cast<int>(shownRows_.size());
  const auto now = static_cast<int>(rows.size());
  const int most = std::max(before, now);
  const QRect whole = painter.area(most);
  if (whole.y() != shownY_ || editor_->wordWrap()) {
    editor_->viewport()->update(whole);
  } else {
    // The last row has the line's tail behind it, which may change by itself.
    for (int i = 0; i < most; ++i) {
      const bool same = i > 0 && i < before - 1 && i < now - 1 && rows[i] == shownRows_[i];
      if (!same) editor_->viewport()->update(painter.textRows(i, 1));
    }
  }
  shownY_ = whole.y();
  shownRows_ = rows;
}

QRect GhostText::blankRows() const {
  if (spacerRows_ == 0 || spacerLow_ != spacerHigh_ || editor_->wordWrap()) return {};
  QRect area = GhostPainter(*editor_, editor_->lineEnd(spacerLow_)).textRows(1, spacerRows_);
  area.setRight(editor_->viewport()->width() - 1);
  return area;
}

void GhostText::setSpacer(int line, int rows) {
  const auto number = static_cast<unsigned long>(line);
  const bool here = spacerLow_ == line && spacerHigh_ == line;
  if (here && (spacerRows_ == rows || (spacerRows_ > rows && linger_.isActive()))) return;
  if (!here) removeSpacer();
  Q_ASSERT(rows >= 0 && line < editor_->lineCount());
  spacerRows_ = rows;
  if (rows == 0) {
    removeSpacer();
    return;
  }
  QByteArray blank(rows * 2 - 1, ' ');
  for (int i = 1; i < blank.size(); i += 2) blank[i] = '\n';
  editor_->SendScintilla(Sci::SCI_ANNOTATIONSETTEXT, number, blank.constData());
  editor_->sci(Sci::SCI_ANNOTATIONSETSTYLE, number, 0);
  spacerLow_ = spacerHigh_ = line;
}

void GhostText::removeSpacer() {
  spacerRows_ = 0;
  if (spacerLow_ < 0) return;
  Q_ASSERT(spacerLow_ <= spacerHigh_);
  const int last = std::min(spacerHigh_ + 1, editor_->lineCount() - 1);
  for (int line = std::max(0, spacerLow_ - 1); line <= last; ++line) {
    const auto number = static_cast<unsigned long>(line);
    // Rows in a style of their own are not the ghost's: see decorations.h.
    if (editor_->sci(Sci::SCI_ANNOTATIONGETLINES, number) > 0 &&
        editor_->sci(Sci::SCI_ANNOTATIONGETSTYLE, number) == 0)
      editor_->SendScintilla(Sci::SCI_ANNOTATIONSETTEXT, number, static_cast<const char*>(nullptr));
  }
  spacerLow_ = spacerHigh_ = -1;
}

// A ghost below the bottom edge would be no help; but its caret must stay in view.
void GhostText::scrollIntoView() {
  if (spacerRows_ == 0) return;
  const long onScreen = editor_->sci(Sci::SCI_LINESONSCREEN);
  const long height = editor_->sci(Sci::SCI_TEXTHEIGHT);
  const long y = editor_->sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(position()));
  if (height <= 0 || y < 0) return;
  const long row = y / height;
  const long below = row + spacerRows_ - (onScreen - 1);
  const long scroll = std::min(below, row);
  if (row < onScreen && scroll > 0) editor_->sci(Sci::SCI_LINESCROLL, 0, scroll);
}

void GhostText::paint(QPainter& painter, const QRegion& dirty) {
  if (!shown_) return;
  const GhostPainter ghost(*editor_, position());
  if (!dirty.intersects(ghost.area(rows()))) return;
  const QByteArray rest = remaining();
  ghost.paint(painter, rest, pairs_->takenBy(typed(), rest), chip(), dirty);
  isPainted_ = true;
}

void GhostText::afterPaint() {
  if (!std::exchange(isPainted_, false) || !shown_ || paintReported_) return;
  paintReported_ = true;
  Q_EMIT painted();
}

}  // namespace waferpair::editor
