// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/axis_map.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace waferpair::view {

void AxisMap::build(int pixels, double origin, double coresPerPixel, int cores) {
  first.assign(pixels, 0);
  last.assign(pixels, 0);
  begin = pixels;
  end = 0;
  // The end of one pixel is computed as the start of the next: no core falls between two.
  const auto edge = [&](int pixel) {
    return static_cast<int>(std::floor(std::clamp(origin + pixel * coresPerPixel, -1e9, 1e9)));
  };
  for (int i = 0; i < pixels; ++i) {
    const int low = edge(i), high = std::max(low + 1, edge(i + 1));
    first[i] = std::max(low, 0);
    last[i] = std::min(high, cores);
    if (first[i] >= last[i]) continue;
    begin = std::min(begin, i);
    end = i + 1;
  }
  begin = std::min(begin, end);
}

int AxisMap::pixelOf(int core) const {
  assert(begin <= end && static_cast<std::size_t>(end) <= last.size());
  const auto from = last.begin() + begin, to = last.begin() + end;
  return static_cast<int>(std::upper_bound(from, to, core) - last.begin());
}

}  // namespace waferpair::view
