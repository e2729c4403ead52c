// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/defect_map.h"

#include <cmath>
#include <random>

#include "wafer_view/metric.h"
#include "wafer_view/translate.h"

namespace waferpair::view {
namespace {

// "100x Defect Tolerance: How Cerebras Solved the Yield Problem", cerebras.ai, January 2025: cores
// on a WSE-3 and cores in use, the area of the wafer, and the defects of TSMC's 5 nm process.
constexpr int kPhysicalCores = 970'000, kUsedCores = 900'000;
constexpr double kWaferSquareMillimeters = 46'225, kDefectsASquareMillimeter = 0.001;

}  // namespace

DefectMap illustrativeDefects(const protocol::WaferLayout& layout, int wafer) {
  DefectMap map;
  if (layout.machine != "wse3" || layout.fabricWidth < 1 || layout.fabricHeight < 1) return map;
  map.spareShare = 1.0 - static_cast<double>(kUsedCores) / kPhysicalCores;
  const auto count = std::lround(kWaferSquareMillimeters * kDefectsASquareMillimeter);
  // mt19937's numbers are the same everywhere; those of a distribution need not be.
  std::mt19937 random(static_cast<std::uint32_t>(wafer) + 1);
  const auto below = [&](int bound) {
    return static_cast<int>(random() % static_cast<std::uint32_t>(bound));
  };
  for (long i = 0; i < count; ++i) {
    const int x = below(layout.fabricWidth);
    map.defects.emplace_back(x, below(layout.fabricHeight));
  }
  return map;
}

QString defectText(const DefectMap& map) {
  if (map.isEmpty()) return tr("defects: nothing is published of this machine");
  return tr("defects: an illustration, %1 of %2 cores")
      .arg(countText(static_cast<std::int64_t>(map.defects.size())), countText(kPhysicalCores));
}

}  // namespace waferpair::view
