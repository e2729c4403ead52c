// SPDX-License-Identifier: GPL-3.0-or-later
// The wafer view's state, shared by the files it is written in: wafer_view.cpp (what others call),
// wafer_view_work.cpp (when something is done), wafer_view_paint.cpp and wafer_view_input.cpp.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <optional>

#include "wafer_view/defect_map.h"
#include "wafer_view/frame_clock.h"
#include "wafer_view/header.h"
#include "wafer_view/legend.h"
#include "wafer_view/planes.h"
#include "wafer_view/readout.h"
#include "wafer_view/theme.h"
#include "wafer_view/view_places.h"
#include "wafer_view/viewport.h"
#include "wafer_view/wafer_painter.h"
#include "wafer_view/wafer_strip.h"
#include "wafer_view/wafer_view.h"
#include "wafer_view/wave.h"

namespace waferpair::view {

struct WaferView::Private {
  using Motion = Viewport::Motion;

  explicit Private(WaferView* view) : q(view), clock(view), idleTimer(view) {}

  WaferView* q;
  FrameClock clock;  // paces everything that is drawn; asked for ticks only while q is seen
  QTimer idleTimer;  // single shot: runs from each frame until the picture counts as old

  // The content of the view. Everything is in logical pixels of the widget unless said otherwise.
  protocol::WaferLayout given;  // as set, to know the same one again; planes hold it clipped
  Planes planes;
  WaveReplay wave;
  Viewport viewport;  // of the map alone: (0, 0) is the map's corner
  WaferPainter painter;
  WaferColors theme;
  QString emptyText;

  static inline bool animatedAtFirst = true;
  bool animated = animatedAtFirst;
  bool paused = false;
  bool defects = false;         // an illustration of them is drawn
  bool waveHeld = false;        // by a hand on it
  std::uint32_t waveTotal = 0;  // cycles of the step that was told last
  bool waveOn = false;          // invariant, from each tick on: planes.showsShares() == waveOn
  bool idle = true;
  std::optional<protocol::TelemetryFrame> kept;  // newest, not shown yet: hidden or paused
  QElapsedTimer sinceFrame;                      // invalid before the first frame of a layout

  bool viewDirty = true;      // the painter has not seen the viewport, theme or ratio yet
  bool overlayDirty = false;  // the read-out moved, or the outline of what it is about
  int paints = 0;

  // The PE that is read out: under the mouse, or by keyboard the one in the middle.
  bool hovering = false;
  bool keyboardReadout = false;
  bool keyboardFocus = false;      // came by Tab: a frame shows it
  QPointF mouse;                   // within the map
  Readout readout;                 // its region index is of the layout in `planes`
  std::optional<QPointF> pressed;  // where a button went down; drags from there
  bool dragging = false;

  // The places of the parts.
  bool hasWafers() const { return planes.layout().wafers > 1; }
  ViewPlaces places() const { return placesFor(q->size(), hasWafers()); }
  QRect mapRect() const { return places().map; }
  WaferStrip strip() const { return {places().wafers, planes, q->font()}; }

  // Nothing is drawn or animated unless the view can be seen.
  bool isSeen() const { return q->isVisible() && !q->window()->isMinimized(); }
  // Nobody watches an animation of a hidden view, and no timer may run for it.
  Motion motion() const { return isSeen() && animated ? Motion::kAnimated : Motion::kAtOnce; }
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
  void relayout();
  void retheme();
  void setIdle(bool on);
  void show(const protocol::TelemetryFrame& frame, qint64 ageMs);
  void resume();
  void rest();
  void tick(double seconds);
  void render(const QRect& exposed = {});
  void fitAnimated(const QRectF& cores);

  void forgetReadout();
  void updateReadout();
  void describe();

  // Activity of long ago is drawn faded. SRAM is what it is at any time, and so is a replay.
  bool fades() const { return idle && !waveOn && !isSram(planes.metric()); }
  const LevelColors& colors() const { return fades() ? theme.idleLevels : theme.levels; }
  void movedWave();
  QString state() const;
  QString badge() const;
  void paint(QPainter& painter, const QRect& exposed);
  void paintMap(QPainter& painter, const QRect& exposed);
  void paintDefects(QPainter& painter);
  void paintPointed(QPainter& painter);
  void paintEmpty(QPainter& painter);
};

}  // namespace waferpair::view
