// SPDX-License-Identifier: GPL-3.0-or-later
// Attention to chunks of the KV cache. A few rows at a time share each load of a key or value; a
// row's numbers do not depend on which others those are.
#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/tensor/avx2.h"

namespace waferpair::tensor::avx2 {
namespace {

using Scores = float[kChunk];  // by position
template <KvFormat F>
using Element = std::conditional_t<F == KvFormat::kF16, Half, std::int8_t>;

inline __m256 load(const Half* at) { return loadHalves(at); }
inline __m256 load(const std::int8_t* at) {
  const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at));
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight));
}
inline float load1(Half half) { return _cvtsh_ss(half); }
inline float load1(std::int8_t quant) { return quant; }

template <typename T>
inline void fetch(const T* at) {
  _mm_prefetch(reinterpret_cast<const char*>(at), _MM_HINT_T0);
}

inline __m256 tanhLanes(__m256 x) {  // 1 - 2 / (exp(2x) + 1)
  const __m256 one = _mm256_set1_ps(1);
  const __m256 below = _mm256_add_ps(one, expLanes(_mm256_add_ps(x, x)));
  return _mm256_sub_ps(one, _mm256_div_ps(_mm256_set1_ps(2), below));
}

// H rows of the queries, one after another, and where they stand.
struct RowTile {
  const float* query;  // [H][headDim]
  float* max;
  float* sum;
  float* out;  // [H][headDim]
  int headDim;
  float scale, cap;
  ChunkRange ranges[8];
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

// sums[h][i] += left(h) right(i). The fewer of the two are held in registers beside the sums.
template <int H, int N, typename Left, typename Right>
inline void accumulate(const Left& left, const Right& right, __m256 (&sums)[H][N]) {
  if constexpr (H <= N) {
    __m256 held[H];
    for (int h = 0; h < H; ++h) held[h] = left(h);
    for (int i = 0; i < N; ++i) {
      const __m256 each = right(i);
      for (int h = 0; h < H; ++h) sums[h][i] = _mm256_fmadd_ps(held[h], each, sums[h][i]);
    }
  } else {
    __m256 held[N];
    for (int i = 0; i < N; ++i) held[i] = right(i);
    for (int h = 0; h < H; ++h) {
      const __m256 each = left(h);
      for (int i = 0; i < N; ++i) sums[h][i] = _mm256_fmadd_ps(each, held[i], sums[h][i]);
    }
  }
}

// Scores of H rows against B blocks of positions, `block` the first. Meanwhile the values of these
// positions are fetched.
template <KvFormat F, int H, int B>
inline void scoreBlocks(const RowTile& rows, const Chunk<F>& chunk, int block, Scores* scores) {
  const int headDim = rows.headDim, span = F == KvFormat::kF16 ? headDim : kKvBlock;
  const Element<F>* keys = chunk.keys + block * kKeyBlock * headDim;
  const Element<F>* ahead = chunk.values + block * kKeyBlock * headDim;
  const __m256 scale = _mm256_set1_ps(rows.scale);
  for (int from = 0; from < headDim; from += span) {
    __m256 sums[H][B];
    for (int h = 0; h < H; ++h) {
      for (int b = 0; b < B; ++b) sums[h][b] = _mm256_setzero_ps();
    }
    for (int d = from; d < from + span; ++d) {
      fetch(ahead + d * B * kKeyBlock);
      accumulate<H, B>([&](int h) { return _mm256_broadcast_ss(rows.query + h * headDim + d); },
                       [&](int b) { return load(keys + (b * headDim + d) * kKeyBlock); }, sums);
    }
    for (int b = 0; b < B; ++b) {
      __m256 factor = scale;
      if constexpr (F == KvFormat::kQ8_0) {
        const int at = ((block + b) * headDim + from) / kKvBlock * kKeyBlock;
        factor = _mm256_mul_ps(factor, loadHalves(chunk.keyScales + at));
      }
      for (int h = 0; h < H; ++h) {
        float* to = scores[h] + (block + b) * kKeyBlock;
        // Both are spelled out, lest the compiler make a fused one of some and not of others.
        _mm256_store_ps(to, from == 0 ? _mm256_mul_ps(sums[h][b], factor)
                                      : _mm256_fmadd_ps(sums[h][b], factor, _mm256_load_ps(to)));
      }
    }
  }
}

// Of the positions from p on, those in range.
inline __m256 seen(int p, ChunkRange range) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i at = _mm256_add_epi32(_mm256_set1_epi32(p), lane);
  const __m256i tooFar = _mm256_cmpgt_epi32(at, _mm256_set1_epi32(range.last - 1));
  const __m256i enough = _mm256_cmpgt_epi32(at, _mm256_set1_epi32(range.first - 1));
  return _mm256_castsi256_ps(_mm256_andnot_si256(tooFar, enough));
}

