// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/wafer_view.h"

#include <QPaintEvent>
#include <QPainter>
#include <algorithm>

#include "wafer_view/accessible.h"
#include "wafer_view/wafer_view_p.h"
#include "wafer_view/wave_bar.h"

namespace waferpair::view {
namespace {

constexpr double kZoomStep = 1.6;  // of one press of + or -

bool sameLayout(const protocol::WaferLayout& a, const protocol::WaferLayout& b) {
  const auto sameRegion = [](const auto& r, const auto& s) {
    return r.name == s.name && r.rect == s.rect && r.sramPerPe == s.sramPerPe && r.wafer == s.wafer;
  };
  const auto sameOp = [](const auto& o, const auto& p) {
    return o.name == p.name && o.region == p.region && o.layer == p.layer;
  };
  return a.machine == b.machine && a.profile == b.profile && a.model == b.model &&
         a.shadowOf == b.shadowOf && a.wafers == b.wafers && a.clockHz == b.clockHz &&
         a.fabricWidth == b.fabricWidth && a.fabricHeight == b.fabricHeight &&
         a.dieColumns == b.dieColumns && a.dieRows == b.dieRows && a.sramPerPe == b.sramPerPe &&
         a.loadBytes == b.loadBytes && a.loadSeconds == b.loadSeconds &&
         std::ranges::equal(a.regions, b.regions, sameRegion) &&
         std::ranges::equal(a.ops, b.ops, sameOp);
}

}  // namespace

WaferView::WaferView(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>(this)) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  installAccessibles();
  setAccessibleName(tr("Wafer map"));
  setObjectName(QStringLiteral("waferView"));
  d->idleTimer.setSingleShot(true);
  connect(&d->idleTimer, &QTimer::timeout, this, [this] { d->setIdle(true); });
  connect(&d->clock, &FrameClock::tick, this, [this](double seconds) { d->tick(seconds); });
  d->painter.setIdle(true);
  d->retheme();
}

WaferView::~WaferView() = default;

void WaferView::setLayout(const protocol::WaferLayout& layout) {
  if (hasLayout() && sameLayout(layout, d->given)) return;
  d->given = layout;
  d->kept.reset();
  d->forgetReadout();
  d->sinceFrame.invalidate();
  d->planes.setLayout(layout);
  d->wave.setLayout(d->planes.layout());
  d->viewport.setFabric(QSizeF(d->planes.width(), d->planes.height()));
  d->setIdle(true);
  d->painter.setIdle(d->fades());
  d->describe();
  d->relayout();
  d->movedWave();
  emit layoutChanged();
}

void WaferView::clearLayout() { setLayout(protocol::WaferLayout{}); }

bool WaferView::hasLayout() const { return !d->planes.isEmpty(); }

const protocol::WaferLayout& WaferView::waferLayout() const { return d->planes.layout(); }

void WaferView::addFrame(const protocol::TelemetryFrame& frame) {
  if (frame.regions.size() != d->planes.layout().regions.size() || !hasLayout()) return;
  d->sinceFrame.start();
  if (d->paused || !d->isSeen()) {
    d->kept = frame;
  } else {
    d->show(frame, 0);
  }
}

int WaferView::wafer() const { return d->planes.wafer(); }

void WaferView::setWafer(int wafer) {
  const int before = d->planes.wafer();
  d->planes.setWafer(wafer);
  if (d->planes.wafer() == before) return;
  d->forgetReadout();
  d->describe();
  d->changedView();  // outlines and names are others
  update();
  emit waferChanged(d->planes.wafer());
}

void WaferView::setEmptyText(const QString& text) {
  if (text == d->emptyText) return;
  d->emptyText = text;
  if (!hasLayout()) update();
}

Metric WaferView::metric() const { return d->planes.metric(); }

void WaferView::setMetric(Metric metric) {
  if (metric == d->planes.metric()) return;
  setWave(false);
  d->planes.setMetric(metric);
  d->painter.setIdle(d->fades());
  d->request();
  update();
  emit metricChanged(metric);
}

bool WaferView::isPaused() const { return d->paused; }

void WaferView::setPaused(bool paused) {
  if (paused == d->paused) return;
  d->paused = paused;
  if (paused) {
    d->idleTimer.stop();
  } else {
    d->resume();
  }
  update();
  emit pausedChanged(paused);
}

bool WaferView::isWave() const { return d->waveOn; }

void WaferView::setWave(bool on) {
  if (on == d->waveOn) return;
  d->waveOn = on;
  d->waveHeld = false;
  if (on) {
    d->wave.restart();
    d->planes.setShares(d->wave.shares());
  } else {
    d->wave.stop();
    d->planes.endShares();
  }
  d->painter.setIdle(d->fades());
  d->relayout();
  d->movedWave();
  emit waveChanged(on);
}

double WaferView::waveSlowdown() const { return d->wave.askedSlowdown(); }

