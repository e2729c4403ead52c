// SPDX-License-Identifier: GPL-3.0-or-later
// Attention in plain C++, by the definition.
#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/tensor/elementwise.h"
#include "runtime/tensor/kernel_tables.h"

namespace waferpair::tensor {
namespace {

// Reads the keys and values of a chunk.
struct F16 {
  const Half* keys;
  const Half* values;
  int headDim;

  F16(const KvChunk& chunk, int dims)
      : keys(reinterpret_cast<const Half*>(chunk.keys)),
        values(reinterpret_cast<const Half*>(chunk.values)),
        headDim(dims) {}
  float key(int block, int d, int i) const {
    return toFloat(keys[(block * headDim + d) * kKeyBlock + i]);
  }
  float value(int p, int d) const { return toFloat(values[p * headDim + d]); }
};

struct Q8 {
  const std::int8_t* keys;
  const std::int8_t* values;
  const Half* keyScales;
  const Half* valueScales;
  int headDim;

  Q8(const KvChunk& chunk, int dims)
      : keys(reinterpret_cast<const std::int8_t*>(chunk.keys)),
        values(reinterpret_cast<const std::int8_t*>(chunk.values)),
        keyScales(reinterpret_cast<const Half*>(keys + kChunk * dims)),
        valueScales(reinterpret_cast<const Half*>(values + kChunk * dims)),
        headDim(dims) {}
  float key(int block, int d, int i) const {
    const int scale = (block * (headDim / kKvBlock) + d / kKvBlock) * kKeyBlock + i;
    return toFloat(keyScales[scale]) *
           static_cast<float>(keys[(block * headDim + d) * kKeyBlock + i]);
  }
  float value(int p, int d) const {
    return toFloat(valueScales[d / kKvBlock * kChunk + p]) *
           static_cast<float>(values[p * headDim + d]);
  }
};

template <typename Chunk>
void attendRow(const Chunk& chunk, const float* query, const Queries& q, ChunkRange range,
               float& max, float& sum, float* out) {
  std::array<float, kChunk> scores;
  for (int block = range.first / kKeyBlock; block * kKeyBlock < range.last; ++block) {
    std::array<float, kKeyBlock> dots{};
    for (int d = 0; d < q.headDim; ++d) {
      for (int i = 0; i < kKeyBlock; ++i) dots[i] += query[d] * chunk.key(block, d, i);
    }
    for (int i = 0; i < kKeyBlock; ++i) scores[block * kKeyBlock + i] = dots[i] * q.scale;
  }
  float* first = scores.data() + range.first;
  const int count = range.last - range.first;
  if (q.cap > 0) softCap(first, q.cap, count);
  const float before = max;
  max = std::max(before, *std::max_element(first, first + count));
  const float keep = std::exp(before - max);
  sum *= keep;
  for (int d = 0; d < q.headDim; ++d) out[d] *= keep;
  for (int p = range.first; p < range.last; ++p) {
    const float weight = std::exp(scores[p] - max);
    sum += weight;
    for (int d = 0; d < q.headDim; ++d) out[d] += weight * chunk.value(p, d);
  }
}

template <typename Chunk>
void attendRows(const Queries& q, const KvChunk& kv, const ChunkRange* ranges, const Attended& to) {
  const Chunk chunk(kv, q.headDim);
  for (int row = 0; row < q.rows(); ++row) {
    const ChunkRange range = ranges[row / q.heads];
    if (range.first >= range.last) continue;
    attendRow(chunk, q.values + row * q.headDim, q, range, to.max[row], to.sum[row],
              to.out + row * q.headDim);
  }
}

}  // namespace

void attendGeneric(const Queries& queries, const KvChunk& chunk, const ChunkRange* ranges,
                   const Attended& to) {
  switch (chunk.format) {
    case KvFormat::kF16:
      return attendRows<F16>(queries, chunk, ranges, to);
    case KvFormat::kQ8_0:
      return attendRows<Q8>(queries, chunk, ranges, to);
  }
}

}  // namespace waferpair::tensor
