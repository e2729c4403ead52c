// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/wafer_view.h"

#include <QElapsedTimer>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <optional>

#include "wafer_view/frame_clock.h"
#include "wafer_view/header.h"
#include "wafer_view/legend.h"
#include "wafer_view/mini_map.h"
#include "wafer_view/planes.h"
#include "wafer_view/readout.h"
#include "wafer_view/theme.h"
#include "wafer_view/viewport.h"
#include "wafer_view/wafer_painter.h"
#include "wafer_view/wave.h"
#include "wafer_view/wave_bar.h"

namespace waferpair::view {
namespace {

using Motion = Viewport::Motion;

// The server is silent while nothing happens: so long after the last frame, the picture is old.
constexpr int kIdleMs = 1000;
constexpr double kKeyPan = 80;         // pixels an arrow key moves the view
constexpr double kKeyZoom = 1.6;       // factor of one press of + or -
constexpr double kWheelStep = 240;     // eighths of a degree that double the size
constexpr int kDragStart = 3;          // pixels

bool sameLayout(const protocol::WaferLayout& a, const protocol::WaferLayout& b) {
  const auto sameRegion = [](const auto& r, const auto& s) {
    return r.name == s.name && r.rect == s.rect && r.sramPerPe == s.sramPerPe;
  };
  const auto sameOp = [](const auto& o, const auto& p) {
    return o.name == p.name && o.region == p.region && o.layer == p.layer;
  };
  return a.machine == b.machine && a.profile == b.profile && a.model == b.model &&
         a.clockHz == b.clockHz && a.fabricWidth == b.fabricWidth &&
         a.fabricHeight == b.fabricHeight && a.dieColumns == b.dieColumns &&
         a.dieRows == b.dieRows && a.sramPerPe == b.sramPerPe &&
         std::ranges::equal(a.regions, b.regions, sameRegion) &&
         std::ranges::equal(a.ops, b.ops, sameOp);
}

}  // namespace

struct WaferView::Private {
  explicit Private(WaferView* view) : q(view), clock(view), idleTimer(view) {}

  WaferView* q;
  FrameClock clock;
  QTimer idleTimer;  // single shot

  protocol::WaferLayout given;  // as set, to know the same one again
  Planes planes;
  WaveReplay wave;
  Viewport viewport;
  WaferPainter painter;
  Theme theme;
  QString emptyText;

  bool paused = false;
  bool waveOn = false;
  bool idle = true;
  std::optional<protocol::TelemetryFrame> kept;  // newest, not shown yet: hidden or paused
  QElapsedTimer sinceFrame;

  bool viewDirty = true;     // the painter has not seen the viewport, theme or ratio yet
  bool overlayDirty = false;  // the read-out or a badge moved or changed
  int paints = 0;

  bool hovering = false;
  bool keyboardReadout = false;
  bool keyboardFocus = false;
  QPointF mouse;  // within the map
  Readout readout;
  QRect readoutRect;
  std::optional<QPointF> pressed;  // where a button went down; drags from there
  bool dragging = false;

  // --- where things are ---
  QRect headerRect() const { return {0, 0, q->width(), kHeaderHeight}; }
  QRect waveRect() const {
    const int height = waveOn ? kWaveBarHeight : 0;
    return {0, q->height() - kLegendHeight - height, q->width(), height};
  }
  QRect legendRect() const {
    return {0, q->height() - kLegendHeight, q->width(), kLegendHeight};
  }
  QRect mapRect() const {
    return QRect(QPoint(0, kHeaderHeight), QPoint(q->width() - 1, waveRect().top() - 1));
  }

  // --- when something is done at all ---
  bool isSeen() const { return q->isVisible() && !q->window()->isMinimized(); }
  Motion motion() const { return isSeen() ? Motion::kAnimated : Motion::kAtOnce; }
  bool fades() const { return idle && !waveOn && !isSram(planes.metric()); }

  void request() {
    if (isSeen()) clock.request();
  }
  void changedView() {
    viewDirty = true;
    request();
  }
  void changedOverlay() {
    overlayDirty = true;
    request();
  }

  void relayout() {
    viewport.setSize(mapRect().size());
    changedView();
    q->update();
  }

  void retheme() {
    theme = themeFor(q->palette());
    painter.setTheme(theme);
    painter.setFont(q->font());
    changedView();
    q->update();
  }

