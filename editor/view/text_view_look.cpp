// SPDX-License-Identifier: GPL-3.0-or-later
// The look of a TextView: fonts, colors, margins, language, painting.
#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/Theme>
#include <QApplication>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "editor/text/next_line.h"
#include "editor/view/caret_click.h"
#include "editor/view/folding.h"
#include "editor/view/highlighter.h"
#include "editor/view/layout_pieces.h"
#include "editor/view/ligatures.h"
#include "editor/view/rtl_text.h"
#include "editor/view/text_view.h"
#include "editor/view/unseen_marks.h"
#include "editor/view/view_part.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

constexpr double kSizeUnits = QsciScintillaBase::SC_FONT_SIZE_MULTIPLIER;  // in a point
constexpr int kFewestDigits = 3;
constexpr double kControlSize = 0.7;        // of the text's
constexpr double kLeastPoints = 2;          // whatever the zoom: Scintilla's own limit
constexpr int kTextPadding = 4;             // pixels between margin and text
constexpr qint64 kJudgedBytes = 64 * 1024;  // of a text, for its indentation

// Qt (qdrawhelper.cpp) gives what is filled over 96 rows of the screen and more to threads of its
// own, and waits for them: tens of milliseconds where all cores have work.
constexpr double kMostRowsFilled = 95;

// The dirty region in parts that are low enough; each is of whole lines where these are.
QVector<QRect> bandsOf(const QRegion& dirty, int lineHeight, double ratio) {
  const auto most = static_cast<int>(kMostRowsFilled / ratio);
  const int step = std::max(1, most >= lineHeight ? most / lineHeight * lineHeight : most);
  const QRect all = dirty.boundingRect();
  QVector<QRect> bands;
  for (int top = all.top() / step * step; top <= all.bottom(); top += step) {
    const QRect band = dirty.intersected(QRect(all.left(), top, all.width(), step)).boundingRect();
    if (!band.isEmpty()) bands.append(band);
  }
  return bands;
}

}  // namespace

void TextView::setUpView() {
  sci(SCI_SETMARGINS, kMargins);
  for (unsigned long i = 1; i < kMargins; ++i) sci(SCI_SETMARGINWIDTHN, i, 0);
  sci(SCI_SETMARGINTYPEN, 0, SC_MARGIN_NUMBER);
  sci(SCI_SETMARGINLEFT, 0, kTextPadding);
  // This is set before there is any text, as it visits every line.
  sci(SCI_ANNOTATIONSETVISIBLE, ANNOTATION_STANDARD);
  // A ghost that grows by a row moves all below it: their layouts need not be made again.
  sci(SCI_SETLAYOUTCACHE, SC_CACHE_PAGE);
  sci(SCI_SETSCROLLWIDTH, 1);
  sci(SCI_SETSCROLLWIDTHTRACKING, 1);
  sci(SCI_SETENDATLASTLINE, 0);
  sci(SCI_SETMULTIPLESELECTION, 1);
  sci(SCI_SETADDITIONALSELECTIONTYPING, 1);
  sci(SCI_SETMOUSESELECTIONRECTANGULARSWITCH, 1);
  sci(SCI_SETMULTIPASTE, SC_MULTIPASTE_EACH);
  sci(SCI_SETVIRTUALSPACEOPTIONS, SCVS_RECTANGULARSELECTION);
  sci(SCI_SETPASTECONVERTENDINGS, 1);
  sci(SCI_SETCARETWIDTH, 2);
  sci(SCI_SETCARETLINEVISIBLE, 1);
  sci(SCI_SETCARETLINEVISIBLEALWAYS, 1);
  sci(SCI_SETWRAPVISUALFLAGS, SC_WRAPVISUALFLAG_END);
  setFrameShape(QFrame::NoFrame);
  new CaretClick(this);
  chosenFont_ = defaultEditorFont();
  setTheme(QLatin1String(kDarkTheme));
}

void TextView::setTheme(const QString& name, const QColor& accent) {
  themeName_ = name;
  accent_ = accent;
  applyTheme();
}

void TextView::setEditorFont(const QFont& font) {
  chosenFont_ = font;
  applyTheme();
}

void TextView::setLigatures(bool on) {
  ligatures_ = on;
  applyTheme();
}

void TextView::setLineHeight(double height) {
  Q_ASSERT(height >= 1 && height <= 3);
  lineHeight_ = height;
  spaceLines();
}

QFont TextView::zoomedFont() const {
  QFont font = font_;
  font.setPointSizeF(std::max(kLeastPoints, font.pointSizeF() + zoom()));
  return font;
}

void TextView::spaceLines() {
  const QFontMetricsF metrics(zoomedFont(), this);
  const auto more = std::lround((metrics.ascent() + metrics.descent()) * (lineHeight_ - 1));
  sci(SCI_SETEXTRAASCENT, word(more / 2));
  sci(SCI_SETEXTRADESCENT, more - more / 2);
}

