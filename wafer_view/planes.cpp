// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/planes.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace waferpair::view {
namespace {

using protocol::SramKind;

std::uint32_t sramOf(const protocol::RegionLayout& region, SramKind kind) {
  return region.sramPerPe[static_cast<std::size_t>(kind)];
}

// Returns where die `index` of `count` begins on an axis of `cores`.
int dieEdge(int index, int count, int cores) {
  assert(count > 0 && index >= 0 && index <= count);
  return static_cast<int>((2LL * index * cores + count) / (2LL * count));
}

int dieIndex(int core, int count, int cores) {
  int index =
      std::clamp(static_cast<int>(std::int64_t{core} * count / std::max(1, cores)), 0, count - 1);
  while (index > 0 && core < dieEdge(index, count, cores)) --index;
  while (index + 1 < count && core >= dieEdge(index + 1, count, cores)) ++index;
  return index;
}

}  // namespace

bool Planes::setLayout(const protocol::WaferLayout& layout) {
  clear();
  if (layout.fabricWidth < 1 || layout.fabricWidth > kMaxFabricSide || layout.fabricHeight < 1 ||
      layout.fabricHeight > kMaxFabricSide)
    return false;
  layout_ = layout;
  layout_.wafers = std::max(1, layout.wafers);
  layout_.dieColumns = std::clamp(layout.dieColumns, 1, layout.fabricWidth);
  layout_.dieRows = std::clamp(layout.dieRows, 1, layout.fabricHeight);

  for (protocol::RegionLayout& region : layout_.regions) {
    // Far corners in 64 bits: a broken rectangle must not overflow.
    auto& r = region.rect;
    const std::int64_t right = std::min<std::int64_t>(std::int64_t{r.x} + r.width, width());
    const std::int64_t bottom = std::min<std::int64_t>(std::int64_t{r.y} + r.height, height());
    const int x = std::clamp(r.x, 0, width()), y = std::clamp(r.y, 0, height());
    r = {x, y, static_cast<int>(std::max<std::int64_t>(0, right - x)),
         static_cast<int>(std::max<std::int64_t>(0, bottom - y))};
    region.wafer = std::clamp(region.wafer, 0, layout_.wafers - 1);
  }
  regionLevels_.assign(layout_.regions.size(), kUnusedLevel);
  activity_.assign(layout_.regions.size(), {});
  expandWafer();
  refresh();
  return true;
}

void Planes::setWafer(int wafer) {
  wafer = std::clamp(wafer, 0, layout_.wafers - 1);
  if (wafer == wafer_ || isEmpty()) return;
  wafer_ = wafer;
  expandWafer();
}

void Planes::expandWafer() {
  assert(wafer_ >= 0 && wafer_ < layout_.wafers);
  assert(regionLevels_.size() == layout_.regions.size());
  levels_.assign(std::size_t(width()) * height(), kUnusedLevel);
  dirty_ = QRect(0, 0, width(), height());
  rects_.clear();
  for (std::size_t i = 0; i < layout_.regions.size(); ++i) {
    const protocol::RegionLayout& region = layout_.regions[i];
    const protocol::Rect& r = region.rect;
    rects_.push_back(region.wafer == wafer_ ? QRect(r.x, r.y, r.width, r.height) : QRect());
    paintRegion(static_cast<int>(i), regionLevels_[i]);
  }
}

void Planes::clear() {
  const Metric metric = metric_;
  *this = Planes();
  metric_ = metric;
}

void Planes::setMetric(Metric metric) {
  metric_ = metric;
  refresh();
}

bool Planes::setFrame(const protocol::TelemetryFrame& frame) {
  if (frame.regions.size() != rects_.size() || isEmpty()) return false;
  activity_ = frame.regions;
  intervalCycles_ = frame.intervalCycles;
  refresh();
  return true;
}

void Planes::setShares(std::span<const float> shares) {
  if (shares.size() != rects_.size()) return;
  shares_.assign(shares.begin(), shares.end());
  showsShares_ = true;
  refresh();
}

