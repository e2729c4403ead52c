// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/wave_slider.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "wafer_view/text_fit.h"
#include "wafer_view/theme.h"
#include "wafer_view/wafer_view.h"
#include "wafer_view/wave.h"

namespace waferpair::view {
namespace {

constexpr int kTrack = 9, kTrackPad = 4, kTextHeight = 14;
constexpr int kLowest = kTrack + 2 * kTrackPad + 3, kHeight = kLowest + kTextHeight;

int asValue(std::uint32_t cycles) {
  return static_cast<int>(std::min<std::uint32_t>(cycles, std::numeric_limits<int>::max()));
}

}  // namespace

WaveSlider::WaveSlider(WaferView* view, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), view_(view) {
  setObjectName(QStringLiteral("wavePlace"));
  setAccessibleName(tr("Place in the token"));
  setToolTip(tr("Drag to any cycle of the token; Left and Right go from op to op"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setFocusPolicy(Qt::StrongFocus);
  connect(this, &QSlider::valueChanged, this,
          [this](int value) { view_->setWaveCycle(static_cast<std::uint32_t>(value)); });
  connect(view, &WaferView::waveMoved, this, &WaveSlider::follow);
  connect(view, &WaferView::pausedChanged, this, &WaveSlider::follow);
  connect(view, &WaferView::waferChanged, this, qOverload<>(&WaveSlider::update));
  connect(view, &WaferView::layoutChanged, this, &WaveSlider::follow);
}

// While it plays only the picture follows: a value told sixty times a second would keep a screen
// reader talking.
void WaveSlider::follow() {
  update();
  if (!view_->isPaused() && !isSliderDown()) return;
  const WaveReplay& wave = view_->waveReplay();
  // The description first: who hears of the value asks for it.
  setAccessibleDescription(view_->wavePositionText());
  const QSignalBlocker quiet(this);  // the view knows already
  setRange(0, asValue(wave.totalCycles()));
  setPageStep(std::max(1, maximum() / 10));
  setValue(asValue(wave.cycle()));
}

QSize WaveSlider::sizeHint() const { return {200, kHeight}; }
QSize WaveSlider::minimumSizeHint() const { return {40, kLowest}; }

QRectF WaveSlider::track() const {
  const double text = height() >= kHeight ? kTextHeight : 0;
  return {double(kTrackPad), (height() - text - kTrack) / 2.0, double(width() - 2 * kTrackPad),
          double(kTrack)};
}

void WaveSlider::paintEvent(QPaintEvent*) {
  const WaferColors theme = waferColors(palette());
  const WaveReplay& wave = view_->waveReplay();
  const auto& layout = view_->waferLayout();
  QPainter p(this);
  const QRectF bar = track();
  p.fillRect(bar, QColor(theme.silicon));
  if (hasFocus()) {
    p.setPen(QPen(palette().color(QPalette::Link), 1));
    p.setBrush(Qt::NoBrush);
    p.drawRect(bar.adjusted(-2.5, -2.5, 1.5, 1.5));
  }
  if (wave.hasStep()) {
    // Runs of spans in one region are one block; neighbors take turns in two shades.
    const double perCycle = bar.width() / wave.totalCycles();
    const QRgb shades[] = {mixed(theme.waferSeries, theme.backdrop, 0.35),
                           mixed(theme.waferSeries, theme.backdrop, 0.60)};
    const auto& spans = wave.spans();
    int shade = 0;
    for (std::size_t i = 0; i < spans.size(); shade ^= 1) {
      const int region = wave.regionOf(spans[i].op);
      const double left = bar.left() + spans[i].startCycle * perCycle;
      std::uint32_t endCycle = spans[i].endCycle;
      for (; i < spans.size() && wave.regionOf(spans[i].op) == region; ++i)
        endCycle = std::max(endCycle, spans[i].endCycle);
      const double right = std::min(bar.right(), bar.left() + endCycle * perCycle);
      // Ops on other wafers than the one on the map are paler.
      const QRgb color = layout.regions[region].wafer == view_->wafer()
                             ? shades[shade]
                             : mixed(shades[shade], theme.silicon, 0.6);
      p.fillRect(QRectF(left, bar.top(), std::max(1.0, right - left), kTrack), QColor(color));
    }
    const double x = std::round(bar.left() + wave.cycle() * perCycle);
    p.fillRect(QRectF(x - 1, bar.top() - 3, 3, kTrack + 6), QColor(theme.accent));
  }
  if (height() < kHeight) return;
  p.setFont(sizedFont(font(), 11));
  p.setPen(QColor(theme.dimText));
  drawElided(p, QRectF(bar.left(), height() - kTextHeight, bar.width(), kTextHeight),
             Qt::AlignLeft | Qt::AlignVCenter, view_->wavePositionText());
}

void WaveSlider::moveTo(double x) {
  const QRectF bar = track();
  const double share = std::clamp((x - bar.left()) / std::max(1.0, bar.width()), 0.0, 1.0);
  view_->setWaveCycle(static_cast<std::uint32_t>(share * view_->waveReplay().totalCycles()));
}

void WaveSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  setSliderDown(true);
  view_->holdWave(true);
  moveTo(event->position().x());
}

void WaveSlider::mouseMoveEvent(QMouseEvent* event) {
  if (isSliderDown()) moveTo(event->position().x());
}

void WaveSlider::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  setSliderDown(false);
  view_->holdWave(false);
}

void WaveSlider::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
      return view_->stepWave(false);
    case Qt::Key_Right:
    case Qt::Key_Up:
      return view_->stepWave(true);
    case Qt::Key_Space:
      return view_->setPaused(!view_->isPaused());
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
    case Qt::Key_Home:
    case Qt::Key_End:
      view_->setPaused(true);  // what the keys choose is to be looked at
      return QSlider::keyPressEvent(event);
    default:
      return QSlider::keyPressEvent(event);
  }
}

void WaveSlider::wheelEvent(QWheelEvent* event) {
  if (event->angleDelta().y() != 0) view_->stepWave(event->angleDelta().y() < 0);
  event->accept();
}

}  // namespace waferpair::view
