// SPDX-License-Identifier: GPL-3.0-or-later
// The wafer as a picture: 893,064 cores colored by what they do, from the whole wafer down to one
// PE and its numbers. Everything it shows is emulated, and it says so with machine, kernel profile
// and clock.
//
// UI thread only. Works at most 60 times a second, and not at all while it is hidden, paused or
// nothing changes: no timer runs then.
#pragma once

#include <QWidget>
#include <array>
#include <cstdint>
#include <memory>

#include "runtime/protocol/telemetry.h"
#include "wafer_view/metric.h"

namespace waferpair::view {

class WaveReplay;

class WaferView : public QWidget {
  Q_OBJECT
 public:
  explicit WaferView(QWidget* parent = nullptr);
  ~WaferView() override;

  // A new layout shows the whole wafer; the same one again changes nothing. Regions are clipped to
  // the fabric. One without a fabric (no width or height, or over 4,096 PEs) counts as none.
  using QWidget::setLayout;
  void setLayout(const protocol::WaferLayout& layout);
  void clearLayout();
  bool hasLayout() const;
  const protocol::WaferLayout& waferLayout() const;  // with regions clipped to the fabric

  // The wafer of a model on several that the map shows, from 0; the first with a new layout.
  int wafer() const;
  void setWafer(int wafer);  // the nearest there is

  // Frames whose regions do not match the layout are dropped. While paused the newest is kept and
  // shown on resuming.
  void addFrame(const protocol::TelemetryFrame& frame);

  // Sets the second line under "No model loaded", which says why: "Connecting to the runtime".
  void setEmptyText(const QString& text);

  Metric metric() const;
  void setMetric(Metric metric);  // another metric ends the wave

  bool isPaused() const;
  void setPaused(bool paused);

  // Wave: the last decode step in slow motion, over and over while the view is not paused.
  // `slowdown` is screen time over emulated time; zero chooses one by which a step takes about two
  // seconds.
  bool isWave() const;
  void setWave(bool on);
  static constexpr std::array<double, 6> kWaveSlowdowns = {0, 1e3, 5e3, 2e4, 1e5, 5e5};
  double waveSlowdown() const;  // as asked; zero when chosen by the view
  void setWaveSlowdown(double slowdown);
  // The next of kWaveSlowdowns, from the one in force.
  void changeWaveSpeed(bool faster);
  // Goes to the next op of the step or the one before, around its ends. Pauses, so that it can be
  // seen.
  void stepWave(bool forward);
  void setWaveCycle(std::uint32_t cycle);
  void holdWave(bool held);  // stands still meanwhile, without being paused
  // Turns animation on or off. Off, a zoom is there at once, and the wave moves only by stepWave()
  // and setWaveCycle(). It is on at first.
  void setAnimated(bool on);
  // Says it of the views that are made from now on.
  static void setAnimatedAtFirst(bool on);
  // An illustration of defective and spare cores, over the map. Off at first.
  bool showsDefects() const;
  void setShowsDefects(bool on);
  const WaveReplay& waveReplay() const;
  // "1 token = 74,000 cycles, slowed 20,000x"; empty before the first decode step.
  QString waveText() const;
  QString wavePositionText() const;  // "cycle 31,204, blk.3.ffn_up"

  void zoomIn();
  void zoomOut();
  void fitWafer();
  void fitModel();  // all regions on this wafer; the wafer when there are none
  void fitDie(int column, int row);
  void fitRegion(int region);  // on whichever wafer it lies
  void fitPe(int x, int y);
  double pixelsPerCore() const;  // where the zoom is going, when it is animated

  // The read-out's text about the PE under the mouse (or, by keyboard, the one in the middle);
  // empty outside the fabric. The accessible description follows it from PE to PE.
  QString readoutText() const;
  // The rectangles of the read-out and of the map: they never overlap.
  QRect readoutRect() const;
  QRect mapRect() const;
  // The name of a picture that is not live: "Paused", "Slow motion", "Idle, last activity".
  QString badgeText() const;
  // "wse3 emulated, kernel profile ..., 1.10 GHz"; empty without a layout.
  QString machineText() const;

  // Paints and timer ticks since construction: idle means that these stand still.
  int paintCount() const;
  int tickCount() const;
  bool hasActiveTimer() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void layoutChanged();
  void metricChanged(waferpair::view::Metric metric);
  void pausedChanged(bool paused);
  void waveChanged(bool on);
  void waveMoved();        // to another place in the step
  void waveStepChanged();  // another step, or none
  void waveSlowdownChanged();
  void waferChanged(int wafer);
  void readoutChanged(const QString& text);
  void idleChanged(bool idle);  // no frame came for a while

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace waferpair::view
