// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/decorations.h"

#include <QMap>
#include <QSet>
#include <algorithm>
#include <utility>

#include "editor/text/quoted.h"
#include "editor/text/text_codec.h"
#include "editor/text/unseen.h"
#include "editor/widget/code_editor.h"
#include "editor/widget/ghost_text.h"
#include "editor/widget/view_numbers.h"
#include "editor/widget/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr int kMarginWidth = 4;           // pixels, while there is something to mark
constexpr long kInsertedRow = 1;          // of our styles; 0 is that of the ghost's blank rows
constexpr qsizetype kMostDescribed = 80;  // bytes of a text

// Returns the text without its last line end, which a row does not have, and with LF between rows.
QByteArray rowsOf(QByteArray text) {
  text = withLf(std::move(text));
  if (text.endsWith('\n')) text.chop(1);
  // Scintilla has no boxes in rows between lines.
  const QString decoded = exactUtf8(text);
  return firstUnseen(decoded) < 0 ? text : shownForm(decoded).toUtf8();
}

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
    const qint64 start = hunk.range.start();
    const qint64 end = hunk.range.end();
    if (end > editor_->length()) continue;  // an edit is told, and not all of it yet
    if (start < end) decorations.append({Decoration::Kind::kRemoved, start, end, {}});
    if (!hunk.text.isEmpty())
      decorations.append({Decoration::Kind::kInserted, start, end, hunk.text});
    sentences += described(hunk);
  }
  description_ = sentences.join(u' ');
  editor_->setAccessibleDescription(description_);
  set(decorations);
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
    firstStyle_ = editor_->sci(Sci::SCI_ALLOCATEEXTENDEDSTYLES, 2);
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
  if (lines.size() != rowLines_) return false;
  return std::equal(decorations.begin(), decorations.end(), decorations_.begin(),
                    decorations_.end(), [this](const Decoration& now, const Decoration& before) {
                      return now.kind == before.kind && now.text == before.text &&
                             now.end - now.start == before.end - before.start && isDrawn(now);
                    });
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
    return hasMarker(line, kRowsMarker) &&
           editor_->sci(Sci::SCI_ANNOTATIONGETSTYLE, word(line)) == kInsertedRow;
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
  const bool isUsed = hasTarget_ || !decorations_.isEmpty();
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
      if (editor_->sci(Sci::SCI_ANNOTATIONGETSTYLE, word(near)) == kInsertedRow)
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
  if (decorations_.isEmpty()) return;
  erase();
  defineLook();
  showMargin();
  for (const Decoration& decoration : std::as_const(decorations_)) {
    if (decoration.kind == Decoration::Kind::kRemoved) mark(decoration);
    const int last = editor_->lineAt(std::max(decoration.start, decoration.end - 1));
    for (int line = editor_->lineAt(decoration.start); line <= last; ++line)
      editor_->sci(Sci::SCI_MARKERADD, word(line), kChangedLineMarker);
  }
  addRows();
}

void Decorations::mark(const Decoration& removed) {
  for (const int indicator : {kRemovedGroundIndicator, kRemovedStrikeIndicator}) {
    editor_->sci(Sci::SCI_SETINDICATORCURRENT, word(indicator));
    editor_->sci(Sci::SCI_INDICATORFILLRANGE, word(removed.start),
                 static_cast<long>(removed.end - removed.start));
  }
}

void Decorations::addRows() {
  QMap<int, QByteArrayList> rows;
  for (const Decoration& decoration : std::as_const(decorations_)) {
    if (decoration.kind != Decoration::Kind::kInserted) continue;
    rows[rowsLine(decoration)] += rowsOf(decoration.text);
  }
  const GhostText* ghost = editor_->ghost();
  const int ghostLine = ghost->isShown() ? editor_->lineAt(ghost->position()) : -1;
  for (auto it = rows.cbegin(); it != rows.cend(); ++it) {
    if (it.key() == ghostLine) continue;
    const QByteArray text = it.value().join('\n');
    editor_->SendScintilla(Sci::SCI_ANNOTATIONSETTEXT, word(it.key()), text.constData());
    editor_->sci(Sci::SCI_ANNOTATIONSETSTYLE, word(it.key()), kInsertedRow);
    editor_->sci(Sci::SCI_MARKERADD, word(it.key()), kRowsMarker);
  }
  rowLines_ = static_cast<int>(rows.size());
}

}  // namespace waferpair::editor
