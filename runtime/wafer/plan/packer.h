// SPDX-License-Identifier: GPL-3.0-or-later
// Lays rectangles on wafers in a serpentine: shelf below shelf, each the other way round, so that
// one region's successor lies beside or below it.
#pragma once

#include "runtime/wafer/plan/placement.h"

namespace waferpair::wafer {

class Packer {
 public:
  explicit Packer(const Machine& machine)
      : width_(machine.fabricWidth), height_(machine.fabricHeight) {}

  struct Spot {
    int wafer = 0;
    Rect rect;
  };
  // The size must fit the fabric. Spots on one wafer never overlap.
  Spot add(const Grid& size);
  int wafers() const { return wafer_ + 1; }

 private:
  int width_, height_;  // of the fabric
  int wafer_ = 0;
  int shelfTop_ = 0, shelfHeight_ = 0;
  int used_ = 0;  // of the shelf's width
  bool leftwards_ = false;
};

}  // namespace waferpair::wafer
