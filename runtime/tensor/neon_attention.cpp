// SPDX-License-Identifier: GPL-3.0-or-later
// Attention to chunks of the KV cache. A few rows at a time share each load of a key or value; a
// row's numbers do not depend on which others those are.
#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/tensor/neon.h"

namespace waferpair::tensor::neon {
namespace {

using Scores = float[kChunk];  // by position
template <KvFormat F>
using Element = std::conditional_t<F == KvFormat::kF16, Half, std::int8_t>;

inline float wide(Half half) { return toFloat(half); }
inline float wide(std::int8_t quant) { return quant; }

// Rows of the queries, one after another, and where they stand.
constexpr int kMostRows = 6;
struct RowTile {
  const float* query;  // [H][headDim]
  float* max;
  float* sum;
  float* out;  // [H][headDim]
  int headDim;
  float scale, cap;
  std::array<ChunkRange, kMostRows> ranges;
};

template <KvFormat F>
struct Chunk {
  const Element<F>* keys;
  const Element<F>* values;
  const Half* keyScales;  // of kQ8_0
  const Half* valueScales;
  const Element<F>* next;

  Chunk(const KvChunk& chunk, int headDim)
      : keys(reinterpret_cast<const Element<F>*>(chunk.keys)),
        values(reinterpret_cast<const Element<F>*>(chunk.values)),
        keyScales(reinterpret_cast<const Half*>(keys + kChunk * headDim)),
        valueScales(reinterpret_cast<const Half*>(values + kChunk * headDim)),
        next(reinterpret_cast<const Element<F>*>(chunk.next)) {}
};

// Scores of H rows against B blocks of positions, `block` the first. Meanwhile the values of these
// positions are fetched.
template <KvFormat F, int H, int B>
inline void scoreBlocks(const RowTile& rows, const Chunk<F>& chunk, int block, Scores* scores) {
  const int headDim = rows.headDim, span = F == KvFormat::kF16 ? headDim : kKvBlock;
  const Element<F>* keys = chunk.keys + block * kKeyBlock * headDim;
  const Element<F>* ahead = chunk.values + block * kKeyBlock * headDim;
  for (int from = 0; from < headDim; from += span) {
    Lanes sums[H][B];
    for (int h = 0; h < H; ++h) {
      for (int b = 0; b < B; ++b) sums[h][b] = all(0);
    }
    for (int d = from; d < from + span; ++d) {
      __builtin_prefetch(ahead + d * B * kKeyBlock);
      float query[H];
      for (int h = 0; h < H; ++h) query[h] = rows.query[h * headDim + d];
      for (int b = 0; b < B; ++b) {
        const Lanes key = load(keys + (b * headDim + d) * kKeyBlock);
        for (int h = 0; h < H; ++h) sums[h][b] = fma(key, query[h], sums[h][b]);
      }
    }
    for (int b = 0; b < B; ++b) {
      Lanes factor = all(rows.scale);
      if constexpr (F == KvFormat::kQ8_0) {
        const int at = ((block + b) * headDim + from) / kKvBlock * kKeyBlock;
        factor = factor * load(chunk.keyScales + at);
      }
      for (int h = 0; h < H; ++h) {
        float* to = scores[h] + (block + b) * kKeyBlock;
        store(to, from == 0 ? sums[h][b] * factor : fma(sums[h][b], factor, load(to)));
      }
    }
  }
}

// Of the positions from p on, those in range.
inline Mask seen(int p, ChunkRange range) {
  constexpr std::int32_t kLane[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
  const int32x4_t from = vdupq_n_s32(p), first = vdupq_n_s32(range.first),
                  last = vdupq_n_s32(range.last);
  const auto within = [&](const std::int32_t* lane) {
    const int32x4_t at = vaddq_s32(from, vld1q_s32(lane));
    return vandq_u32(vcgeq_s32(at, first), vcltq_s32(at, last));
  };
  return {within(kLane), within(kLane + 4)};
}

inline void bound(Scores& scores, int first, int last, float cap) {
  for (int p = first; p < last; p += kLanes) {
    const Lanes s = load(scores + p) / all(cap);
    const Lanes tanh = all(1) - all(2) / (expOf(s + s) + all(1));
    store(scores + p, all(cap) * tanh);
  }
}

// Scores of a row's positions [first, last) become weights relative to the largest so far; those
// from `first` on that are not in its range become 0. Returns what the sums of before are to be
// multiplied by.
inline float weigh(const RowTile& rows, int h, int first, int last, Scores& scores) {
  const ChunkRange range = rows.ranges[h];
  const float before = rows.max[h];
  Lanes most = all(before);
  for (int p = first; p < last; p += kLanes) {
    const Lanes s = select(seen(p, range), load(scores + p), all(-kInfinity));
    store(scores + p, s);
    most = larger(s, most);
  }
  const float max = rows.max[h] = maxOf(most);
  Lanes total = all(0);
  for (int p = first; p < last; p += kLanes) {
    const Lanes weight = select(seen(p, range), expOf(load(scores + p) - all(max)), all(0));
    store(scores + p, weight);
    total = total + weight;
  }
  const float keep = before == max ? 1 : vgetq_lane_f32(expOf(vdupq_n_f32(before - max)), 0);
  rows.sum[h] = std::fma(rows.sum[h], keep, sumOf(total));
  return keep;
}

// out[h][d] <- keep[h] out[h][d] + sum of weight times value, for D times 8 dimensions from d on.
// Meanwhile as much of the next chunk is fetched.
template <KvFormat F, int H, int D>
inline void mix(const RowTile& rows, const Chunk<F>& chunk, int d, int first, int last,
                const Scores* weights, const float* keep) {
  const int headDim = rows.headDim;
  Lanes sums[H][D];
  for (int h = 0; h < H; ++h) {
    for (int i = 0; i < D; ++i) {
      sums[h][i] = load(rows.out + h * headDim + d + i * kLanes) * all(keep[h]);
    }
  }
  for (int p = first; p < last; ++p) {
    const int at = p * headDim + d;
    __builtin_prefetch(chunk.next + at);
    float weight[H];
    for (int h = 0; h < H; ++h) weight[h] = weights[h][p];
    for (int i = 0; i < D; ++i) {
      const Lanes value = load(chunk.values + at + i * kLanes);
      for (int h = 0; h < H; ++h) sums[h][i] = fma(value, weight[h], sums[h][i]);
    }
  }
  for (int h = 0; h < H; ++h) {
    for (int i = 0; i < D; ++i) store(rows.out + h * headDim + d + i * kLanes, sums[h][i]);
  }
}

// Dimensions [from, to) of all that mix() does.
template <KvFormat F, int H>
inline void mixAll(const RowTile& rows, const Chunk<F>& chunk, int from, int to, int first,
                   int last, const Scores* weights, const float* keep) {
  constexpr int kWide = H <= 3 ? 4 : 2;  // so that the sums and what they share fit the registers
  int d = from;
  for (; d + kWide * kLanes <= to; d += kWide * kLanes) {
    mix<F, H, kWide>(rows, chunk, d, first, last, weights, keep);
  }
  for (; d + kLanes <= to; d += kLanes) {
    mix<F, H, 1>(rows, chunk, d, first, last, weights, keep);
  }
  for (; d < to; ++d) {
    for (int h = 0; h < H; ++h) {
      float& out = rows.out[h * rows.headDim + d];
      float total = out * keep[h];
      for (int p = first; p < last; ++p) {
        total = std::fma(weights[h][p], wide(chunk.values[p * rows.headDim + d]), total);
      }
      out = total;
    }
  }
}

template <KvFormat F, int H>
void attendRows(const RowTile& rows, const Chunk<F>& chunk) {
  int first = kChunk, last = 0;  // what any row attends to
  for (int h = 0; h < H; ++h) {
    if (rows.ranges[h].first >= rows.ranges[h].last) continue;
    first = std::min(first, rows.ranges[h].first / kKeyBlock * kKeyBlock);
    last = std::max(last, rows.ranges[h].last);
  }
  if (first >= last) return;
  Scores weights[H];
  constexpr int kBlocks = H <= 3 ? 4 : 2;
  constexpr int kStep = kBlocks * kKeyBlock;
  for (int p = first / kStep * kStep; p < last; p += kStep) {
    scoreBlocks<F, H, kBlocks>(rows, chunk, p / kKeyBlock, weights);
  }
  float keep[H];
  for (int h = 0; h < H; ++h) {
    if (rows.cap > 0) bound(weights[h], first, last, rows.cap);
    keep[h] = weigh(rows, h, first, last, weights[h]);
  }
  if constexpr (F == KvFormat::kF16) {
    mixAll<F, H>(rows, chunk, 0, rows.headDim, first, last, weights, keep);
  } else {
    for (int d = 0; d < rows.headDim; d += kKvBlock) {
      Scores scaled[H];
      for (int p = first; p < last; p += kLanes) {
        const Lanes scale = load(chunk.valueScales + d / kKvBlock * kChunk + p);
        for (int h = 0; h < H; ++h) store(scaled[h] + p, scale * load(weights[h] + p));
      }
      mixAll<F, H>(rows, chunk, d, d + kKvBlock, first, last, scaled, keep);
    }
  }
}

template <KvFormat F>
void attendAll(const Queries& q, const KvChunk& kv, const ChunkRange* ranges, const Attended& to) {
  using Attend = void (*)(const RowTile&, const Chunk<F>&);
  constexpr std::array<Attend, kMostRows> kAttend{attendRows<F, 1>, attendRows<F, 2>,
                                                  attendRows<F, 3>, attendRows<F, 4>,
                                                  attendRows<F, 5>, attendRows<F, 6>};
  const Chunk<F> chunk(kv, q.headDim);
  for (int row = 0, n = 0; row < q.rows(); row += n) {
    const int left = q.rows() - row;
    n = left == 7 || left == 8 ? 4 : std::min(left, kMostRows);  // 4 + 3 rather than 6 + 1
    RowTile rows{.query = q.values + row * q.headDim,
                 .max = to.max + row,
                 .sum = to.sum + row,
                 .out = to.out + row * q.headDim,
                 .headDim = q.headDim,
                 .scale = q.scale,
                 .cap = q.cap,
                 .ranges = {}};
    for (int h = 0; h < n; ++h) rows.ranges[h] = ranges[(row + h) / q.heads];
    kAttend[n - 1](rows, chunk);
  }
}

}  // namespace

void attend(const Queries& queries, const KvChunk& chunk, const ChunkRange* ranges,
            const Attended& to) {
  switch (chunk.format) {
    case KvFormat::kF16:
      return attendAll<KvFormat::kF16>(queries, chunk, ranges, to);
    case KvFormat::kQ8_0:
      return attendAll<KvFormat::kQ8_0>(queries, chunk, ranges, to);
  }
}

}  // namespace waferpair::tensor::neon
