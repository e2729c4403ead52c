// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/ghost/ghost_painter.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "editor/ghost/ghost_text.h"
#include "editor/layers/text_tints.h"
#include "editor/text/unseen.h"
#include "editor/view/rtl_text.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

using namespace Qt::StringLiterals;

namespace {

using Sci = QsciScintillaBase;

constexpr int kBarWidth = 2;               // fits, with a pixel of air, into the editor's padding
constexpr double kChipSize = 0.8;          // of the text's
constexpr double kSmallestFont = 2;        // points, whatever the zoom: Scintilla's own limit
constexpr qint64 kLongestPiece = 1024;     // bytes drawn at once
constexpr qint64 kLongestMeasured = 4096;  // bytes left of the position

bool isBlank(long c) { return c == ' ' || c == '\t'; }

// Tabs go to the next stop of `tabWidth` columns, counted from `column`.
QString expandTabs(const QString& row, int column, int tabWidth) {
  QString out;
  for (const QChar c : row) {
    if (c == u'\t') {
      const int width = tabWidth - column % tabWidth;
      out.append(QString(width, u' '));
      column += width;
    } else {
      out.append(c);
      ++column;
    }
  }
  return out;
}

}  // namespace

GhostPainter::GhostPainter(const TextView& editor, qint64 position)
    : editor_(editor), position_(position) {
  const int line = editor.lineAt(position);
  lineEnd_ = editor.lineEnd(line);
  x_ = static_cast<int>(editor.sci(Sci::SCI_POINTXFROMPOSITION, 0, static_cast<long>(position)));
  y_ = static_cast<int>(editor.sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(position)));
  height_ = static_cast<int>(editor.sci(Sci::SCI_TEXTHEIGHT, static_cast<unsigned long>(line)));
  textLeft_ = static_cast<int>(editor.sci(Sci::SCI_GETMARGINLEFT));
  for (unsigned long i = 0; i < kMargins; ++i)
    textLeft_ += static_cast<int>(editor.sci(Sci::SCI_GETMARGINWIDTHN, i));
  textRight_ = editor.viewport()->width() - static_cast<int>(editor.sci(Sci::SCI_GETMARGINRIGHT));
  const int scrolled = static_cast<int>(editor.sci(Sci::SCI_GETXOFFSET));
  firstColumn_ = textLeft_ - scrolled;
  // Unscrolled text may lean one pixel over its left edge, in Scintilla as here.
  if (scrolled == 0) --textLeft_;
  const QFontMetricsF metrics(styleFont(Sci::STYLE_DEFAULT), &editor);
  baseline_ = editor.baseline();
  cell_ = QFontInfo(editor.editorFont()).fixedPitch() ? metrics.horizontalAdvance(u' ') : 0;
}

const QFont& GhostPainter::styleFont(long style) const {
  const auto known = fonts_.constFind(style);
  if (known != fonts_.constEnd()) return *known;
  const auto number = static_cast<unsigned long>(style);
  QFont font = editor_.zoomedFont();
  font.setBold(editor_.sci(Sci::SCI_STYLEGETBOLD, number) != 0);
  font.setItalic(editor_.sci(Sci::SCI_STYLEGETITALIC, number) != 0);
  return *fonts_.insert(style, font);
}

// Measuring means shaping, and a key must not wait for the whole line's.
double GhostPainter::advance(long style, const QByteArray& utf8) const {
  const auto isAscii = [](char c) { return (c & 0x80) == 0; };
  if (cell_ > 0 && std::all_of(utf8.begin(), utf8.end(), isAscii))
    return cell_ * static_cast<double>(utf8.size());
  return QFontMetricsF(styleFont(style), &editor_).horizontalAdvance(QString::fromUtf8(utf8));
}

QRect GhostPainter::area(int rows) const {
  return {0, y_, editor_.viewport()->width(), height_ * (rows + lastTailRow())};
}

QRect GhostPainter::textRows(int first, int count) const {
  const int left = textLeft_ - kBarWidth;
  return {left, y_ + first * height_, editor_.viewport()->width() - left, count * height_};
}

QStringList GhostPainter::rowsOf(const QByteArray& ghost) {
  return QString::fromUtf8(ghost).replace(u"\r\n"_s, u"\n"_s).replace(u'\r', u'\n').split(u'\n');
}

