// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "editor/view/theme.h"

namespace waferpair::gui {

namespace style = workbench::cell_style;
using workbench::Cell;
using workbench::CellPlace;
using workbench::CellRange;
using workbench::CursorShape;
using workbench::Row;
using workbench::TerminalCursor;
using workbench::TerminalScreen;

namespace {

constexpr qsizetype kMostReadable = 4096;  // pairs of colors that are remembered
constexpr double kBlinkShare = 0.35;       // blinking text is drawn weaker and stays

// Lines, blocks and arrowheads have the color of what they border on.
bool isDrawing(char32_t character) {
  return (character >= 0x2500 && character <= 0x25ff) ||
         (character >= 0xe0a0 && character <= 0xe0d7);
}

// The columns of `row` that a range covers; the end is that of the row where it goes on.
std::pair<int, int> columnsIn(const CellRange& range, qint64 row, int columns) {
  if (range.isEmpty() || row < range.start.row || row > range.end.row) return {0, 0};
  const int from = row == range.start.row ? range.start.column : 0;
  const int to = row == range.end.row ? std::min(range.end.column, columns) : columns;
  return {from, std::max(from, to)};
}

bool covers(std::pair<int, int> columns, int column) {
  return column >= columns.first && column < columns.second;
}

}  // namespace

void TerminalPainter::setFont(const QFont& font) {
  for (int i = 0; i < 4; ++i) {
    Face& face = faces_[i];
    face.font = font;
    face.font.setBold((i & 1) != 0);
    face.font.setItalic((i & 2) != 0);
    face.font.setKerning(false);
    face.raw = QRawFont::fromFont(face.font);
    face.glyphs.clear();
  }
  const QFontMetricsF metrics(faces_[0].font);
  cell_ = {
      std::max(1, static_cast<int>(std::lround(metrics.horizontalAdvance(u'M')))),
      std::max(1, static_cast<int>(std::ceil(metrics.ascent()) + std::ceil(metrics.descent())))};
  ascent_ = static_cast<int>(std::ceil(metrics.ascent()));
}

void TerminalPainter::setColors(const TerminalColors& colors) {
  colors_ = colors;
  readable_.clear();
}

QRgb TerminalPainter::readable(QRgb color, QRgb ground) const {
  const quint64 pair = static_cast<quint64>(color) << 32 | ground;
  const auto known = readable_.constFind(pair);
  if (known != readable_.constEnd()) return *known;
  if (readable_.size() >= kMostReadable) readable_.clear();
  const QRgb found = editor::readableColor(QColor(color), colors_.text, {QColor(ground)}).rgb();
  return *readable_.insert(pair, found);
}

TerminalPainter::Ink TerminalPainter::inkOf(const TerminalScreen& screen, const Cell& cell) const {
  Ink ink{colors_.color(cell.foreground, colors_.text),
          colors_.color(cell.background, colors_.background)};
  const bool isReversed = (cell.style & style::kReverse) != 0;
  if (isReversed != screen.isReversed()) std::swap(ink.text, ink.ground);
  if (cell.character > U' ' && !isDrawing(cell.character))
    ink.text = readable(ink.text, ink.ground);
  if ((cell.style & style::kBlink) != 0)
    ink.text = editor::mix(QColor(ink.text), QColor(ink.ground), kBlinkShare).rgb();
  return ink;
}

quint32 TerminalPainter::glyph(Face& face, char32_t character) const {
  const auto known = face.glyphs.constFind(character);
  if (known != face.glyphs.constEnd()) return *known;
  const QString text = QString::fromUcs4(&character, 1);
  quint32 glyphs[2] = {0, 0};
  int count = 2;
  const bool isOne = face.raw.isValid() &&
                     face.raw.glyphIndexesForChars(text.constData(), static_cast<int>(text.size()),
                                                   glyphs, &count) &&
                     count == 1;
  return *face.glyphs.insert(character, isOne ? glyphs[0] : 0);
}

void TerminalPainter::flush(QPainter& painter) {
  if (glyphs_.isEmpty()) return;
  QGlyphRun run;
  run.setRawFont(faces_[face_].raw);
  run.setGlyphIndexes(glyphs_);
  run.setPositions(positions_);
  painter.setPen(QColor(color_));
  painter.drawGlyphRun({}, run);
  glyphs_.clear();
  positions_.clear();
}

void TerminalPainter::paintCharacter(QPainter& painter, const TerminalScreen& screen,
                                     const Cell& cell, QPoint at, QRgb color) {
  if (cell.character == 0 || cell.character == U' ') return;
  const int face =
      ((cell.style & style::kBold) != 0 ? 1 : 0) | ((cell.style & style::kItalic) != 0 ? 2 : 0);
  const quint32 shape =
      (cell.character & Cell::kSequence) == 0 ? glyph(faces_[face], cell.character) : 0;
  if (shape != 0) {
    if (face != face_ || color != color_) flush(painter);
    face_ = face;
    color_ = color;
    glyphs_.append(shape);
    positions_.append(QPointF(at.x(), at.y() + ascent_));
    return;
  }
  // Another font has it, or several characters make one.
  flush(painter);
  const int width = (cell.style & style::kWide) != 0 ? 2 * cell_.width() : cell_.width();
  painter.setFont(faces_[face].font);
  painter.setPen(QColor(color));
  painter.drawText(QRect(at, QSize(width, cell_.height())),
                   Qt::AlignCenter | Qt::TextDontClip | Qt::TextSingleLine,
                   screen.characterOf(cell));
}

void TerminalPainter::paintGrounds(QPainter& painter, const TerminalScreen& screen, qint64 row,
                                   QPoint at, const Marked& marked) const {
  const Row& cells = screen.row(row);
  const int columns = screen.columns();
  const auto selected = columnsIn(marked.selection, row, columns);
  const QRgb plain = inkOf(screen, Cell()).ground;
  int start = 0;
  QRgb ground = plain;
  const auto fill = [&](int end) {
    if (ground != colors_.background.rgb() && end > start)
      painter.fillRect(at.x() + start * cell_.width(), at.y(), (end - start) * cell_.width(),
                       cell_.height(), QColor(ground));
  };
  for (int column = 0; column < columns; ++column) {
    QRgb here = column < static_cast<int>(cells.cells.size())
                    ? inkOf(screen, cells.cells[column]).ground
                    : plain;
    for (const CellRange& match : marked.matches)
      if (covers(columnsIn(match, row, columns), column)) here = colors_.match.rgb();
    if (covers(selected, column)) here = colors_.selection.rgb();
    if (here == ground) continue;
    fill(column);
    start = column;
    ground = here;
  }
  fill(columns);
}

void TerminalPainter::paintText(QPainter& painter, const TerminalScreen& screen, qint64 row,
                                QPoint at) {
  const Row& cells = screen.row(row);
  for (int column = 0; column < static_cast<int>(cells.cells.size()); ++column) {
    const Cell& cell = cells.cells[column];
    paintCharacter(painter, screen, cell, at + QPoint(column * cell_.width(), 0),
                   inkOf(screen, cell).text);
  }
  flush(painter);
}

void TerminalPainter::paintLines(QPainter& painter, const TerminalScreen& screen, qint64 row,
                                 QPoint at, const Marked& marked) const {
  const Row& cells = screen.row(row);
  const auto linked = columnsIn(marked.link, row, screen.columns());
  const int under = at.y() + std::min(cell_.height() - 1, ascent_ + 2);
  for (int column = 0; column < static_cast<int>(cells.cells.size()); ++column) {
    const Cell& cell = cells.cells[column];
    const bool isLink = covers(linked, column);
    if (!isLink && cell.link == 0 && (cell.style & (style::kAnyUnderline | style::kStrike)) == 0)
      continue;
    const QRgb color = isLink ? colors_.link.rgb() : inkOf(screen, cell).text;
    const int left = at.x() + column * cell_.width();
    const int right = left + cell_.width() - 1;
    painter.setPen(QColor(color));
    if ((cell.style & style::kStrike) != 0) {
      const int middle = at.y() + ascent_ * 2 / 3;
      painter.drawLine(left, middle, right, middle);
    }
    if (isLink || (cell.style & (style::kUnderline | style::kDoubleUnderline)) != 0)
      painter.drawLine(left, under, right, under);
    if ((cell.style & style::kDoubleUnderline) != 0)
      painter.drawLine(left, under - 2, right, under - 2);
    if ((cell.style & style::kCurlyUnderline) != 0 || (cell.link != 0 && !isLink)) {
      // A wave for what is wrong, dots for what leads somewhere.
      const bool isWave = (cell.style & style::kCurlyUnderline) != 0;
      for (int x = left; x <= right; x += 2)
        painter.drawPoint(x, under - (isWave && (x / 2) % 2 == 0 ? 1 : 0));
    }
  }
}

void TerminalPainter::paintRow(QPainter& painter, const TerminalScreen& screen, qint64 row,
                               QPoint at, const Marked& marked) {
  const Row& cells = screen.row(row);
  const bool isScaled = cells.isDoubleWidth;
  if (isScaled) {
    painter.save();
    painter.setClipRect(QRect(at, QSize(screen.columns() * cell_.width(), cell_.height())));
    painter.translate(at);
    painter.scale(2, cells.half == 0 ? 1 : 2);
    if (cells.half == 2) painter.translate(0, -cell_.height() / 2.0);
    at = {0, 0};
  }
  paintGrounds(painter, screen, row, at, marked);
  paintText(painter, screen, row, at);
  paintLines(painter, screen, row, at, marked);
  if (isScaled) painter.restore();
}

void TerminalPainter::paintCursor(QPainter& painter, const TerminalScreen& screen,
                                  const TerminalCursor& cursor, QPoint at, bool isFocused) {
  const Row& row = screen.row(cursor.place.row);
  const int column = cursor.place.column;
  Cell cell;
  if (column < static_cast<int>(row.cells.size())) cell = row.cells[column];
  const Ink ink = inkOf(screen, cell);
  const int wide = (cell.style & style::kWide) != 0 ? 2 : 1;
  const int scale = row.isDoubleWidth ? 2 : 1;
  const QRect area(at.x() + column * scale * cell_.width(), at.y(), wide * scale * cell_.width(),
                   cell_.height());
  const QColor color(ink.text);
  if (!isFocused) {
    painter.setPen(color);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.adjusted(0, 0, -1, -1));
    return;
  }
  switch (cursor.shape) {
    case CursorShape::kBlock:
      painter.fillRect(area, color);
      paintCharacter(painter, screen, cell, area.topLeft(), ink.ground);
      flush(painter);
      return;
    case CursorShape::kUnderline:
      painter.fillRect(QRect(area.left(), area.bottom() - 1, area.width(), 2), color);
      return;
    case CursorShape::kBar:
      painter.fillRect(QRect(area.left(), area.top(), 2, area.height()), color);
      return;
  }
}

}  // namespace waferpair::gui