inline void bound(Scores& scores, int first, int last, float cap) {
  const __m256 most = _mm256_set1_ps(cap);
  for (int p = first; p < last; p += kLanes) {
    const __m256 s = _mm256_load_ps(scores + p);
    _mm256_store_ps(scores + p, _mm256_mul_ps(most, tanhLanes(_mm256_div_ps(s, most))));
  }
}

// Scores of positions [first, last) become weights relative to the largest score of the row so far;
// those from `first` on that are not in a row's range become 0. Whole: all are, of every row.
template <int H, bool Whole>
inline void weigh(const RowTile& rows, int first, int last, Scores* scores, float* keep) {
  __m256 most[H], shift[H], total[H];
  for (int h = 0; h < H; ++h) most[h] = _mm256_broadcast_ss(rows.max + h);
  for (int p = first; p < last; p += kLanes) {
    for (int h = 0; h < H; ++h) {
      __m256 s = _mm256_load_ps(scores[h] + p);
      if constexpr (!Whole) {
        s = _mm256_blendv_ps(_mm256_set1_ps(-kInfinity), s, seen(p, rows.ranges[h]));
      }
      most[h] = _mm256_max_ps(most[h], s);
    }
  }
  for (int h = 0; h < H; ++h) {
    const float before = rows.max[h];
    rows.max[h] = maxLanes(most[h]);
    keep[h] = before == rows.max[h]
                  ? 1
                  : _mm256_cvtss_f32(expLanes(_mm256_set1_ps(before - rows.max[h])));
    shift[h] = _mm256_broadcast_ss(rows.max + h);
    total[h] = _mm256_setzero_ps();
  }
  for (int p = first; p < last; p += kLanes) {
    for (int h = 0; h < H; ++h) {
      __m256 weight = expLanes(_mm256_sub_ps(_mm256_load_ps(scores[h] + p), shift[h]));
      if constexpr (!Whole) weight = _mm256_and_ps(seen(p, rows.ranges[h]), weight);
      _mm256_store_ps(scores[h] + p, weight);
      total[h] = _mm256_add_ps(total[h], weight);
    }
  }
  for (int h = 0; h < H; ++h) rows.sum[h] = std::fma(rows.sum[h], keep[h], sumLanes(total[h]));
}

// out[h][d] <- keep[h] out[h][d] + sum of weight times value, for D registers of dimensions from d
// on. Meanwhile as much of the next chunk is fetched.
template <KvFormat F, int H, int D>
inline void mix(const RowTile& rows, const Chunk<F>& chunk, int d, int first, int last,
                const Scores* weights, const float* keep) {
  const int headDim = rows.headDim;
  __m256 sums[H][D];
  for (int h = 0; h < H; ++h) {
    for (int i = 0; i < D; ++i) {
      const __m256 before = _mm256_loadu_ps(rows.out + h * headDim + d + i * kLanes);
      sums[h][i] = _mm256_mul_ps(before, _mm256_broadcast_ss(keep + h));
    }
  }
  for (int p = first; p < last; ++p) {
    const int at = p * headDim + d;
    fetch(chunk.next + at);
    accumulate<H, D>([&](int h) { return _mm256_broadcast_ss(&weights[h][p]); },
                     [&](int i) { return load(chunk.values + at + i * kLanes); }, sums);
  }
  for (int h = 0; h < H; ++h) {
    for (int i = 0; i < D; ++i) {
      _mm256_storeu_ps(rows.out + h * headDim + d + i * kLanes, sums[h][i]);
    }
  }
}

