// SPDX-License-Identifier: GPL-3.0-or-later
// The angles of rotary positions. Private to this room.
#pragma once

#include <span>
#include <vector>

#include "runtime/transformer/config.h"

namespace waferpair::transformer {

struct Rotary {
  std::vector<double> frequencies;  // [ropeDim / 2], radians per position
  double magnitude = 1;             // of the rotated values

  // Of the layers that see all positions, or of windowed ones. `factors`, [ropeDim / 2] or empty,
  // divide the frequencies (rope_freqs.weight; that is how files scale as Llama 3 does).
  static Rotary make(const Config& config, bool windowed, std::span<const float> factors);

  // cosSin[ropeDim] <- cosine and sine of each pair's angle at a position, times the magnitude.
  void angles(int position, float* cosSin) const;
};

}  // namespace waferpair::transformer
