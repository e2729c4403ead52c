// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/decorations.h"

#include <QMap>
#include <QSet>
#include <algorithm>
#include <utility>

#include "editor/ghost/ghost_text.h"
#include "editor/text/quoted.h"
#include "editor/text/text_codec.h"
#include "editor/text/unseen.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"
#include "editor/widget/code_editor.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr int kMarginWidth = 4;   // pixels, while there is something to mark
constexpr long kInsertedRow = 1;  // of our styles; 0 is that of the ghost's blank rows
constexpr long kGrowingRow = 2;
constexpr long kOurStyles = 3;
constexpr qsizetype kMostDescribed = 80;  // bytes of a text

// Returns the text without its last line end, which a row does not have, and with LF between rows.
QByteArray rowsOf(QByteArray text) {
  text = withLf(std::move(text));
  if (text.endsWith('\n')) text.chop(1);
  // Scintilla has no boxes in rows between lines.
  const QString decoded = exactUtf8(text);
  return firstUnseen(decoded) < 0 ? text : shownForm(decoded).toUtf8();
}

QVector<Decoration> decorationsOf(const Hunk& hunk) {
  const qint64 start = hunk.range.start();
  const qint64 end = hunk.range.end();
  QVector<Decoration> decorations;
  if (start < end) decorations.append({Decoration::Kind::kRemoved, start, end, {}});
  if (!hunk.text.isEmpty())
    decorations.append({Decoration::Kind::kInserted, start, end, hunk.text});
  return decorations;
}

// Keeps a row of the text where it is in the view while rows come and go above it.
class SteadyRow {
 public:
  explicit SteadyRow(CodeEditor* editor) : editor_(editor) {
    const long top = editor->sci(Sci::SCI_GETFIRSTVISIBLELINE);
    const long row = rowOf(editor->caretLine());
    const bool isRead =
        editor->hasFocus() && row >= top && row < top + editor->sci(Sci::SCI_LINESONSCREEN);
    line_ = isRead ? editor->caretLine()
                   : static_cast<int>(editor->sci(Sci::SCI_DOCLINEFROMVISIBLE, word(top)));
    below_ = rowOf(line_) - top;
  }
  ~SteadyRow() {
    const long top = std::max(0L, rowOf(line_) - below_);
    if (top != editor_->sci(Sci::SCI_GETFIRSTVISIBLELINE))
      editor_->sci(Sci::SCI_SETFIRSTVISIBLELINE, word(top));
  }
  SteadyRow(const SteadyRow&) = delete;
  SteadyRow& operator=(const SteadyRow&) = delete;

 private:
  long rowOf(int line) const { return editor_->sci(Sci::SCI_VISIBLEFROMDOCLINE, word(line)); }

  CodeEditor* editor_;
  int line_ = 0;
  long below_ = 0;  // rows below the view's first
};

QString quoted(const QByteArray& text) { return quotedText(text, kMostDescribed); }

}  // namespace

Decorations::Decorations(CodeEditor* editor, QObject* parent) : QObject(parent), editor_(editor) {
  connect(editor, &CodeEditor::themeChanged, this, [this] {
    hasLook_ = false;
    if (hasTarget_) defineLook();
    draw();
  });
  // A ghost's rows came to a line that has rows of ours, or went from it.
  for (const auto signal : {&GhostText::changed, &GhostText::cleared}) {
    connect(editor->ghost(), signal, this, &Decorations::draw);
  }
}

Decorations::~Decorations() {
  show(nullptr);
  grow({});
  set({});
  clearTarget();
}

void Decorations::set(const QVector<Decoration>& decorations) {
  if (decorations.isEmpty() && decorations_.isEmpty()) return;
  if (areDrawn(decorations)) {
    decorations_ = decorations;
    return;
  }
  erase();
  decorations_ = decorations;
  showMargin();
  draw();
}

void Decorations::show(const Hunks* hunks) {
  if (hunks_ != nullptr) disconnect(hunks_, nullptr, this, nullptr);
  hunks_ = hunks;
  if (hunks_ != nullptr) connect(hunks_, &Hunks::changed, this, &Decorations::showChanged);
  showChanged();
}

void Decorations::showChanged() {
  QVector<Decoration> decorations;
  QStringList sentences;
  for (const Hunk& hunk : hunks_ != nullptr ? hunks_->hunks() : QVector<Hunk>()) {
    if (hunk.state != HunkState::kOffered) continue;
    if (hunk.range.end() > editor_->length()) continue;  // an edit is told, and not all of it yet
    decorations += decorationsOf(hunk);
    sentences += described(hunk);
  }
  description_ = sentences.join(u' ');
  editor_->setAccessibleDescription(description_);
  set(decorations);
}