// Scintilla truncates the ascent to a whole pixel; rounding up puts text one pixel too low.
int TextView::baseline() const {
  return static_cast<int>(std::floor(QFontMetricsF(zoomedFont(), this).ascent())) +
         static_cast<int>(sci(SCI_GETEXTRAASCENT));
}

void TextView::setCaretBlinks(bool on) {
  sci(SCI_SETCARETPERIOD, on ? word(QApplication::cursorFlashTime() / 2) : 0);
}

void TextView::applyTheme() {
  const KSyntaxHighlighting::Theme theme = themeNamed(themeName_);
  colors_ = themeColors(theme, accent_);
  // Scintilla knows fonts by family alone: settle a missing one here, as the painter of ghosts uses
  // the same font.
  font_ = chosenFont_;
  font_.setFamily(QFontInfo(font_).family());
  if (!ligatures_) font_.setFamily(familyWithoutLigatures(font_.family()));
  if (font_.pointSizeF() <= 0) font_.setPointSizeF(QFontInfo(font_).pointSizeF());
  SendScintilla(SCI_STYLESETFONT, static_cast<uintptr_t>(STYLE_DEFAULT),
                font_.family().toUtf8().constData());
  sci(SCI_STYLESETSIZEFRACTIONAL, STYLE_DEFAULT, std::lround(font_.pointSizeF() * kSizeUnits));
  const auto setColors = [this](int style, const QColor& text, const QColor& background) {
    SendScintilla(SCI_STYLESETFORE, word(style), text);
    SendScintilla(SCI_STYLESETBACK, word(style), background);
  };
  setColors(STYLE_DEFAULT, colors_.text, colors_.background);
  sci(SCI_STYLECLEARALL);
  for (int style = kFirstHiddenStyle; style < kFirstPlainTwin; ++style)
    sci(SCI_STYLESETVISIBLE, word(style), 0);
  // A control character's box, and the cell of a right-to-left letter, come to about a column.
  sci(SCI_STYLESETSIZEFRACTIONAL, STYLE_CONTROLCHAR,
      std::lround(font_.pointSizeF() * kControlSize * kSizeUnits));
  setColors(STYLE_LINENUMBER, colors_.lineNumber, colors_.margin);
  setColors(STYLE_BRACELIGHT, colors_.text, colors_.braceMatch);
  setColors(STYLE_BRACEBAD, colors_.error, colors_.background);
  SendScintilla(SCI_SETCARETFORE, colors_.text);
  SendScintilla(SCI_SETADDITIONALCARETFORE, colors_.text);
  SendScintilla(SCI_SETCARETLINEBACK, colors_.currentLine);
  SendScintilla(SCI_SETSELBACK, 1UL, colors_.selection);
  SendScintilla(SCI_SETADDITIONALSELBACK, colors_.selection);
  SendScintilla(SCI_SETWHITESPACEFORE, 1UL, colors_.whitespace);
  SendScintilla(SCI_STYLESETFORE, STYLE_INDENTGUIDE, colors_.indentGuide);
  SendScintilla(SCI_STYLESETBACK, STYLE_INDENTGUIDE, colors_.background);
  folding_->applyLook();
  highlighter_->setLook(theme);
  lineNumberKey_ = 0;
  spaceLines();
  updateLineNumberWidth();
  settleParts();
  Q_EMIT themeChanged();
}

void TextView::updateLineNumberWidth() {
  const auto digits = static_cast<int>(QByteArray::number(lineCount()).size());
  const int wanted = std::max(kFewestDigits, digits);
  const int key = wanted * 1000 + zoom();  // the width follows the zoom too
  if (key == lineNumberKey_) return;
  lineNumberKey_ = key;
  const QByteArray widest(wanted + 1, '9');
  const long width =
      SendScintilla(SCI_TEXTWIDTH, static_cast<uintptr_t>(STYLE_LINENUMBER), widest.constData());
  sci(SCI_SETMARGINWIDTHN, 0, width);
  folding_->applyLook();  // its margin follows the zoom too
}

// Scrolls back to the left where an edit has left the caret's line short.
void TextView::unscrollShortLine() {
  const long offset = sci(SCI_GETXOFFSET);
  if (offset == 0 || wordWrap()) return;
  const long x = sci(SCI_POINTXFROMPOSITION, 0, static_cast<long>(caret())) + offset;
  if (x < viewport()->width() * 3 / 4) sci(SCI_SETXOFFSET, 0);
}

void TextView::setLanguage(const QString& name) {
  if (!takeLanguage(name)) return;
  const Indentation asked = indentationFor(language_, indentation_);
  if (!(asked == indentation_))
    setIndentation(detectIndentation(textRange(0, kJudgedBytes), asked));
  if (longLine_) cutLongLines();
  Q_EMIT languageChanged(language_);
}