  void setIdle(bool on) {
    if (on) idleTimer.stop();
    if (idle == on) return;
    idle = on;
    painter.setIdle(fades());
    q->update(headerRect());
    q->update(legendRect());
    request();
    if (on) describe();
    emit q->idleChanged(on);
  }

  // Shows a frame; the caller made sure that this is the time to.
  void show(const protocol::TelemetryFrame& frame, qint64 ageMs) {
    if (!planes.setFrame(frame)) return;
    if (!frame.lastStep.empty()) wave.offer(frame.lastStep);
    const bool live = ageMs < kIdleMs;
    if (live) idleTimer.start(static_cast<int>(kIdleMs - ageMs));
    setIdle(!live);
    request();
  }

  // After being hidden or paused: the newest frame, if one came, and animations go on.
  void resume() {
    if (!isSeen()) return;
    if (!paused) {
      if (kept) {
        const protocol::TelemetryFrame frame = std::move(*kept);
        kept.reset();
        show(frame, sinceFrame.elapsed());
      } else if (!idle) {
        const qint64 age = sinceFrame.elapsed();
        if (age < kIdleMs) idleTimer.start(static_cast<int>(kIdleMs - age));
        if (age >= kIdleMs) setIdle(true);
      }
    }
    request();
  }

  void rest() {
    clock.cancel();
    idleTimer.stop();
  }

  void tick(double seconds) {
    const bool moving = viewport.isMoving();
    if (viewport.advance(seconds)) clock.request();
    if (moving) viewDirty = true;
    if (waveOn) {
      if (!paused) {
        wave.advance(seconds, !idle);
        if (wave.isPlaying()) clock.request();
      }
      planes.setShares(wave.shares());
      q->update(waveRect());
    }
    updateReadout();
    render();
    if (overlayDirty) q->update(mapRect());
    overlayDirty = false;
  }

  void render(const QRect& exposed = {}) {
    if (viewDirty) painter.setView(viewport, q->devicePixelRatioF());
    viewDirty = false;
    const QRect changed = painter.render(planes, planes.takeDirty());
    if (changed.isEmpty() || exposed.contains(changed.translated(mapRect().topLeft()))) return;
    q->update(changed.translated(mapRect().topLeft()));
    q->update(miniMapRect(mapRect(), planes, viewport));
  }

  // --- the read-out ---
  void updateReadout() {
    Readout fresh;
    if (hovering && !dragging) {
      const QPointF core = viewport.toCore(mouse);
      fresh = readoutAt(planes, static_cast<int>(std::floor(core.x())),
                        static_cast<int>(std::floor(core.y())));
    } else if (keyboardReadout) {
      const QPointF core = viewport.targetCentre();
      fresh = readoutAt(planes, static_cast<int>(std::floor(core.x())),
                        static_cast<int>(std::floor(core.y())));
    }
    const QRect place = readoutPlace(fresh);
    if (fresh.text() == readout.text() && place == readoutRect) return;
    const bool elsewhere = fresh.title != readout.title;
    if (fresh.regionIndex != readout.regionIndex) overlayDirty = true;  // its outline moves
    q->update(readoutRect | place);
    readout = std::move(fresh);
    readoutRect = place;
    if (elsewhere) describe();
    emit q->readoutChanged(readout.text());
  }

  QRect readoutPlace(const Readout& content) const {
    if (content.isEmpty()) return {};
    constexpr double kOffset = 18, kMargin = 8;
    const QRect map = mapRect();
    const QSizeF size = readoutSize(content, map.width() - 2 * kMargin);
    if (!hovering)  // by keyboard: out of the way
      return QRectF(QPointF(map.left() + kMargin, map.top() + kMargin), size).toAlignedRect();
    const QPointF at = mouse + map.topLeft();
    double x = at.x() + kOffset, y = at.y() + kOffset;
    if (x + size.width() > map.right() - kMargin) x = at.x() - kOffset - size.width();
    if (y + size.height() > map.bottom() - kMargin) y = at.y() - kOffset - size.height();
    x = std::clamp(x, map.left() + kMargin,
                   std::max(map.left() + kMargin, map.right() - kMargin - size.width()));
    y = std::clamp(y, map.top() + kMargin,
                   std::max(map.top() + kMargin, map.bottom() - kMargin - size.height()));
    return QRectF(QPointF(x, y), size).toAlignedRect();
  }