void WaferView::setWaveSlowdown(double slowdown) {
  if (slowdown == d->wave.askedSlowdown()) return;
  d->wave.setSlowdown(slowdown);
  emit waveSlowdownChanged();
}

void WaferView::changeWaveSpeed(bool faster) {
  const double now = d->wave.slowdown();
  const auto first = kWaveSlowdowns.begin() + 1;  // the first is none of them
  if (faster) {
    const auto slower = std::lower_bound(first, kWaveSlowdowns.end(), now);
    if (slower != first) setWaveSlowdown(*std::prev(slower));
  } else {
    const auto slower = std::upper_bound(first, kWaveSlowdowns.end(), now);
    if (slower != kWaveSlowdowns.end()) setWaveSlowdown(*slower);
  }
}

void WaferView::stepWave(bool forward) {
  if (!d->waveOn || !d->wave.hasStep()) return;
  d->wave.stepOp(forward);
  setPaused(true);
  d->movedWave();
  d->request();
}

void WaferView::setWaveCycle(std::uint32_t cycle) {
  if (!d->waveOn) return;
  d->wave.setCycle(cycle);
  d->movedWave();
  d->request();
}

void WaferView::setAnimated(bool on) { d->animated = on; }

void WaferView::setAnimatedAtFirst(bool on) { Private::animatedAtFirst = on; }

bool WaferView::showsDefects() const { return d->defects; }

void WaferView::setShowsDefects(bool on) {
  if (d->defects == on) return;
  d->defects = on;
  d->describe();
  update();
}

void WaferView::holdWave(bool held) {
  d->waveHeld = held;
  d->request();
}

const WaveReplay& WaferView::waveReplay() const { return d->wave; }

QString WaferView::waveText() const { return waveSummary(d->wave); }

QString WaferView::wavePositionText() const { return wavePosition(d->wave, d->planes.layout()); }

void WaferView::zoomIn() {
  d->viewport.zoomAt(QRectF(QPointF(), d->viewport.size()).center(), kZoomStep, d->motion());
  d->changedView();
}

void WaferView::zoomOut() {
  d->viewport.zoomAt(QRectF(QPointF(), d->viewport.size()).center(), 1 / kZoomStep, d->motion());
  d->changedView();
}

void WaferView::fitWafer() {
  d->viewport.fitAll(d->motion());
  d->changedView();
}

void WaferView::fitModel() {
  QRect used;
  const int regions = static_cast<int>(d->planes.layout().regions.size());
  for (int i = 0; i < regions; ++i) used |= d->planes.rect(i);
  if (used.isEmpty()) return fitWafer();
  d->fitAnimated(used);
}

void WaferView::fitDie(int column, int row) {
  if (hasLayout()) d->fitAnimated(d->planes.dieRect(column, row));
}

void WaferView::fitRegion(int region) {
  const auto& regions = d->planes.layout().regions;
  if (region < 0 || region >= static_cast<int>(regions.size())) return;
  setWafer(regions[region].wafer);
  d->fitAnimated(d->planes.rect(region));
}

void WaferView::fitPe(int x, int y) { d->fitAnimated(QRectF(x, y, 1, 1)); }

double WaferView::pixelsPerCore() const { return d->viewport.targetScale(); }

QString WaferView::readoutText() const { return d->readout.text(); }
QRect WaferView::readoutRect() const { return d->places().readout; }
QRect WaferView::mapRect() const { return d->mapRect(); }

QString WaferView::badgeText() const { return hasLayout() ? d->badge() : QString(); }

QString WaferView::machineText() const {
  return hasLayout() ? machineSummary(d->planes.layout()) : QString();
}

int WaferView::paintCount() const { return d->paints; }
int WaferView::tickCount() const { return d->clock.tickCount(); }
bool WaferView::hasActiveTimer() const { return d->clock.isActive() || d->idleTimer.isActive(); }

QSize WaferView::sizeHint() const { return {420, 640}; }
QSize WaferView::minimumSizeHint() const { return {120, 60}; }

// A minimized window hides its widgets without telling them.
bool WaferView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::WindowStateChange && watched == window()) {
    if (d->isSeen()) {
      d->resume();
    } else {
      d->rest();
    }
  }
  return QWidget::eventFilter(watched, event);
}

void WaferView::paintEvent(QPaintEvent* event) {
  ++d->paints;
  QPainter p(this);
  if (!hasLayout()) return d->paintEmpty(p);
  if (d->viewDirty || d->painter.image().devicePixelRatio() != devicePixelRatioF()) {
    d->viewDirty = true;
    d->render(event->rect());  // asks for another paint of what changed beyond
  }
  d->paint(p, event->rect());
}

void WaferView::resizeEvent(QResizeEvent*) { d->relayout(); }

void WaferView::showEvent(QShowEvent*) {
  window()->installEventFilter(this);
  d->resume();
}

void WaferView::hideEvent(QHideEvent*) { d->rest(); }

void WaferView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
      event->type() == QEvent::StyleChange)
    d->retheme();
  QWidget::changeEvent(event);
}

}  // namespace waferpair::view
