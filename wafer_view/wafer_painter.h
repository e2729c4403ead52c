// SPDX-License-Identifier: GPL-3.0-or-later
// Draws planes through a viewport into an image, on the CPU, with no widget: what it draws can be
// tested on any machine. The cost depends on the pixels that changed, not on the number of cores.
#pragma once

#include <QFont>
#include <QImage>
#include <QRect>
#include <vector>

#include "wafer_view/axis_map.h"
#include "wafer_view/planes.h"
#include "wafer_view/region_labels.h"
#include "wafer_view/theme.h"
#include "wafer_view/viewport.h"

class QPainter;

namespace waferpair::view {

class WaferPainter {
 public:
  // The pixels a core from which on detail is drawn.
  static constexpr double kCoreGapScale = 24;
  static constexpr double kTileScale = 56;         // SRAM bar and the value
  static constexpr double kCoordinateScale = 120;  // coordinates and all figures

  void setTheme(const WaferColors& theme);
  void setFont(const QFont& font);
  void setIdle(bool idle);  // draws the last activity faded
  // The viewport is copied; call again after each change of it.
  void setView(const Viewport& viewport, double devicePixelRatio);

  // Brings the image up to date and returns what changed of it, in logical pixels. `changed` are
  // the cores rewritten since the last call; everything is drawn when the view itself changed.
  QRect render(const Planes& planes, const QRect& changed);

  // RGB32, the viewport's size times the device pixel ratio.
  const QImage& image() const { return image_; }
  const AxisMap& columns() const { return columns_; }
  const AxisMap& rows() const { return rows_; }

 private:
  // A pixel column or row that is mixed towards the gap color.
  enum class GapKind : unsigned char { kNone, kDie, kCore };
  struct Gap {
    int pixel = 0;
    GapKind kind = GapKind::kNone;
  };

  void buildMaps(const Planes& planes);
  void buildSilicon(const Planes& planes);
  void buildLabels(const Planes& planes);
  void drawGround(const Planes& planes);
  void drawFabric(const Planes& planes, const QRect& pixels);
  void drawOutlines(const Planes& planes, const QRect& pixels);
  void drawDetail(const Planes& planes, const QRect& pixels);
  void drawTiles(const Planes& planes, QPainter& painter);
  QRgb inGap(QRgb pixel, QRgb silicon, GapKind kind) const;
  QRect pixelRect(const QRect& cores) const;  // of the image
  const LevelColors& colors() const { return idle_ ? theme_.idleLevels : theme_.levels; }

  WaferColors theme_;
  QFont font_;
  Viewport viewport_;
  double ratio_ = 1;
  bool idle_ = false;
  bool viewChanged_ = true;

  QImage image_;
  AxisMap columns_, rows_;
  std::vector<Gap> columnGaps_;
  std::vector<GapKind> rowGaps_;  // by pixel row
  std::vector<QRgb> silicon_;     // [die rows][image width]
  std::vector<int> dieRowOf_;     // by core row
  // A pixel column covers n or n + 1 cores; two spans of block_ cores, the largest power of two
  // not above n, cover either: one from first[x], the other from secondSpan_[x].
  int block_ = 1;
  std::vector<int> secondSpan_;
  std::vector<RegionLabel> labels_;
  std::vector<Level> merged_;  // one row of cores, maximum over the rows a pixel covers
};

}  // namespace waferpair::view
