// SPDX-License-Identifier: GPL-3.0-or-later
// The rounding that the encoders of blocks share. Private to this room.
#pragma once

#include <algorithm>
#include <cmath>

namespace waferpair::tensor {

// value / step to the nearest integer within [least, most]; 0 / 0 and NaN give the one
// nearest to 0.
inline int steps(float value, float step, int least, int most) {
  const float ratio = step != 0 ? std::round(value / step) : 0;
  if (!(ratio > static_cast<float>(least))) return ratio == ratio ? least : std::max(least, 0);
  return ratio < static_cast<float>(most) ? static_cast<int>(ratio) : most;
}

// The value of the largest magnitude, with its sign.
inline float extreme(const float* values, int n) {
  float most = 0;
  for (int i = 0; i < n; ++i) {
    if (std::abs(values[i]) > std::abs(most)) most = values[i];
  }
  return most;
}

}  // namespace waferpair::tensor