// Dimensions [from, to) of all that mix() does.
template <KvFormat F, int H>
inline void mixAll(const RowTile& rows, const Chunk<F>& chunk, int from, int to, int first,
                   int last, const Scores* weights, const float* keep) {
  constexpr int kWide = H <= 3 ? 4 : 2;  // registers of dimensions: H * kWide sums at most
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
        total = std::fma(weights[h][p], load1(chunk.values[p * rows.headDim + d]), total);
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
  alignas(32) Scores weights[H];
  constexpr int kBlocks = H <= 3 ? 4 : 2;  // at once: H * kBlocks sums hide the latency of FMA
  constexpr int kStep = kBlocks * kKeyBlock;
  for (int p = first / kStep * kStep; p < last; p += kStep) {
    scoreBlocks<F, H, kBlocks>(rows, chunk, p / kKeyBlock, weights);
  }
  bool whole = last % kLanes == 0;
  for (int h = 0; h < H; ++h) {
    whole = whole && rows.ranges[h].first <= first && rows.ranges[h].last >= last;
    if (rows.cap > 0) bound(weights[h], first, last, rows.cap);
  }
  float keep[H];
  const auto weighRows = whole ? weigh<H, true> : weigh<H, false>;
  weighRows(rows, first, last, weights, keep);
  if constexpr (F == KvFormat::kF16) {
    mixAll<F, H>(rows, chunk, 0, rows.headDim, first, last, weights, keep);
  } else {
    for (int d = 0; d < rows.headDim; d += kKvBlock) {
      alignas(32) Scores scaled[H];
      for (int p = first; p < last; p += kLanes) {
        const __m256 scale = loadHalves(chunk.valueScales + d / kKvBlock * kChunk + p);
        for (int h = 0; h < H; ++h) {
          _mm256_store_ps(scaled[h] + p, _mm256_mul_ps(scale, _mm256_load_ps(weights[h] + p)));
        }
      }
      mixAll<F, H>(rows, chunk, d, d + kKvBlock, first, last, scaled, keep);
    }
  }
}

template <KvFormat F>
void attendAll(const Queries& q, const KvChunk& kv, const ChunkRange* ranges, const Attended& to) {
  const Chunk<F> chunk(kv, q.headDim);
  int row = 0;
  const auto some = [&](auto attend, int n) {
    RowTile rows{q.values + row * q.headDim,
                 to.max + row,
                 to.sum + row,
                 to.out + row * q.headDim,
                 q.headDim,
                 q.scale,
                 q.cap,
                 {}};
    for (int h = 0; h < n; ++h) rows.ranges[h] = ranges[(row + h) / q.heads];
    attend(rows, chunk);
    row += n;
  };
  for (int left = q.rows(); left > 0; left = q.rows() - row) {
    switch (left) {
      case 1:
        some(attendRows<F, 1>, 1);
        break;
      case 2:
        some(attendRows<F, 2>, 2);
        break;
      case 3:
        some(attendRows<F, 3>, 3);
        break;
      case 4:
      case 7:  // 4 + 3 and 4 + 4 rather than 6 + 1 and 6 + 2
      case 8:
        some(attendRows<F, 4>, 4);
        break;
      case 5:
        some(attendRows<F, 5>, 5);
        break;
      default:
        some(attendRows<F, 6>, 6);
        break;
    }
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

}  // namespace waferpair::tensor::avx2
