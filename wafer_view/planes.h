// SPDX-License-Identifier: GPL-3.0-or-later
// Planes of one byte a core: region activity from telemetry, expanded to every PE of the fabric for
// the metric that is shown. A model on several wafers has one of them expanded at a time; levels
// and exact figures are kept for the regions of all.
#pragma once

#include <QRect>
#include <QString>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/protocol/telemetry.h"
#include "wafer_view/metric.h"

namespace waferpair::view {

class Planes {
 public:
  // Larger fabrics are refused: no machine comes near, and a broken layout must not eat memory.
  static constexpr int kMaxFabricSide = 4096;

  // False when the layout has no fabric (see kMaxFabricSide); the planes are empty then. Region
  // rectangles are clipped to the fabric, ops of unknown regions are kept but belong to none.
  bool setLayout(const protocol::WaferLayout& layout);
  void clear();
  const protocol::WaferLayout& layout() const { return layout_; }  // with clipped rectangles
  bool isEmpty() const { return levels_.empty(); }
  int width() const { return layout_.fabricWidth; }
  int height() const { return layout_.fabricHeight; }

  // The wafer that is expanded: 0 with a new layout.
  int wafer() const { return wafer_; }
  void setWafer(int wafer);  // the nearest there is
  // The rectangle of a region on the fabric; empty if it lies on another wafer.
  const QRect& rect(int region) const { return rects_[region]; }

  Metric metric() const { return metric_; }
  void setMetric(Metric metric);

  // False, and nothing changes, when the frame's regions are not those of the layout.
  bool setFrame(const protocol::TelemetryFrame& frame);

  // Draws these shares (0 to 1, one a region, linear) instead of the metric, until endShares().
  void setShares(std::span<const float> shares);
  void endShares();
  bool showsShares() const { return showsShares_; }

  const Level* row(int y) const { return levels_.data() + std::size_t(y) * width(); }
  Level regionLevel(int region) const { return regionLevels_[region]; }
  // Returns an index into layout().regions, -1 for unused silicon or outside the fabric.
  int regionAt(int x, int y) const;
  // Returns the op names of a region, in the order of the layout.
  std::vector<QString> opsOf(int region) const;

  double value(int region, Metric metric) const;             // in the metric's own unit
  float share(int region) const { return shares_[region]; }  // only while showsShares()
  std::uint64_t intervalCycles() const { return intervalCycles_; }

  // Returns the cores rewritten since the last call.
  QRect takeDirty();

  // The die in a column and row of the wafer; dies of a fabric that does not divide evenly differ
  // by one core.
  QRect dieRect(int column, int row) const;
  QPoint dieAt(int x, int y) const;

 private:
  void expandWafer();
  void refresh();
  void paintRegion(int region, Level level);

  protocol::WaferLayout layout_;
  std::vector<QRect> rects_;  // of layout_.regions, as rect()
  std::vector<Level> levels_;
  std::vector<Level> regionLevels_;
  std::vector<protocol::RegionActivity> activity_;
  std::vector<float> shares_;
  std::uint64_t intervalCycles_ = 0;
  Metric metric_ = Metric::kUtilization;
  bool showsShares_ = false;
  int wafer_ = 0;
  QRect dirty_;
};

// The scale of setShares().
inline constexpr Scale kShareScale{0, 1, false};

}  // namespace waferpair::view