void Decorations::grow(const QVector<Hunk>& hunks) {
  QVector<Decoration> now;
  for (const Hunk& hunk : hunks)
    if (hunk.range.end() <= editor_->length()) now += decorationsOf(hunk);
  if (now == growing_ || onlyMoved(now, growing_)) {
    growing_ = now;
    return;
  }
  // Each row that is painted would measure all rows of its line.
  editor_->sci(Sci::SCI_SETSCROLLWIDTHTRACKING, now.isEmpty() ? 1 : 0);
  const SteadyRow steady(editor_);
  const auto [begin, same] =
      std::mismatch(growing_.cbegin(), growing_.cend(), now.cbegin(), now.cend(),
                    [this](const Decoration& before, const Decoration& after) {
                      return before == after && isDrawn(after);
                    });
  const bool isBeside =
      std::all_of(begin, growing_.cend(), [this](const Decoration& each) { return isDrawn(each); });
  if (!isBeside) {  // the text has moved since
    erase();
    growing_ = now;
    return draw();
  }
  const QVector<Decoration> gone(begin, growing_.cend());
  const QVector<Decoration> come(same, now.cend());
  growing_ = now;
  defineLook();
  QSet<int> lines;
  for (const Decoration& each : gone) {
    unmark(each);
    if (each.kind == Decoration::Kind::kInserted) lines.insert(rowsLine(each));
  }
  for (const Decoration& each : come) {
    mark(each);
    if (each.kind == Decoration::Kind::kInserted) lines.insert(rowsLine(each));
  }
  addRows(&lines);
  showMargin();
}

QString Decorations::described(const Hunk& hunk) const {
  const QString line = QString::number(editor_->lineAt(hunk.range.start()) + 1);
  const QByteArray old = editor_->textRange(hunk.range.start(), hunk.range.end());
  if (old.isEmpty()) return tr("Line %1: %2 would be inserted.").arg(line, quoted(hunk.text));
  if (hunk.text.isEmpty()) return tr("Line %1: %2 would be removed.").arg(line, quoted(old));
  return tr("Line %1: %2 would become %3.").arg(line, quoted(old), quoted(hunk.text));
}

// -- Drawing

void Decorations::defineLook() {
  if (std::exchange(hasLook_, true)) return;
  if (firstStyle_ < 0) {
    firstStyle_ = editor_->sci(Sci::SCI_ALLOCATEEXTENDEDSTYLES, kOurStyles);
    editor_->sci(Sci::SCI_ANNOTATIONSETSTYLEOFFSET, word(firstStyle_));
  }
  const ThemeColors& colors = editor_->colors();
  const auto style = [&](long number, const QColor& ground) {
    const auto family = editor_->editorFont().family().toUtf8();
    editor_->SendScintilla(Sci::SCI_STYLESETFONT, static_cast<uintptr_t>(number),
                           family.constData());
    editor_->sci(Sci::SCI_STYLESETSIZEFRACTIONAL, word(number),
                 editor_->sci(Sci::SCI_STYLEGETSIZEFRACTIONAL, Sci::STYLE_DEFAULT));
    editor_->SendScintilla(Sci::SCI_STYLESETFORE, word(number), colors.text);
    editor_->SendScintilla(Sci::SCI_STYLESETBACK, word(number), ground);
  };
  style(firstStyle_, colors.background);
  style(firstStyle_ + kInsertedRow, colors.addedGround);
  style(firstStyle_ + kGrowingRow, colors.addedGround);
  editor_->sci(Sci::SCI_STYLESETITALIC, word(firstStyle_ + kGrowingRow), 1);

  constexpr int kOpaque = 255;
  editor_->sci(Sci::SCI_INDICSETSTYLE, kRemovedGroundIndicator, Sci::INDIC_FULLBOX);
  editor_->sci(Sci::SCI_INDICSETUNDER, kRemovedGroundIndicator, 1);
  editor_->sci(Sci::SCI_INDICSETALPHA, kRemovedGroundIndicator, kOpaque);
  editor_->sci(Sci::SCI_INDICSETOUTLINEALPHA, kRemovedGroundIndicator, kOpaque);
  editor_->SendScintilla(Sci::SCI_INDICSETFORE, kRemovedGroundIndicator, colors.removedGround);
  editor_->sci(Sci::SCI_INDICSETSTYLE, kRemovedStrikeIndicator, Sci::INDIC_STRIKE);
  editor_->SendScintilla(Sci::SCI_INDICSETFORE, kRemovedStrikeIndicator, colors.error);

  editor_->sci(Sci::SCI_SETMARGINTYPEN, kProposalMargin, Sci::SC_MARGIN_SYMBOL);
  editor_->sci(Sci::SCI_SETMARGINMASKN, kProposalMargin,
               (1 << kChangedLineMarker) | (1 << kTargetMarker));
  editor_->sci(Sci::SCI_MARKERDEFINE, kChangedLineMarker, Sci::SC_MARK_FULLRECT);
  editor_->SendScintilla(Sci::SCI_MARKERSETBACK, kChangedLineMarker, colors.error);
  editor_->sci(Sci::SCI_MARKERDEFINE, kRowsMarker, Sci::SC_MARK_EMPTY);
  editor_->sci(Sci::SCI_MARKERDEFINE, kTargetMarker, Sci::SC_MARK_LEFTRECT);
  editor_->SendScintilla(Sci::SCI_MARKERSETBACK, kTargetMarker, colors.ghost);
}