  // Not with every frame: a screen reader would never come to rest.
  void describe() {
    const QString machine = q->machineText();
    const QString text = readout.text();
    q->setAccessibleDescription(text.isEmpty() ? machine : text + QLatin1Char('\n') + machine);
  }

  // --- painting ---
  QString badge() const {
    if (paused) return tr("Paused");
    if (waveOn) return wave.isPlaying() ? tr("Slow motion") : tr("Idle");
    if (fades()) return sinceFrame.isValid() ? tr("Idle, last activity") : tr("Idle");
    return {};
  }

  void paintMap(QPainter& p, const QRect& exposed) {
    const QRect map = mapRect();
    const double ratio = painter.image().devicePixelRatio();
    const QRect part = exposed & map;
    if (part.isEmpty()) return;
    const QRect in = part.translated(-map.topLeft());
    p.drawImage(part, painter.image(),
                QRectF(QPointF(in.topLeft()) * ratio, QSizeF(in.size()) * ratio));
    p.setClipRect(part);
    paintPointed(p);
    const QRect mini = miniMapRect(map, planes, viewport);
    if (!mini.isEmpty() && mini.intersects(part))
      drawMiniMap(p, mini, planes, viewport, theme, colours());
    if (!readout.isEmpty() && readoutRect.intersects(part))
      drawReadout(p, readoutRect, readout, planes, theme, q->font());
    p.setClipping(false);
  }

  // The outline of the region (or, drawn large, of the PE) under the mouse.
  void paintPointed(QPainter& p) {
    if (readout.isEmpty()) return;
    const double scale = viewport.scale();
    QRectF outline;
    if (scale >= WaferPainter::kCoreGapScale) {
      const QPointF core = hovering ? viewport.toCore(mouse) : viewport.targetCentre();
      const QPointF corner(std::floor(core.x()), std::floor(core.y()));
      outline = QRectF(viewport.toPixel(corner), viewport.toPixel(corner + QPointF(1, 1)));
    } else if (readout.regionIndex >= 0) {
      const auto& r = planes.layout().regions[readout.regionIndex].rect;
      outline = QRectF(viewport.toPixel(QPointF(r.x, r.y)),
                       viewport.toPixel(QPointF(r.x + r.width, r.y + r.height)));
    } else {
      return;
    }
    p.setPen(QPen(QColor(theme.accent), 1));
    p.setBrush(Qt::NoBrush);
    const QRectF near = QRectF(mapRect()).adjusted(-9, -9, 9, 9);
    p.drawRect((outline.translated(mapRect().topLeft()) & near).toAlignedRect().adjusted(
        0, 0, -1, -1));
  }

  void paintEmpty(QPainter& p) {
    p.fillRect(q->rect(), QColor(theme.backdrop));
    QFont title = q->font();
    title.setPixelSize(16);
    title.setWeight(QFont::DemiBold);
    const QRect middle = q->rect().adjusted(16, 0, -16, 0);
    const int y = q->height() / 2;
    p.setFont(title);
    p.setPen(QColor(theme.text));
    p.drawText(QRect(middle.left(), y - 30, middle.width(), 24), Qt::AlignCenter,
               tr("No model loaded"));
    QFont small = q->font();
    small.setPixelSize(12);
    p.setFont(small);
    p.setPen(QColor(theme.dimText));
    p.drawText(QRect(middle.left(), y, middle.width(), 60),
               Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, emptyText);
  }

  const LevelColours& colours() const { return fades() ? theme.idleLevels : theme.levels; }

  void fitAnimated(const QRectF& cores) {
    viewport.fit(cores, motion());
    changedView();
  }
};

WaferView::WaferView(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>(this)) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
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
  d->sinceFrame.invalidate();
  d->planes.setLayout(layout);
  d->wave.setLayout(d->planes.layout());
  d->viewport.setFabric(QSizeF(d->planes.width(), d->planes.height()));
  d->setIdle(true);
  d->painter.setIdle(d->fades());
  d->describe();
  d->relayout();
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
  if (on) {
    d->wave.restart();
    d->planes.setShares(d->wave.shares());
  } else {
    d->wave.stop();
    d->planes.endShares();
  }
  d->painter.setIdle(d->fades());
  d->relayout();
  emit waveChanged(on);
}

double WaferView::waveSlowdown() const { return d->wave.askedSlowdown(); }

void WaferView::setWaveSlowdown(double slowdown) {
  d->wave.setSlowdown(slowdown);
  update(d->waveRect());
}

