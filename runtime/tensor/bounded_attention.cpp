// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tensor/bounded_attention.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/tensor/elementwise.h"

namespace waferpair::tensor {

void attendBounded(const float* query, int heads, int headDim, float scale, float cap,
                   const KvHead& kv, int first, int last, float* max, float* sum, float* out) {
  const int start = first / kKeyBlock * kKeyBlock;  // keys lie in blocks of positions
  const int skip = first - start, count = last - start;
  const Half* keys = kv.keys + static_cast<std::int64_t>(start) * headDim;
  const Half* values = kv.values + static_cast<std::int64_t>(start) * headDim;
  for (int h = 0; h < heads; ++h, query += headDim, out += headDim) {
    std::array<float, kChunk> scores{};
    for (int p = 0; p < count; p += kKeyBlock) {  // the last block may go past count
      const Half* block = keys + static_cast<std::int64_t>(p) * headDim;
      std::array<float, kKeyBlock> dots{};
      for (int d = 0; d < headDim; ++d) {
        for (int i = 0; i < kKeyBlock; ++i) dots[i] += query[d] * toFloat(block[d * kKeyBlock + i]);
      }
      for (int i = 0; i < kKeyBlock; ++i) scores[p + i] = dots[i] * scale;
    }
    if (cap > 0) softCap(scores.data() + skip, cap, count - skip);
    max[h] = *std::max_element(scores.begin() + skip, scores.begin() + count);
    sum[h] = 0;
    std::fill(out, out + headDim, 0.0f);
    for (int p = skip; p < count; ++p) {
      const float weight = std::exp(scores[p] - max[h]);
      const Half* value = values + static_cast<std::int64_t>(p) * headDim;
      sum[h] += weight;
      for (int d = 0; d < headDim; ++d) out[d] += weight * toFloat(value[d]);
    }
  }
}

}  // namespace waferpair::tensor
