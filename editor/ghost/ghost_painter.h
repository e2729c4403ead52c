// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a ghost over the finished picture of its editor: the ghost's rows from the caret on, then
// what stood right of the caret, moved behind them, without closers whose place the ghost's own
// take. Blank annotation rows have made the room.
//
// No text looks like it: it is slanted and tinted (ThemeColors::ghost), the rows that it alone has
// stand on a ground of their own with a bar at their left, and at first a chip names the key that
// accepts it.
#pragma once

#include <QFont>
#include <QHash>
#include <QPainter>
#include <QRegion>
#include <QStringList>

namespace waferpair::editor {

class TextView;

class GhostPainter {
 public:
  // Reads position, colors and fonts from the editor as it was just painted.
  explicit GhostPainter(const TextView& editor, qint64 position);

  // A ghost as it is shown: one string a row, whatever the line ends.
  static QStringList rowsOf(const QByteArray& ghost);

  // Returns the area of `rows` rows of ghost in viewport coordinates: paint only if some of it is
  // dirty.
  QRect area(int rows) const;
  // The text columns of `count` rows from `first` on, counted from the position's own, and the bar
  // left of them.
  QRect textRows(int first, int count) const;
  // Paints only the rows that `dirty` touches. The ghost's own closers take the place of the first
  // `taken` bytes right of the position. `chip` is the words of the chip behind the first row;
  // empty: there is none.
  void paint(QPainter& painter, const QByteArray& ghost, qsizetype taken, const QString& chip,
             const QRegion& dirty) const;

  // The text right of the position, but for its first `taken` bytes, `shift` pixels further right
  // and `rows` rows further down. With (0, 0) it must give the editor's own picture: the test of
  // all geometry here.
  void paintTail(QPainter& painter, double shift, int rows, qsizetype taken = 0) const;
  // Blanks out from right of the caret to the edge, in the line's own background.
  void eraseTail(QPainter& painter) const;
  void clipToText(QPainter& painter) const;

 private:
  void paintChip(QPainter& painter, double x, const QString& text) const;
  const QFont& styleFont(long style) const;
  double advance(long style, const QByteArray& utf8) const;
  long byteAt(qint64 at) const;
  long styleAt(qint64 at) const;
  bool canMeasure() const;
  double exactStart() const;
  double exactX(qint64 from, double x, qint64 to) const;
  int lastTailRow() const;
  double tailWidth(qsizetype taken) const;

  const TextView& editor_;
  qint64 position_;
  qint64 lineEnd_;
  int x_, y_;     // of the position
  int height_;    // of a row
  int textLeft_;  // text and its background are between these
  int textRight_;
  int firstColumn_;                   // where column 0 is, after sideways scrolling
  double baseline_;                   // below a row's top
  double cell_;                       // how wide every ASCII character is; 0 where they differ
  mutable QHash<long, QFont> fonts_;  // by style
};

}  // namespace waferpair::editor
