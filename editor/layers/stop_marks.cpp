// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/layers/stop_marks.h"

#include <QImage>
#include <QPainter>
#include <algorithm>

#include "editor/view/text_view.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"

namespace waferpair::editor {
namespace {

using Sci = QsciScintillaBase;
using StopKind = StopMark::Kind;

constexpr int kStopKinds = 5;
constexpr int kStopMask = ((1 << kStopKinds) - 1) << kFirstStopMarker;
constexpr double kStopMarginPart = 0.85;  // of a line's height
constexpr int kGroundStrength = 44;       // alpha

QColor colorOfStop(StopKind kind, const ThemeColors& colors) {
  const bool isFaint = kind == StopKind::kOff || kind == StopKind::kUnbound;
  const QColor wanted = isFaint ? colors.lineNumber : QColor(0xe0, 0x4b, 0x4b);
  return readableColor(wanted, colors.text, {colors.margin});
}

QColor colorOfPlace(StopMarks::Place place, const ThemeColors& colors) {
  const QColor wanted =
      place == StopMarks::Place::kHere ? QColor(0xe6, 0xb4, 0x22) : QColor(0x4c, 0xa8, 0x6a);
  return readableColor(wanted, colors.text, {colors.margin});
}

// A dot; with a bar across where there is a condition; a diamond for what is logged; a ring for one
// that is off, and a dashed one where there is no code.
void paintStop(QPainter& painter, StopKind kind, const QColor& color, const QColor& ground,
               QRectF box) {
  QPen pen(color, 1.4);
  const bool isHollow = kind == StopKind::kOff || kind == StopKind::kUnbound;
  if (kind == StopKind::kUnbound) pen.setStyle(Qt::DotLine);
  painter.setPen(pen);
  painter.setBrush(isHollow ? QBrush(Qt::NoBrush) : QBrush(color));
  if (kind == StopKind::kLog) {
    painter.drawPolygon(QPolygonF({{box.center().x(), box.top()},
                                   {box.right(), box.center().y()},
                                   {box.center().x(), box.bottom()},
                                   {box.left(), box.center().y()}}));
    return;
  }
  painter.drawEllipse(box);
  if (kind != StopKind::kConditional) return;
  const double third = box.width() / 4;
  painter.setPen(QPen(ground, 1.6));
  for (const double y : {-box.height() / 8, box.height() / 8})
    painter.drawLine(QPointF(box.left() + third, box.center().y() + y),
                     QPointF(box.right() - third, box.center().y() + y));
}

void paintArrow(QPainter& painter, const QColor& color, QRectF box) {
  painter.setPen(QPen(color, 1.2));
  painter.setBrush(Qt::NoBrush);
  const double y = box.center().y();
  // An outline, so that a dot below it can be seen.
  painter.drawPolygon(QPolygonF({{box.left() - 1, y - box.height() / 5},
                                 {box.center().x(), y - box.height() / 5},
                                 {box.center().x(), box.top() - 1},
                                 {box.right() + 1.5, y},
                                 {box.center().x(), box.bottom() + 1},
                                 {box.center().x(), y + box.height() / 5},
                                 {box.left() - 1, y + box.height() / 5}}));
}

}  // namespace

StopMarks* StopMarks::of(TextView* editor) {
  auto* marks = editor->findChild<StopMarks*>({}, Qt::FindDirectChildrenOnly);
  return marks ? marks : new StopMarks(editor);
}

StopMarks::StopMarks(TextView* editor) : QObject(editor), editor_(editor) {
  constexpr int kArrows = (1 << kFirstArrowMarker) | (1 << (kFirstArrowMarker + 1));
  editor->sci(Sci::SCI_SETMARGINTYPEN, kStopMargin, Sci::SC_MARGIN_SYMBOL);
  editor->sci(Sci::SCI_SETMARGINMASKN, kStopMargin, kStopMask | kArrows);
  editor->sci(Sci::SCI_SETMARGINSENSITIVEN, kStopMargin, 1);
  connect(editor, &TextView::themeChanged, this, &StopMarks::applyLook);
  connect(editor, &TextView::zoomChanged, this, &StopMarks::applyLook);
  connect(editor, &Sci::SCN_MARGINCLICK, this, [this](int position, int, int margin) {
    if (margin == static_cast<int>(kStopMargin)) Q_EMIT clicked(editor_->lineAt(position));
  });
}

void StopMarks::applyLook() {
  const auto height = static_cast<int>(editor_->sci(Sci::SCI_TEXTHEIGHT, 0));
  const int width = isShown_ ? static_cast<int>(height * kStopMarginPart) : 0;
  editor_->sci(Sci::SCI_SETMARGINWIDTHN, kStopMargin, width);
  if (!isShown_) return;
  const ThemeColors& colors = editor_->colors();
  const double ratio = editor_->devicePixelRatioF();
  const QSize size(width, height);
  const double radius = std::min(width, height) * 0.32;
  const QRectF box(width / 2.0 - radius, height / 2.0 - radius, 2 * radius, 2 * radius);
  const auto define = [&](int marker, const auto& paint) {
    QImage picture(size * ratio, QImage::Format_ARGB32_Premultiplied);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    {
      QPainter painter(&picture);
      painter.setRenderHint(QPainter::Antialiasing);
      paint(painter);
    }
    editor_->sci(Sci::SCI_RGBAIMAGESETWIDTH, word(picture.width()));
    editor_->sci(Sci::SCI_RGBAIMAGESETHEIGHT, word(picture.height()));
    editor_->sci(Sci::SCI_RGBAIMAGESETSCALE, word(static_cast<qint64>(ratio * 100)));
    editor_->SendScintilla(Sci::SCI_MARKERDEFINERGBAIMAGE, word(marker), picture);
  };
  for (int kind = 0; kind < kStopKinds; ++kind) {
    const auto shape = static_cast<StopKind>(kind);
    define(kFirstStopMarker + kind, [&](QPainter& painter) {
      paintStop(painter, shape, colorOfStop(shape, colors), colors.margin, box);
    });
  }
  for (const Place place : {Place::kHere, Place::kCaller}) {
    const QColor color = colorOfPlace(place, colors);
    define(kFirstArrowMarker + static_cast<int>(place),
           [&](QPainter& painter) { paintArrow(painter, color, box); });
    const int ground = kFirstGroundMarker + static_cast<int>(place);
    editor_->sci(Sci::SCI_MARKERDEFINE, word(ground), Sci::SC_MARK_BACKGROUND);
    editor_->SendScintilla(Sci::SCI_MARKERSETBACK, word(ground), color);
    // Over the ground of the caret's line, too.
    editor_->sci(Sci::SCI_MARKERSETALPHA, word(ground), kGroundStrength);
  }
}

void StopMarks::setShown(bool shown) {
  if (std::exchange(isShown_, shown) == shown) return;
  applyLook();
  Q_EMIT changed();
}

QVector<StopMark> StopMarks::marks() const {
  QVector<StopMark> marks;
  for (long line = editor_->sci(Sci::SCI_MARKERNEXT, 0, kStopMask); line >= 0;
       line = editor_->sci(Sci::SCI_MARKERNEXT, word(line + 1), kStopMask)) {
    const long there = editor_->sci(Sci::SCI_MARKERGET, word(line));
    for (int kind = 0; kind < kStopKinds; ++kind)
      if ((there & (1L << (kFirstStopMarker + kind))) != 0)
        marks.append({static_cast<StopKind>(kind), static_cast<int>(line)});
  }
  return marks;
}

void StopMarks::set(const QVector<StopMark>& marks) {
  // Those that are right are left alone: each that comes or goes is a row to paint.
  if (marks == this->marks()) return;
  for (int kind = 0; kind < kStopKinds; ++kind)
    editor_->sci(Sci::SCI_MARKERDELETEALL, word(kFirstStopMarker + kind));
  for (const StopMark& mark : marks)
    if (mark.line >= 0 && mark.line < editor_->lineCount())
      editor_->sci(Sci::SCI_MARKERADD, word(mark.line),
                   kFirstStopMarker + static_cast<int>(mark.kind));
  Q_EMIT changed();
}

int StopMarks::placeLine() const {
  constexpr int kArrows = (1 << kFirstArrowMarker) | (1 << (kFirstArrowMarker + 1));
  return static_cast<int>(editor_->sci(Sci::SCI_MARKERNEXT, 0, kArrows));
}

void StopMarks::setPlace(int line, Place place) {
  Q_ASSERT(line >= -1);
  for (int each = 0; each < 2; ++each) {
    editor_->sci(Sci::SCI_MARKERDELETEALL, word(kFirstArrowMarker + each));
    editor_->sci(Sci::SCI_MARKERDELETEALL, word(kFirstGroundMarker + each));
  }
  if (line >= 0 && line < editor_->lineCount()) {
    const int which = static_cast<int>(place);
    editor_->sci(Sci::SCI_MARKERADD, word(line), kFirstArrowMarker + which);
    editor_->sci(Sci::SCI_MARKERADD, word(line), kFirstGroundMarker + which);
  }
  Q_EMIT changed();
}

void StopMarks::follow(StopMarks* source) {
  if (source_ != source) {
    if (source_) source_->disconnect(this);
    source_ = source;
    connect(source, &StopMarks::changed, this, [this, source] { follow(source); });
    connect(source, &QObject::destroyed, this, [this] { source_ = nullptr; });
  }
  isShown_ = source->isShown_;
  applyLook();
}

}  // namespace waferpair::editor
