// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/packer.h"

#include <algorithm>
#include <cassert>

namespace waferpair::wafer {

Packer::Spot Packer::add(const Grid& size) {
  assert(size.width <= width_ && size.height <= height_);
  // A shelf may still grow downwards while it is the last one.
  if (used_ + size.width > width_ || shelfTop_ + size.height > height_) {
    shelfTop_ += shelfHeight_;
    shelfHeight_ = used_ = 0;
    leftwards_ = !leftwards_;
  }
  if (shelfTop_ + size.height > height_) {
    ++wafer_;
    shelfTop_ = 0;
    leftwards_ = false;
  }
  Spot spot{wafer_, {used_, shelfTop_, size.width, size.height}};
  if (leftwards_) spot.rect.x = width_ - used_ - size.width;
  // The rectangle is on the wafer, and beside all else of its shelf.
  assert(spot.rect.x >= 0 && used_ + size.width <= width_);
  assert(spot.rect.y >= 0 && spot.rect.y + size.height <= height_);
  used_ += size.width;
  shelfHeight_ = std::max(shelfHeight_, size.height);
  return spot;
}

}  // namespace waferpair::wafer