void Planes::endShares() {
  showsShares_ = false;
  refresh();
}

int Planes::regionAt(int x, int y) const {
  if (x < 0 || y < 0 || x >= width() || y >= height()) return -1;
  // The last one wins where a broken layout overlaps, as in the plane.
  for (std::size_t i = rects_.size(); i-- > 0;)
    if (rects_[i].contains(x, y)) return static_cast<int>(i);
  return -1;
}

std::vector<QString> Planes::opsOf(int region) const {
  std::vector<QString> names;
  for (const protocol::OpLayout& op : layout_.ops)
    if (op.region == region) names.push_back(QString::fromStdString(op.name));
  return names;
}

double Planes::value(int region, Metric metric) const {
  assert(region >= 0 && static_cast<std::size_t>(region) < activity_.size());
  const protocol::RegionLayout& layout = layout_.regions[region];
  const protocol::RegionActivity& activity = activity_[region];
  const auto perCycle = [this](double amount) {
    return intervalCycles_ == 0 ? 0.0 : amount / static_cast<double>(intervalCycles_);
  };
  switch (metric) {
    case Metric::kUtilization:
      return perCycle(activity.computeCycles);
    case Metric::kActivity:
      return perCycle(activity.activeCycles);
    case Metric::kTraffic:
      return perCycle(activity.wavelets);
    case Metric::kSramCode:
      return sramOf(layout, SramKind::kCode);
    case Metric::kSramWeights:
      return sramOf(layout, SramKind::kWeights);
    case Metric::kSramKvCache:
      return sramOf(layout, SramKind::kKvCache);
    case Metric::kSramActivations:
      return sramOf(layout, SramKind::kActivations);
    case Metric::kSramUsed:
      return double{0} + sramOf(layout, SramKind::kCode) + sramOf(layout, SramKind::kWeights) +
             sramOf(layout, SramKind::kKvCache) + sramOf(layout, SramKind::kActivations);
  }
  return 0;
}

QRect Planes::takeDirty() { return std::exchange(dirty_, QRect()); }

QRect Planes::dieRect(int column, int row) const {
  if (isEmpty()) return {};
  const int columns = layout_.dieColumns, rows = layout_.dieRows;
  const int c = std::clamp(column, 0, columns - 1), r = std::clamp(row, 0, rows - 1);
  const int x = dieEdge(c, columns, width()), y = dieEdge(r, rows, height());
  return {x, y, dieEdge(c + 1, columns, width()) - x, dieEdge(r + 1, rows, height()) - y};
}

QPoint Planes::dieAt(int x, int y) const {
  if (isEmpty()) return {};
  return {dieIndex(x, layout_.dieColumns, width()), dieIndex(y, layout_.dieRows, height())};
}

// Rewrites only regions whose level changed: a frame at batch 1 touches few of them.
void Planes::refresh() {
  // A value for each region, whichever are shown.
  assert(activity_.size() == rects_.size());
  assert(!showsShares_ || shares_.size() == rects_.size());
  const Scale scale = showsShares_ ? kShareScale : metricScale(metric_, layout_.sramPerPe);
  for (int region = 0; region < static_cast<int>(rects_.size()); ++region) {
    const double shown = showsShares_ ? shares_[region] : value(region, metric_);
    const Level level = scale.level(shown);
    if (level != regionLevels_[region]) paintRegion(region, level);
  }
}

void Planes::paintRegion(int region, Level level) {
  regionLevels_[region] = level;
  const QRect& rect = rects_[region];
  if (rect.isEmpty()) return;
  // setLayout() cut it to the fabric.
  assert(QRect(0, 0, width(), height()).contains(rect));
  for (int y = rect.top(); y <= rect.bottom(); ++y)
    std::memset(levels_.data() + std::size_t(y) * width() + rect.left(), level, rect.width());
  dirty_ |= rect;
}

}  // namespace waferpair::view