QString WaferView::waveText() const { return waveSummary(d->wave); }

void WaferView::zoomIn() {
  d->viewport.zoomAt(QRectF(QPointF(), d->viewport.size()).center(), kKeyZoom, d->motion());
  d->changedView();
}

void WaferView::zoomOut() {
  d->viewport.zoomAt(QRectF(QPointF(), d->viewport.size()).center(), 1 / kKeyZoom, d->motion());
  d->changedView();
}

void WaferView::fitWafer() {
  d->viewport.fitAll(d->motion());
  d->changedView();
}

void WaferView::fitModel() {
  QRect used;
  for (const auto& region : d->planes.layout().regions)
    used |= QRect(region.rect.x, region.rect.y, region.rect.width, region.rect.height);
  if (used.isEmpty()) return fitWafer();
  d->fitAnimated(used);
}

void WaferView::fitDie(int column, int row) {
  if (hasLayout()) d->fitAnimated(d->planes.dieRect(column, row));
}

void WaferView::fitRegion(int region) {
  const auto& regions = d->planes.layout().regions;
  if (region < 0 || region >= static_cast<int>(regions.size())) return;
  const auto& r = regions[region].rect;
  d->fitAnimated(QRectF(r.x, r.y, r.width, r.height));
}

void WaferView::fitPe(int x, int y) { d->fitAnimated(QRectF(x, y, 1, 1)); }

double WaferView::pixelsPerCore() const { return d->viewport.targetScale(); }

QString WaferView::readoutText() const { return d->readout.text(); }

QString WaferView::machineText() const {
  return hasLayout() ? machineSummary(d->planes.layout()) : QString();
}

int WaferView::paintCount() const { return d->paints; }
int WaferView::tickCount() const { return d->clock.tickCount(); }
bool WaferView::hasActiveTimer() const { return d->clock.isActive() || d->idleTimer.isActive(); }

QSize WaferView::sizeHint() const { return {420, 640}; }
QSize WaferView::minimumSizeHint() const { return {240, 260}; }

bool WaferView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && hasLayout()) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text;
    if (d->headerRect().contains(help->pos())) {
      text = tr("%1.\nCycles are charged by the kernel profile's cost model for each op that ran; "
                "seconds are cycles over this clock.").arg(machineText());
    } else if (d->legendRect().contains(help->pos())) {
      text = tr("The scale is fixed: a colour always means the same value.\n"
                "Drawn small, a pixel shows the highest value of the cores under it.");
    }
    if (text.isEmpty()) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(help->globalPos(), text, this);
    }
    return true;
  }
  if (event->type() == QEvent::NativeGesture) {
    const auto* gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() == Qt::ZoomNativeGesture) {
      d->viewport.zoomAt(gesture->position() - d->mapRect().topLeft(), 1 + gesture->value(),
                         Motion::kAtOnce);
      d->changedView();
      return true;
    }
  }
  return QWidget::event(event);
}

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
  const QRect exposed = event->rect();
  if (d->viewDirty || d->painter.image().devicePixelRatio() != devicePixelRatioF()) {
    d->viewDirty = true;
    d->render(exposed);  // asks for another paint of what changed beyond
  }
  d->paintMap(p, exposed);
  if (exposed.intersects(d->headerRect())) {
    p.fillRect(d->headerRect(), QColor(d->theme.backdrop));
    drawHeader(p, d->headerRect(), d->planes.layout(), d->badge(), d->paused, d->theme, font());
  }
  if (d->waveOn && exposed.intersects(d->waveRect())) {
    p.fillRect(d->waveRect(), QColor(d->theme.backdrop));
    drawWaveBar(p, d->waveRect(), d->wave, d->planes.layout(), d->theme, font());
  }
  if (exposed.intersects(d->legendRect())) {
    p.fillRect(d->legendRect(), QColor(d->theme.backdrop));
    drawLegend(p, d->legendRect(),
               d->waveOn ? waveLegend(d->wave.windowCycles())
                         : metricLegend(d->planes.metric(), d->planes.layout().sramPerPe),
               d->theme, d->colours(), font());
  }
  if (d->keyboardFocus && hasFocus()) {
    p.setPen(QPen(palette().color(QPalette::Highlight), 2));
    p.setBrush(Qt::NoBrush);
    p.drawRect(rect().adjusted(1, 1, -1, -1));
  }
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

