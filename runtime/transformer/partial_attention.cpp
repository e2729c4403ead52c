// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/partial_attention.h"

#include <algorithm>
#include <cmath>

#include "runtime/transformer/buffer.h"

namespace waferpair::transformer {

std::size_t PartialAttention::floats(const Config& c) { return area(c.groupSize(), c.headDim + 2); }

PartialAttention PartialAttention::at(float* slot, const Config& c) {
  return {slot, slot + c.groupSize(), slot + 2 * c.groupSize()};
}

void copy(const Config& c, const PartialAttention& from, const PartialAttention& to) {
  std::copy_n(from.max, PartialAttention::floats(c), to.max);  // max, sum, out lie in one slot
}

void merge(const Config& c, const PartialAttention& into, const PartialAttention& next) {
  for (int h = 0; h < c.groupSize(); ++h) {
    const float max = std::max(into.max[h], next.max[h]);
    // One of the two is the larger, so only one exponential is needed.
    const float keep = into.max[h] == max ? 1 : std::exp(into.max[h] - max);
    const float take = next.max[h] == max ? 1 : std::exp(next.max[h] - max);
    into.max[h] = max;
    into.sum[h] = into.sum[h] * keep + next.sum[h] * take;
    float* out = into.out + h * c.headDim;
    const float* other = next.out + h * c.headDim;
    for (int d = 0; d < c.headDim; ++d) out[d] = out[d] * keep + other[d] * take;
  }
}

void divide(const Config& c, const PartialAttention& all, const float* sinks, float* out) {
  for (int h = 0; h < c.groupSize(); ++h) {
    float sum = all.sum[h];  // the largest score adds 1, so it is at least that
    if (sinks != nullptr) sum += std::exp(sinks[h] - all.max[h]);
    const float inverse = 1 / sum;
    for (int d = 0; d < c.headDim; ++d) {
      out[h * c.headDim + d] = all.out[h * c.headDim + d] * inverse;
    }
  }
}

}  // namespace waferpair::transformer
