// SPDX-License-Identifier: GPL-3.0-or-later
// Maps each pixel column (or row) of the picture to the cores it covers, once per zoom or resize.
#pragma once

#include <vector>

namespace waferpair::view {

// Pixel i covers cores [first[i], last[i]), at least one, for begin <= i < end; pixels outside that
// range lie off the fabric. Zoomed out (a pixel spans a core or more) every visible core is covered
// by exactly one pixel; zoomed in, each pixel covers one core.
struct AxisMap {
  std::vector<int> first;
  std::vector<int> last;
  int begin = 0;
  int end = 0;

  // `origin` is the core position at the left edge of pixel 0.
  void build(int pixels, double origin, double coresPerPixel, int cores);

  // The first pixel that belongs to core `core` or a later one; within [begin, end].
  int pixelOf(int core) const;
};

}  // namespace waferpair::view
