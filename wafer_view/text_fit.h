// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that share a line without running into one another, whatever the width: units go first,
// then letters of the name.
#pragma once

#include <QFont>
#include <QRectF>
#include <QRgb>
#include <QString>

class QPainter;

namespace waferpair::view {

// The font at this size, in pixels.
QFont sizedFont(QFont font, int pixels, QFont::Weight weight = QFont::Normal);

// A name on the left and its value on the right.
struct NamedText {
  QString name;
  QString value;  // "0.0213 wavelets/cycle"
  QString brief;  // the same without its unit, for where there is no room; may be empty
};

// Returns the part of it that fits into `width` pixels with a gap between the two: the value or
// else its brief form, elided only when it would not fit alone; the name elided or left out.
NamedText fitted(const NamedText& text, double width, const QFont& font);

// Draws fitted() centered over the height of `line`.
void drawNamed(QPainter& painter, const QRectF& line, const NamedText& text, const QFont& font,
               QRgb nameColor, QRgb valueColor);

// Draws a text, elided on the right.
void drawElided(QPainter& painter, const QRectF& line, Qt::Alignment alignment,
                const QString& text);

}  // namespace waferpair::view