// Tells whether the decorations only moved, and Scintilla has moved them where they belong: most
// keys do that, and drawing many of them anew takes longer than a frame.
bool Decorations::areDrawn(const QVector<Decoration>& decorations) const {
  QSet<int> lines;
  for (const Decoration& decoration : decorations) {
    if (decoration.kind == Decoration::Kind::kInserted) lines.insert(rowsLine(decoration));
  }
  return lines.size() == rowLines_ && onlyMoved(decorations, decorations_);
}

bool Decorations::onlyMoved(const QVector<Decoration>& now,
                            const QVector<Decoration>& before) const {
  return std::equal(now.begin(), now.end(), before.begin(), before.end(),
                    [this](const Decoration& a, const Decoration& b) {
                      return a.kind == b.kind && a.text == b.text &&
                             a.end - a.start == b.end - b.start && isDrawn(a);
                    });
}

bool Decorations::hasOurRows(int line) const {
  const long style = editor_->sci(Sci::SCI_ANNOTATIONGETSTYLE, word(line));
  return style == kInsertedRow || style == kGrowingRow;
}

bool Decorations::isDrawn(const Decoration& decoration) const {
  const auto hasMarker = [this](int line, int marker) {
    return (editor_->sci(Sci::SCI_MARKERGET, word(line)) & (1L << marker)) != 0;
  };
  const int last = editor_->lineAt(std::max(decoration.start, decoration.end - 1));
  if (!hasMarker(editor_->lineAt(decoration.start), kChangedLineMarker) ||
      !hasMarker(last, kChangedLineMarker))
    return false;
  if (decoration.kind == Decoration::Kind::kInserted) {
    const int line = rowsLine(decoration);
    return hasMarker(line, kRowsMarker) && hasOurRows(line);
  }
  const auto start = static_cast<long>(decoration.start);
  return editor_->sci(Sci::SCI_INDICATORVALUEAT, kRemovedGroundIndicator, start) != 0 &&
         editor_->sci(Sci::SCI_INDICATORSTART, kRemovedGroundIndicator, start) == start &&
         editor_->sci(Sci::SCI_INDICATOREND, kRemovedGroundIndicator, start) == decoration.end;
}

// The line below which its rows are shown. Scintilla has rows below a line only; what would come
// first of all is shown below the first line.
int Decorations::rowsLine(const Decoration& inserted) const {
  const int line = editor_->lineAt(inserted.end);
  return inserted.end == editor_->lineStart(line) && line > 0 ? line - 1 : line;
}

void Decorations::showMargin() {
  const bool isUsed = hasTarget_ || !decorations_.isEmpty() || !growing_.isEmpty();
  editor_->sci(Sci::SCI_SETMARGINWIDTHN, kProposalMargin, isUsed ? kMarginWidth : 0);
}

void Decorations::setTarget(qint64 start, qint64 end) {
  clearTarget();
  hasTarget_ = true;
  defineLook();
  const int last = editor_->lineAt(end);
  for (int line = editor_->lineAt(start); line <= last; ++line)
    editor_->sci(Sci::SCI_MARKERADD, word(line), kTargetMarker);
  showMargin();
}

void Decorations::clearTarget() {
  if (!std::exchange(hasTarget_, false)) return;
  editor_->sci(Sci::SCI_MARKERDELETEALL, kTargetMarker);
  showMargin();
}

// The first line from `line` on that has rows of ours; -1: none has.
int Decorations::nextMarked(int line) const {
  return static_cast<int>(editor_->sci(Sci::SCI_MARKERNEXT, word(line), 1 << kRowsMarker));
}

void Decorations::erase() {
  for (const int indicator : {kRemovedGroundIndicator, kRemovedStrikeIndicator}) {
    editor_->sci(Sci::SCI_SETINDICATORCURRENT, word(indicator));
    editor_->sci(Sci::SCI_INDICATORCLEARRANGE, 0, static_cast<long>(editor_->length()));
  }
  for (int line = nextMarked(0); line >= 0; line = nextMarked(line + 1)) {
    // The exact places of rows and marks after lines split or join depend on Scintilla.
    for (int near = std::max(0, line - 1); near <= line + 1; ++near) {
      if (hasOurRows(near))
        editor_->SendScintilla(Sci::SCI_ANNOTATIONSETTEXT, word(near),
                               static_cast<const char*>(nullptr));
    }
  }
  editor_->sci(Sci::SCI_MARKERDELETEALL, kChangedLineMarker);
  editor_->sci(Sci::SCI_MARKERDELETEALL, kRowsMarker);
  rowLines_ = 0;
  showMargin();
}

