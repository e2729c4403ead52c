// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/layers/line_states.h"

#include <QHash>
#include <QImage>
#include <QPainter>
#include <algorithm>

#include "editor/view/text_view.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"

namespace waferpair::editor {
namespace {

using Sci = QsciScintillaBase;
using LineKind = LineState::Kind;

constexpr int kStateWidth = 6;     // pixels
constexpr int kStateBarWidth = 4;  // pixels
constexpr int kStateMarkers = 6;
constexpr int kStateMask = ((1 << kStateMarkers) - 1) << kFirstStateMarker;

int markerOf(LineKind kind, bool isSettled) {
  return kFirstStateMarker + static_cast<int>(kind) + (isSettled ? 0 : 3);
}

// A bar for added lines, one with notches for changed ones, a wedge at the row's top for those that
// are gone; hollow ones where it is settled.
QImage pictureOf(LineKind kind, bool isSettled, const QColor& color, QSize size, double ratio) {
  QImage picture(size * ratio, QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(ratio);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  if (kind == LineKind::kRemoved) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(color);
    painter.setBrush(isSettled ? QBrush(Qt::NoBrush) : QBrush(color));
    const double half = kStateWidth / 2.0;
    painter.drawPolygon(QPolygonF({{0.5, 0.5}, {kStateWidth - 0.5, 0.5}, {half, kStateWidth}}));
    return picture;
  }
  constexpr int kNotch = 3;
  const QRect bar(0, 0, kStateBarWidth, size.height());
  painter.fillRect(bar, color);
  painter.setCompositionMode(QPainter::CompositionMode_Clear);
  if (isSettled) painter.fillRect(bar.adjusted(1, 0, -1, 0), Qt::transparent);
  if (kind == LineKind::kChanged)
    for (int y = kNotch; y < size.height(); y += 2 * kNotch)
      painter.fillRect(kStateBarWidth / 2, y, kStateBarWidth, kNotch, Qt::transparent);
  return picture;
}

}  // namespace

LineStates* LineStates::of(TextView* editor) {
  auto* states = editor->findChild<LineStates*>({}, Qt::FindDirectChildrenOnly);
  return states ? states : new LineStates(editor);
}

LineStates::LineStates(TextView* editor) : QObject(editor), editor_(editor) {
  editor->sci(Sci::SCI_SETMARGINTYPEN, kStateMargin, Sci::SC_MARGIN_SYMBOL);
  editor->sci(Sci::SCI_SETMARGINMASKN, kStateMargin, kStateMask);
  editor->sci(Sci::SCI_SETMARGINSENSITIVEN, kStateMargin, 1);
  connect(editor, &TextView::themeChanged, this, &LineStates::applyLook);
  connect(editor, &TextView::zoomChanged, this, &LineStates::applyLook);
  connect(editor, &Sci::SCN_MARGINCLICK, this, [this](int position, int, int margin) {
    if (margin == static_cast<int>(kStateMargin)) Q_EMIT clicked(editor_->lineAt(position));
  });
}

QColor LineStates::color(LineKind kind, const ThemeColors& colors) {
  const QColor wanted = kind == LineKind::kAdded     ? QColor(0x3f, 0xa8, 0x5a)
                        : kind == LineKind::kChanged ? QColor(0x3d, 0x8f, 0xdb)
                                                     : colors.error;
  return readableColor(wanted, colors.text, {colors.margin});
}

void LineStates::applyLook() {
  editor_->sci(Sci::SCI_SETMARGINWIDTHN, kStateMargin, isShown_ ? kStateWidth : 0);
  if (!isShown_) return;
  const double ratio = editor_->devicePixelRatioF();
  const QSize size(kStateWidth, static_cast<int>(editor_->sci(Sci::SCI_TEXTHEIGHT, 0)));
  for (const LineKind kind : {LineKind::kAdded, LineKind::kChanged, LineKind::kRemoved}) {
    for (const bool isSettled : {false, true}) {
      const QImage picture =
          pictureOf(kind, isSettled, color(kind, editor_->colors()), size, ratio);
      editor_->sci(Sci::SCI_RGBAIMAGESETWIDTH, word(picture.width()));
      editor_->sci(Sci::SCI_RGBAIMAGESETHEIGHT, word(picture.height()));
      editor_->sci(Sci::SCI_RGBAIMAGESETSCALE, word(static_cast<qint64>(ratio * 100)));
      editor_->SendScintilla(Sci::SCI_MARKERDEFINERGBAIMAGE, word(markerOf(kind, isSettled)),
                             picture);
    }
  }
}

void LineStates::set(const QVector<LineState>& states) {
  if (!isShown_) {
    isShown_ = true;
    applyLook();
  }
  draw(states);
  Q_EMIT changed();
}

void LineStates::clear() {
  if (!isShown_) return;
  draw({});
  isShown_ = false;
  applyLook();
  Q_EMIT changed();
}

void LineStates::follow(LineStates* source) {
  if (source_ != source) {
    if (source_) source_->disconnect(this);
    source_ = source;
    connect(source, &LineStates::changed, this, [this, source] { follow(source); });
    connect(source, &QObject::destroyed, this, [this] { source_ = nullptr; });
  }
  isShown_ = source->isShown_;
  applyLook();
}

// Marks that stay are not touched: each that comes or goes is a row to paint.
void LineStates::draw(const QVector<LineState>& states) {
  QHash<int, int> wanted;  // the mask by line
  const int last = editor_->lineCount() - 1;
  for (const LineState& state : states) {
    const int bit = 1 << markerOf(state.kind, state.isSettled);
    const int first = std::clamp(state.line, 0, last);
    const int end = state.kind == LineKind::kRemoved ? first + 1 : state.line + state.lines;
    for (int line = first; line < std::min(end, last + 1); ++line) wanted[line] |= bit;
  }
  for (long line = editor_->sci(Sci::SCI_MARKERNEXT, 0, kStateMask); line >= 0;
       line = editor_->sci(Sci::SCI_MARKERNEXT, word(line + 1), kStateMask)) {
    // Where lines were joined there may be two marks of a kind: each is taken away.
    const int want = wanted.value(static_cast<int>(line));
    int gone = static_cast<int>(editor_->sci(Sci::SCI_MARKERGET, word(line))) & kStateMask & ~want;
    for (; gone != 0; gone &= static_cast<int>(editor_->sci(Sci::SCI_MARKERGET, word(line))))
      for (int marker = kFirstStateMarker; marker < kFirstStateMarker + kStateMarkers; ++marker)
        if ((gone & (1 << marker)) != 0) editor_->sci(Sci::SCI_MARKERDELETE, word(line), marker);
  }
  for (auto it = wanted.cbegin(); it != wanted.cend(); ++it) {
    const int missing = *it & ~static_cast<int>(editor_->sci(Sci::SCI_MARKERGET, word(it.key())));
    for (int marker = kFirstStateMarker; marker < kFirstStateMarker + kStateMarkers; ++marker)
      if ((missing & (1 << marker)) != 0) editor_->sci(Sci::SCI_MARKERADD, word(it.key()), marker);
  }
}

}  // namespace waferpair::editor