// Returns for how many rows below the position's own the tail goes on, in a wrapped line.
int GhostPainter::lastTailRow() const {
  const long y = editor_.sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(lineEnd_));
  return height_ > 0 ? static_cast<int>((y - y_) / height_) : 0;
}

void GhostPainter::clipToText(QPainter& painter) const {
  painter.setClipRect(QRect(textLeft_, 0, textRight_ - textLeft_, editor_.viewport()->height()));
}

void GhostPainter::eraseTail(QPainter& painter) const {
  const ThemeColors& colors = editor_.colors();
  const int caretWidth = static_cast<int>(editor_.sci(Sci::SCI_GETCARETWIDTH));
  const bool current = editor_.lineAt(position_) == editor_.caretLine();
  const QColor background = current ? colors.currentLine : colors.background;
  painter.fillRect(QRect(x_ + caretWidth, y_, textRight_ - x_, height_), background);
}

void GhostPainter::paint(QPainter& painter, const QByteArray& ghost, qsizetype taken,
                         const QString& chip, const QRegion& dirty) const {
  QStringList rows = rowsOf(ghost);
  const int tabWidth = editor_.indentation().width;
  const int column =
      static_cast<int>(editor_.sci(Sci::SCI_GETCOLUMN, static_cast<unsigned long>(position_)));
  for (int i = 0; i < rows.size(); ++i)
    rows[i] = shownForm(expandTabs(rows[i], i == 0 ? column : 0, tabWidth));

  painter.save();
  const int below = static_cast<int>(rows.size()) - 1;
  const int tailRows = lastTailRow();
  const ThemeColors& colors = editor_.colors();
  if (below > 0) {
    if (tailRows > 0) painter.fillRect(textRows(below + 1, tailRows), colors.background);
    const QRect own = textRows(1, below);
    painter.fillRect(own, colors.ghostGround);
    painter.fillRect(QRect(own.left(), own.top(), kBarWidth, own.height()), colors.ghost);
  }
  clipToText(painter);
  eraseTail(painter);
  QFont font = styleFont(Sci::STYLE_DEFAULT);
  font.setItalic(true);
  painter.setFont(font);
  painter.setPen(colors.ghost);
  const double start = exactStart();
  for (int i = 0; i <= below; ++i) {
    if (!dirty.intersects(textRows(i, 1))) continue;  // shaping text is what painting costs
    const double x = i == 0 ? start : firstColumn_;
    painter.drawText(QPointF(x, y_ + i * height_ + baseline_), rows[i]);
  }
  if (!chip.isEmpty() && dirty.intersects(textRows(0, 1))) {
    const double width = QFontMetricsF(font, &editor_).horizontalAdvance(rows.first());
    paintChip(painter, start + width + (below == 0 ? tailWidth(taken) : 0), chip);
  }
  if (dirty.intersects(textRows(below, 1 + tailRows))) {
    const double lastWidth = QFontMetricsF(font, &editor_).horizontalAdvance(rows.last());
    paintTail(painter, below == 0 ? lastWidth : firstColumn_ + lastWidth - start, below, taken);
  }
  painter.restore();
}

// A key cap. Where there is no room for all of it there is none.
void GhostPainter::paintChip(QPainter& painter, double x, const QString& text) const {
  QFont font = styleFont(Sci::STYLE_DEFAULT);
  font.setPointSizeF(std::max(kSmallestFont, font.pointSizeF() * kChipSize));
  const QFontMetricsF metrics(font, &editor_);
  const double cell =
      QFontMetricsF(styleFont(Sci::STYLE_DEFAULT), &editor_).horizontalAdvance(u' ');
  const double height = std::min<double>(height_ - 2, metrics.height() + 2);
  const QRectF box(std::ceil(x + 1.5 * cell) + 0.5, std::floor(y_ + (height_ - height) / 2) + 0.5,
                   std::ceil(metrics.horizontalAdvance(text) + cell), height - 1);
  if (box.right() > textRight_) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font);
  painter.setPen(editor_.colors().ghost);
  painter.setBrush(editor_.colors().ghostGround);
  painter.drawRoundedRect(box, 3, 3);
  painter.drawText(box, Qt::AlignCenter, text);
  painter.restore();
}

// Returns the width of the text right of the position, but for its first `taken` bytes, in its row.
double GhostPainter::tailWidth(qsizetype taken) const {
  if (position_ + taken == lineEnd_) return 0;
  if (canMeasure() && lineEnd_ - position_ <= kLongestMeasured) {
    const double start = exactX(position_, exactStart(), position_ + taken);
    return exactX(position_ + taken, start, lineEnd_) - start;
  }
  // Wrapped, or longer than any view is wide.
  return textRight_;
}

