// SPDX-License-Identifier: GPL-3.0-or-later
// When the wafer view does something, and when it does nothing.
#include <algorithm>
#include <cmath>

#include "wafer_view/mini_map.h"
#include "wafer_view/wafer_view_p.h"

namespace waferpair::view {
namespace {

// The server is silent while nothing happens: so long after the last frame, the picture is old.
constexpr int kIdleMs = 1000;

}  // namespace

void WaferView::Private::relayout() {
  viewport.setSize(mapRect().size());
  changedView();
  q->update();
}

void WaferView::Private::retheme() {
  theme = waferColors(q->palette());
  painter.setTheme(theme);
  painter.setFont(q->font());
  changedView();
  q->update();
}

void WaferView::Private::setIdle(bool on) {
  if (on) idleTimer.stop();
  if (idle == on) return;
  idle = on;
  painter.setIdle(fades());
  const ViewPlaces at = places();
  for (const QRect& part : {at.header, at.wafers, at.legend}) q->update(part);
  request();
  if (on) describe();
  emit q->idleChanged(on);
}

// The caller made sure that this is the time to show it.
void WaferView::Private::show(const protocol::TelemetryFrame& frame, qint64 ageMs) {
  // A frame without cycles closes a burst. The map keeps the burst's last activity, and says so as
  // soon as it counts as idle.
  if (frame.intervalCycles == 0 && planes.intervalCycles() > 0) return;
  if (!planes.setFrame(frame)) return;
  q->update(places().wafers);
  if (!frame.lastStep.empty()) {
    wave.offer(frame.lastStep);
    movedWave();
  }
  const bool live = ageMs < kIdleMs;
  if (live) idleTimer.start(static_cast<int>(kIdleMs - ageMs));
  setIdle(!live);
  request();
}

// Goes on after being hidden or paused: shows the newest frame, if one came, and animates.
void WaferView::Private::resume() {
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

// Hidden or minimized. Animations stand where they are until resume().
void WaferView::Private::rest() {
  clock.cancel();
  idleTimer.stop();
}

void WaferView::Private::tick(double seconds) {
  const bool moving = viewport.isMoving();
  if (viewport.advance(seconds)) clock.request();
  if (moving) viewDirty = true;
  if (waveOn) {
    if (!paused && !waveHeld && animated) {
      wave.advance(seconds);
      if (wave.isPlaying()) clock.request();
      movedWave();
    }
    planes.setShares(wave.shares());
    q->update(places().wafers);
  }
  updateReadout();
  render();
  if (overlayDirty) q->update(mapRect());
  overlayDirty = false;
}

// Brings the painter's image up to date and asks for a paint of what changed, as far as it is not
// being painted already (`exposed`).
void WaferView::Private::render(const QRect& exposed) {
  if (viewDirty) painter.setView(viewport, q->devicePixelRatioF());
  viewDirty = false;
  const QRect changed = painter.render(planes, planes.takeDirty());
  if (changed.isEmpty() || exposed.contains(changed.translated(mapRect().topLeft()))) return;
  q->update(changed.translated(mapRect().topLeft()));
  q->update(miniMapRect(mapRect(), planes, viewport));
}

void WaferView::Private::fitAnimated(const QRectF& cores) {
  viewport.fit(cores, motion());
  changedView();
}

// Its region index means nothing under another layout.
void WaferView::Private::forgetReadout() {
  readout = {};
  q->update(places().readout);
}

void WaferView::Private::updateReadout() {
  Readout fresh;
  const bool byMouse = hovering && !dragging;
  if (byMouse || keyboardReadout) {
    const QPointF core = byMouse ? viewport.toCore(mouse) : viewport.targetCenter();
    fresh = readoutAt(planes, static_cast<int>(std::floor(core.x())),
                      static_cast<int>(std::floor(core.y())));
  }
  if (fresh.text() == readout.text()) return;
  const bool elsewhere = fresh.title != readout.title;
  if (fresh.regionIndex != readout.regionIndex) overlayDirty = true;  // its outline moves
  q->update(places().readout);
  readout = std::move(fresh);
  if (elsewhere) describe();
  emit q->readoutChanged(readout.text());
}

// Tells of the place in the step, and of another step; the badge names both states.
void WaferView::Private::movedWave() {
  if (wave.totalCycles() != waveTotal) {
    waveTotal = wave.totalCycles();
    q->update(places().header);
    emit q->waveStepChanged();
  }
  emit q->waveMoved();
}

// Updates the accessible description, though not with every frame: a screen reader would never come
// to rest.
void WaferView::Private::describe() {
  QStringList lines{
      readout.text(), hasWafers() ? strip().text() : QString(), q->machineText(),
      defects ? defectText(illustrativeDefects(planes.layout(), planes.wafer())) : QString()};
  lines.removeAll(QString());
  q->setAccessibleDescription(lines.join(QLatin1Char('\n')));
}

}  // namespace waferpair::view