void WaferView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
    return event->ignore();
  if (!d->mapRect().contains(event->pos())) return;
  d->viewport.stop();
  d->pressed = event->position();
}

void WaferView::mouseMoveEvent(QMouseEvent* event) {
  if (d->pressed) {
    const QPointF moved = event->position() - *d->pressed;
    if (!d->dragging && moved.manhattanLength() < kDragStart) return;
    if (!d->dragging) setCursor(Qt::ClosedHandCursor);
    d->dragging = true;
    d->pressed = event->position();
    d->viewport.panBy(moved, Motion::kAtOnce);
    d->changedView();
  }
  d->hovering = d->mapRect().contains(event->pos()) && hasLayout();
  d->keyboardReadout = false;
  d->mouse = event->position() - d->mapRect().topLeft();
  d->changedOverlay();
}

void WaferView::mouseReleaseEvent(QMouseEvent*) {
  if (d->dragging) unsetCursor();
  d->pressed.reset();
  d->dragging = false;
  d->changedOverlay();
}

// Wafer, die, PE, and back to the wafer.
void WaferView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !d->mapRect().contains(event->pos())) return;
  const QPointF core = d->viewport.toCore(event->position() - d->mapRect().topLeft());
  const int x = static_cast<int>(std::floor(core.x())), y = static_cast<int>(std::floor(core.y()));
  if (x < 0 || y < 0 || x >= d->planes.width() || y >= d->planes.height()) return;
  const QPoint die = d->planes.dieAt(x, y);
  const QSizeF dieSize = d->planes.dieRect(die.x(), die.y()).size();
  const double dieScale = std::min(d->viewport.size().width() / dieSize.width(),
                                   d->viewport.size().height() / dieSize.height());
  const double scale = d->viewport.targetScale();
  if (scale >= 0.9 * d->viewport.maximumScale()) {
    fitWafer();
  } else if (scale >= 0.8 * dieScale) {
    fitPe(x, y);
  } else {
    fitDie(die.x(), die.y());
  }
}

void WaferView::leaveEvent(QEvent*) {
  d->hovering = false;
  d->changedOverlay();
}

void WaferView::wheelEvent(QWheelEvent* event) {
  if (!hasLayout()) return event->ignore();
  const QPointF at = event->position() - d->mapRect().topLeft();
  const QPoint turned = event->angleDelta();
  if (std::abs(turned.x()) > std::abs(turned.y())) {
    d->viewport.panBy(QPointF(turned.x(), 0), d->motion());
  } else {
    d->viewport.zoomAt(at, std::exp2(turned.y() / kWheelStep), d->motion());
  }
  d->changedView();
  event->accept();
}

void WaferView::keyPressEvent(QKeyEvent* event) {
  const auto pan = [this](double x, double y) {
    d->viewport.panBy(QPointF(x, y) * kKeyPan, d->motion());
    d->changedView();
  };
  if (!hasLayout() || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))
    return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomIn(); break;
    case Qt::Key_Minus: zoomOut(); break;
    case Qt::Key_0:
    case Qt::Key_Home: fitWafer(); break;
    case Qt::Key_F: fitModel(); break;
    case Qt::Key_Left: pan(1, 0); break;
    case Qt::Key_Right: pan(-1, 0); break;
    case Qt::Key_Up: pan(0, 1); break;
    case Qt::Key_Down: pan(0, -1); break;
    case Qt::Key_M: {
      const int step = event->modifiers() & Qt::ShiftModifier ? kMetrics - 1 : 1;
      setMetric(static_cast<Metric>((static_cast<int>(metric()) + step) % kMetrics));
      break;
    }
    case Qt::Key_W: setWave(!isWave()); break;
    case Qt::Key_Space: setPaused(!isPaused()); break;
    default: return QWidget::keyPressEvent(event);
  }
  // Without a mouse on the map, the PE in the middle is the one that is read out.
  d->keyboardReadout = !d->hovering;
  d->changedOverlay();
}

void WaferView::focusInEvent(QFocusEvent* event) {
  d->keyboardFocus = event->reason() == Qt::TabFocusReason ||
                     event->reason() == Qt::BacktabFocusReason ||
                     event->reason() == Qt::ShortcutFocusReason;
  update();
}

void WaferView::focusOutEvent(QFocusEvent*) {
  d->keyboardReadout = false;
  d->changedOverlay();
  update();
}

}  // namespace waferpair::view
