// SPDX-License-Identifier: GPL-3.0-or-later
// Paints rows of a terminal on a grid of whole pixels: each character where its cell is, whatever
// the font thinks of its width. UI thread only.
#pragma once

#include <QFont>
#include <QGlyphRun>
#include <QHash>
#include <QRawFont>
#include <QVector>

#include "gui/terminal/terminal_colors.h"
#include "workbench/terminal/terminal_search.h"

class QPainter;

namespace waferpair::gui {

class TerminalPainter {
 public:
  // What is marked in a row, beside what the program wrote.
  struct Marked {
    workbench::CellRange selection;
    QVector<workbench::CellRange> matches;
    workbench::CellRange link;  // under the mouse
  };

  void setFont(const QFont& font);
  void setColors(const TerminalColors& colors);
  const TerminalColors& colors() const { return colors_; }
  QSize cell() const { return cell_; }

  // With the left end of the row's upper edge at `at`.
  void paintRow(QPainter& painter, const workbench::TerminalScreen& screen, qint64 row, QPoint at,
                const Marked& marked);
  // Over the row, which is painted. Without the keyboard it is an outline.
  void paintCursor(QPainter& painter, const workbench::TerminalScreen& screen,
                   const workbench::TerminalCursor& cursor, QPoint at, bool isFocused);

 private:
  struct Ink {
    QRgb text = 0;
    QRgb ground = 0;
    bool operator==(const Ink&) const = default;
  };
  // A font of the four, bold or italic, and where its characters' shapes are; 0: it has none.
  struct Face {
    QFont font;
    QRawFont raw;
    QHash<char32_t, quint32> glyphs;
  };

  // `color`, or what can be read on this ground.
  QRgb readable(QRgb color, QRgb ground) const;
  Ink inkOf(const workbench::TerminalScreen& screen, const workbench::Cell& cell) const;
  void paintGrounds(QPainter& painter, const workbench::TerminalScreen& screen, qint64 row,
                    QPoint at, const Marked& marked) const;
  void paintText(QPainter& painter, const workbench::TerminalScreen& screen, qint64 row, QPoint at);
  void paintLines(QPainter& painter, const workbench::TerminalScreen& screen, qint64 row, QPoint at,
                  const Marked& marked) const;
  void paintCharacter(QPainter& painter, const workbench::TerminalScreen& screen,
                      const workbench::Cell& cell, QPoint at, QRgb color);
  void flush(QPainter& painter);
  quint32 glyph(Face& face, char32_t character) const;

  TerminalColors colors_;
  Face faces_[4];                          // by bold (1) and italic (2)
  mutable QHash<quint64, QRgb> readable_;  // by color and ground
  QSize cell_{8, 16};
  int ascent_ = 12;
  // Shapes to be drawn at once.
  QVector<quint32> glyphs_;
  QVector<QPointF> positions_;
  int face_ = 0;
  QRgb color_ = 0;
};

}  // namespace waferpair::gui
