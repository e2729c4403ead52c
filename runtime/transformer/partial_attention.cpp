// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/partial_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace waferpair::transformer {

using tensor::Attended;

Attended partIn(float* slot, int rows) { return {slot, slot + rows, slot + 2 * rows}; }

void clear(const Attended& part, int rows, int headDim) {
  std::fill_n(part.max, rows, -std::numeric_limits<float>::infinity());
  std::fill_n(part.sum, rows, 0.0f);
  std::fill_n(part.out, rows * headDim, 0.0f);
}

void merge(const Attended& into, const Attended& next, int rows, int headDim) {
  for (int r = 0; r < rows; ++r) {
    const float max = std::max(into.max[r], next.max[r]);
    // One of the two is the larger, so only one exponential is needed.
    const float keep = into.max[r] == max ? 1 : std::exp(into.max[r] - max);
    const float take = next.max[r] == max ? 1 : std::exp(next.max[r] - max);
    into.max[r] = max;
    into.sum[r] = into.sum[r] * keep + next.sum[r] * take;
    float* out = into.out + r * headDim;
    const float* other = next.out + r * headDim;
    for (int d = 0; d < headDim; ++d) out[d] = out[d] * keep + other[d] * take;
  }
}

void divide(const Attended& all, const float* sinks, int rows, int headDim, float* out) {
  for (int r = 0; r < rows; ++r) {
    float sum = all.sum[r];  // the largest score adds 1, so it is at least that
    if (sinks != nullptr) sum += std::exp(sinks[r] - all.max[r]);
    const float inverse = 1 / sum;
    for (int d = 0; d < headDim; ++d) out[r * headDim + d] = all.out[r * headDim + d] * inverse;
  }
}

}  // namespace waferpair::transformer