// Returns the x of `to`, given that `from` is at `x`. Scintilla gives out whole pixels only, but
// draws text at fractions of them, and adds up widths by style as here.
double GhostPainter::exactX(qint64 from, double x, qint64 to) const {
  const double space = advance(Sci::STYLE_DEFAULT, " ");
  const double tab = space * editor_.indentation().width;
  while (from < to) {
    if (byteAt(from) == '\t') {
      // Less than two pixels before a stop the next one is taken: Scintilla's smallest tab.
      x = firstColumn_ + (std::floor((x - firstColumn_ + 2) / tab) + 1) * tab;
      ++from;
      continue;
    }
    const long style = styleAt(from);
    qint64 end = from;
    while (end < to && styleAt(end) == style && byteAt(end) != '\t') ++end;
    x += advance(style, editor_.textRange(from, end));
    from = end;
  }
  return x;
}

bool GhostPainter::canMeasure() const {
  const qint64 start = editor_.lineStart(editor_.lineAt(position_));
  return !editor_.wordWrap() && position_ - start <= kLongestMeasured &&
         !mayRunRightToLeft(
             editor_.textRange(start, std::min(lineEnd_, position_ + kLongestMeasured)));
}

double GhostPainter::exactStart() const {
  if (!canMeasure()) return x_;
  return exactX(editor_.lineStart(editor_.lineAt(position_)), firstColumn_, position_);
}

long GhostPainter::byteAt(qint64 at) const {
  return editor_.sci(Sci::SCI_GETCHARAT, static_cast<unsigned long>(at));
}

long GhostPainter::styleAt(qint64 at) const {
  return editor_.sci(Sci::SCI_GETSTYLEAT, static_cast<unsigned long>(at)) & 0xff;
}

void GhostPainter::paintTail(QPainter& painter, double shift, int rows, qsizetype taken) const {
  const bool exact = canMeasure();
  double exactAt = exactStart();
  qint64 measured = position_;
  const qint64 from = position_ + taken;
  if (exact) {
    shift -= exactX(position_, exactAt, from) - exactAt;
  } else {
    shift -= editor_.sci(Sci::SCI_POINTXFROMPOSITION, 0, static_cast<long>(from)) - x_;
  }
  for (qint64 at = from; at < lineEnd_;) {
    // Blanks keep the width they have in the view: each piece between them is placed by itself.
    if (isBlank(byteAt(at))) {
      ++at;
      continue;
    }
    const long style = styleAt(at);
    const long tint = TextTints::colorAt(editor_, at);
    const long pieceY = editor_.sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(at));
    qint64 end = at;
    while (end < lineEnd_ && !isBlank(byteAt(end)) && styleAt(end) == style &&
           TextTints::colorAt(editor_, end) == tint)
      ++end;
    if (end - at > kLongestPiece) {
      end = editor_.sci(Sci::SCI_POSITIONBEFORE, static_cast<unsigned long>(at + kLongestPiece));
    }
    // A piece that Scintilla wrapped is drawn row by row.
    if (editor_.wordWrap()) {
      while (editor_.sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(end - 1)) != pieceY)
        --end;
    }
    const int row = height_ > 0 ? static_cast<int>((pieceY - y_) / height_) : 0;
    double x =
        static_cast<double>(editor_.sci(Sci::SCI_POINTXFROMPOSITION, 0, static_cast<long>(at)));
    if (exact) {
      x = exactAt = exactX(measured, exactAt, at);
      measured = at;
    }
    if (row == 0) x += shift;
    if (row == 0 && x > textRight_ && !editor_.wordWrap()) return;  // the rest is further right
    painter.setFont(styleFont(style));
    const long bgr =
        tint >= 0 ? tint : editor_.sci(Sci::SCI_STYLEGETFORE, static_cast<unsigned long>(style));
    painter.setPen(QColor(bgr & 0xff, (bgr >> 8) & 0xff, (bgr >> 16) & 0xff));
    painter.drawText(QPointF(x, y_ + (rows + row) * height_ + baseline_),
                     QString::fromUtf8(editor_.textRange(at, end)));
    at = end;
  }
}

}  // namespace waferpair::editor