void Decorations::draw() {
  if (decorations_.isEmpty() && growing_.isEmpty()) return;
  erase();
  defineLook();
  showMargin();
  for (const auto* drawn : {&decorations_, &growing_})
    for (const Decoration& decoration : std::as_const(*drawn)) mark(decoration);
  addRows(nullptr);
}

void Decorations::mark(const Decoration& decoration) {
  const int last = editor_->lineAt(std::max(decoration.start, decoration.end - 1));
  for (int line = editor_->lineAt(decoration.start); line <= last; ++line) {
    // One at most, so that one is what there is to take away.
    if ((editor_->sci(Sci::SCI_MARKERGET, word(line)) & (1L << kChangedLineMarker)) == 0)
      editor_->sci(Sci::SCI_MARKERADD, word(line), kChangedLineMarker);
  }
  if (decoration.kind != Decoration::Kind::kRemoved) return;
  for (const int indicator : {kRemovedGroundIndicator, kRemovedStrikeIndicator}) {
    editor_->sci(Sci::SCI_SETINDICATORCURRENT, word(indicator));
    editor_->sci(Sci::SCI_INDICATORFILLRANGE, word(decoration.start),
                 static_cast<long>(decoration.end - decoration.start));
  }
}

// Of one that is growing. What others have there is drawn anew.
void Decorations::unmark(const Decoration& decoration) {
  const int first = editor_->lineAt(decoration.start);
  const int last = editor_->lineAt(std::max(decoration.start, decoration.end - 1));
  for (int line = first; line <= last; ++line)
    editor_->sci(Sci::SCI_MARKERDELETE, word(line), kChangedLineMarker);
  for (const int indicator : {kRemovedGroundIndicator, kRemovedStrikeIndicator}) {
    if (decoration.kind != Decoration::Kind::kRemoved) continue;
    editor_->sci(Sci::SCI_SETINDICATORCURRENT, word(indicator));
    editor_->sci(Sci::SCI_INDICATORCLEARRANGE, word(decoration.start),
                 static_cast<long>(decoration.end - decoration.start));
  }
  for (const auto* drawn : {&decorations_, &growing_}) {
    for (const Decoration& other : std::as_const(*drawn)) {
      const int from = editor_->lineAt(other.start);
      const int to = editor_->lineAt(std::max(other.start, other.end - 1));
      if (from <= last && to >= first) mark(other);
    }
  }
}

void Decorations::addRows(const QSet<int>* only) {
  QMap<int, QByteArrayList> rows;
  QSet<int> growing;
  if (only) {
    for (const int line : *only) rows[line] = {};
  }
  int ownLines = 0;
  for (const auto* drawn : {&decorations_, &growing_}) {
    for (const Decoration& decoration : std::as_const(*drawn)) {
      if (decoration.kind != Decoration::Kind::kInserted) continue;
      const int line = rowsLine(decoration);
      if (only && !only->contains(line)) continue;
      rows[line] += rowsOf(decoration.text);
      if (drawn == &growing_) growing.insert(line);
    }
    if (drawn == &decorations_) ownLines = static_cast<int>(rows.size());
  }
  const GhostText* ghost = editor_->ghost();
  const int ghostLine = ghost->isShown() ? editor_->lineAt(ghost->position()) : -1;
  for (auto it = rows.cbegin(); it != rows.cend(); ++it) {
    if (it.key() == ghostLine) continue;
    if (it.value().isEmpty()) {
      editor_->SendScintilla(Sci::SCI_ANNOTATIONSETTEXT, word(it.key()),
                             static_cast<const char*>(nullptr));
      editor_->sci(Sci::SCI_MARKERDELETE, word(it.key()), kRowsMarker);
      continue;
    }
    const QByteArray text = it.value().join('\n');
    editor_->SendScintilla(Sci::SCI_ANNOTATIONSETTEXT, word(it.key()), text.constData());
    editor_->sci(Sci::SCI_ANNOTATIONSETSTYLE, word(it.key()),
                 growing.contains(it.key()) ? kGrowingRow : kInsertedRow);
    if ((editor_->sci(Sci::SCI_MARKERGET, word(it.key())) & (1L << kRowsMarker)) == 0)
      editor_->sci(Sci::SCI_MARKERADD, word(it.key()), kRowsMarker);
  }
  if (!only) rowLines_ = ownLines;
}

}  // namespace waferpair::editor