// False: it is the one that there is.
bool TextView::takeLanguage(const QString& name) {
  const QString language = safeMode_ == SafeMode::kOff ? name : QString();
  if (language == language_) return false;
  language_ = language;
  applyLanguage();
  return true;
}

void TextView::applyLanguage() {
  const bool plain = language_.isEmpty() || longLine_;
  highlighter_->setLanguage(plain ? KSyntaxHighlighting::Definition()
                                  : syntaxRepository().definitionForName(language_));
}

// All of it belongs to Scintilla's document: a new one needs it anew.
void TextView::setIndentation(Indentation indentation) {
  Q_ASSERT(indentation.width > 0);
  indentation_ = indentation;
  sci(SCI_SETTABINDENTS, 1);
  sci(SCI_SETBACKSPACEUNINDENTS, 1);
  sci(SCI_SETUSETABS, indentation.tabs);
  sci(SCI_SETTABWIDTH, word(indentation.width));
  sci(SCI_SETINDENT, 0);  // as wide as a tab
}

void TextView::setWordWrap(bool on) {
  sci(SCI_SETWRAPMODE, on ? SC_WRAP_WORD : SC_WRAP_NONE);
  settleParts();
}

void TextView::setIndentGuides(bool on) {
  sci(SCI_SETINDENTATIONGUIDES, word(on ? SC_IV_LOOKBOTH : SC_IV_NONE));
}

void TextView::setWhitespaceVisible(bool on) {
  sci(SCI_SETVIEWWS, on ? SCWS_VISIBLEALWAYS : SCWS_INVISIBLE);
}

// Scintilla is slow at rows that hold nothing, and takes a line's blank rows for changed with each
// key: it is asked for the text above and below them only, where their margin needs no paint.
bool TextView::paintAround(const QRect& blank, const QRegion& dirty) {
  const int bottom = blank.bottom() + 1;
  Q_ASSERT(!blank.isEmpty());
  const QRegion others = dirty.subtracted(blank);
  if (others.intersects(QRect(0, blank.top(), viewport()->width(), blank.height()))) return false;
  const QRect everywhere = viewport()->rect();
  for (const QRect& part :
       {QRect(everywhere.topLeft(), QPoint(everywhere.right(), blank.top() - 1)),
        QRect(QPoint(0, bottom), everywhere.bottomRight())}) {
    for (const QRect& band :
         bandsOf(others.intersected(part), static_cast<int>(sci(SCI_TEXTHEIGHT, 0)),
                 devicePixelRatioF())) {
      QPaintEvent event(band);
      QsciScintillaBase::paintEvent(&event);
    }
  }
  return true;
}

// Styles the text as far as Scintilla's paint will look: a line below the one that the view's end
// cuts.
void TextView::styleView() {
  const long row = sci(SCI_GETFIRSTVISIBLELINE) + sci(SCI_LINESONSCREEN) + 1;
  const auto line = static_cast<int>(sci(SCI_DOCLINEFROMVISIBLE, word(row)));
  const qint64 end = lineStart(line + 1);
  if (sci(SCI_GETENDSTYLED) < end) styleNeeded(static_cast<int>(end));
}

void TextView::paintEvent(QPaintEvent* event) {
  // Edits are flushed only when there are any: settling the ghost asks for another paint.
  if (hasUntoldEdits()) flushEdits();
  styleView();
  if (mirrored_) copyStyles();
  Highlighter& highlighter = mirrored_ ? *mirrored_->highlighter_ : *highlighter_;
  const RtlText rtl(*this);
  const int caret = rtl.ownsCaret()   ? CARETSTYLE_INVISIBLE
                    : hasBlockCaret() ? CARETSTYLE_BLOCK
                                      : CARETSTYLE_LINE;
  if (sci(SCI_GETCARETSTYLE) != caret) sci(SCI_SETCARETSTYLE, word(caret));
  const QRegion& dirty = event->region();
  QRect blank;
  for (const ViewPart* part : std::as_const(parts_)) blank |= part->blankRows();
  highlighter.setPainting(true);
  const bool blankLeft = dirty.intersects(blank) && paintAround(blank, dirty);
  if (!blankLeft) {
    for (const QRect& band :
         bandsOf(dirty, static_cast<int>(sci(SCI_TEXTHEIGHT, 0)), devicePixelRatioF())) {
      QPaintEvent part(band);
      QsciScintillaBase::paintEvent(&part);
    }
  }
  highlighter.setPainting(false);
  QPainter painter(viewport());
  rtl.paint(painter, dirty);
  UnseenMarks(*this).paint(painter, dirty);
  if (blankLeft) painter.fillRect(blank, colors_.background);
  for (ViewPart* part : std::as_const(parts_)) part->paint(painter, dirty);
  painter.end();
  for (ViewPart* part : std::as_const(parts_)) part->afterPaint();
}

}  // namespace waferpair::editor
