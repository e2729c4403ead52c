// SPDX-License-Identifier: GPL-3.0-or-later
// Attention to chunks of the KV cache in vector registers of any width. A few rows at a time share
// each load of a key or value; a row's numbers do not depend on which others those are.
//
// `L` says what a register is and does (avx2_attention.cpp has the plainest one). It must have
// internal linkage, so that no other file can get a copy of this that it cannot run.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "runtime/tensor/kernels.h"

namespace waferpair::tensor {

template <typename L>
class LanesAttention {
 public:
  static void attend(const Queries& queries, const KvChunk& chunk, const ChunkRange* ranges,
                     const Attended& to) {
    switch (chunk.format) {
      case KvFormat::kF16:
        return attendAll<KvFormat::kF16>(queries, chunk, ranges, to);
      case KvFormat::kQ8_0:
        return attendAll<KvFormat::kQ8_0>(queries, chunk, ranges, to);
    }
  }

 private:
  using Floats = typename L::Floats;
  static constexpr int kLanes = L::kLanes;
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  static_assert(kChunk % (4 * kLanes) == 0 && kLanes % kKeyBlock == 0);

  using Scores = float[kChunk];  // by position
  template <KvFormat F>
  using Element = std::conditional_t<F == KvFormat::kF16, Half, std::int8_t>;

  // Returns how many registers of positions, or of dimensions, are summed up at once for H rows. H
  // of each hide the latency of FMA and leave room for their operands.
  static constexpr int together(int rows) { return L::kRegisters == 32 || rows <= 3 ? 4 : 2; }

  // `count` elements from `at` on are read soon.
  template <typename T>
  static void fetch(const T* at, int count) {
    const auto* bytes = reinterpret_cast<const char*>(at);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count) * sizeof(T); i += 64) {
      __builtin_prefetch(bytes + i);
    }
  }

  static Floats tanh(Floats x) {  // 1 - 2 / (exp(2x) + 1)
    const Floats one = L::all(1);
    const Floats below = L::add(one, L::exp(L::add(x, x)));
    return L::subtract(one, L::divide(L::all(2), below));
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
  static void accumulate(const Left& left, const Right& right, Floats (&sums)[H][N]) {
    if constexpr (H <= N) {
      Floats held[H];
      for (int h = 0; h < H; ++h) held[h] = left(h);
      for (int i = 0; i < N; ++i) {
        const Floats each = right(i);
        for (int h = 0; h < H; ++h) sums[h][i] = L::multiplyAdd(held[h], each, sums[h][i]);
      }
    } else {
      Floats held[N];
      for (int i = 0; i < N; ++i) held[i] = right(i);
      for (int h = 0; h < H; ++h) {
        const Floats each = left(h);
        for (int i = 0; i < N; ++i) sums[h][i] = L::multiplyAdd(each, held[i], sums[h][i]);
      }
    }
  }

  // Scores of H rows against B registers of positions, from `p` on. Meanwhile the values of these
  // positions are fetched.
  template <KvFormat F, int H, int B>
  static void scorePositions(const RowTile& rows, const Chunk<F>& chunk, int p, Scores* scores) {
    const int headDim = rows.headDim, span = F == KvFormat::kF16 ? headDim : kKvBlock;
    const Element<F>* keys = chunk.keys + p * headDim;
    const Element<F>* ahead = chunk.values + p * headDim;
    const Floats scale = L::all(rows.scale);
    for (int from = 0; from < headDim; from += span) {
      Floats sums[H][B];
      for (int h = 0; h < H; ++h) {
        for (int b = 0; b < B; ++b) sums[h][b] = L::all(0);
      }
      for (int d = from; d < from + span; ++d) {
        fetch(ahead + d * B * kLanes, B * kLanes);
        accumulate<H, B>([&](int h) { return L::all(rows.query[h * headDim + d]); },
                         [&](int b) {
                           return L::positions(keys + b * kLanes * headDim + d * kKeyBlock,
                                               headDim * kKeyBlock);
                         },
                         sums);
      }
      for (int b = 0; b < B; ++b) {
        Floats factor = scale;
        if constexpr (F == KvFormat::kQ8_0) {
          const int blocks = headDim / kKvBlock;
          const Half* at =
              chunk.keyScales + (p + b * kLanes) * blocks + from / kKvBlock * kKeyBlock;
          factor = L::multiply(factor, L::positions(at, blocks * kKeyBlock));
        }
        for (int h = 0; h < H; ++h) {
          float* to = scores[h] + p + b * kLanes;
          // Both are spelled out, lest the compiler make a fused one of some and not of others.
          L::store(to, from == 0 ? L::multiply(sums[h][b], factor)
                                 : L::multiplyAdd(sums[h][b], factor, L::load(to)));
        }
      }
    }
  }

  static void bound(Scores& scores, int first, int last, float cap) {
    const Floats most = L::all(cap);
    for (int p = first; p < last; p += kLanes) {
      const Floats s = L::load(scores + p);
      L::store(scores + p, L::multiply(most, tanh(L::divide(s, most))));
    }
  }

  // Scores of positions [first, last), `first` a whole number of registers, become weights relative
  // to the largest score of the row so far; those that are not in a row's range become 0. Whole:
  // all are, of every row.
  template <int H, bool Whole>
  static void weigh(const RowTile& rows, int first, int last, Scores* scores, float* keep) {
    Floats most[H], shift[H], total[H];
    for (int h = 0; h < H; ++h) most[h] = L::all(rows.max[h]);
    for (int p = first; p < last; p += kLanes) {
      for (int h = 0; h < H; ++h) {
        Floats s = L::load(scores[h] + p);
        if constexpr (!Whole) s = L::within(p, rows.ranges[h], s, L::all(-kInfinity));
        most[h] = L::max(most[h], s);
      }
    }
    for (int h = 0; h < H; ++h) {
      const float before = rows.max[h];
      rows.max[h] = L::largest(most[h]);
      keep[h] = before == rows.max[h] ? 1 : L::first(L::exp(L::all(before - rows.max[h])));
      shift[h] = L::all(rows.max[h]);
      total[h] = L::all(0);
    }
    for (int p = first; p < last; p += kLanes) {
      for (int h = 0; h < H; ++h) {
        Floats weight = L::exp(L::subtract(L::load(scores[h] + p), shift[h]));
        if constexpr (!Whole) weight = L::within(p, rows.ranges[h], weight, L::all(0));
        L::store(scores[h] + p, weight);
        total[h] = L::add(total[h], weight);
      }
    }
    for (int h = 0; h < H; ++h) rows.sum[h] = std::fma(rows.sum[h], keep[h], L::sum(total[h]));
  }

  // out[h][d] <- keep[h] out[h][d] + sum of weight times value, for D registers of dimensions from
  // d on, of the last one `count` lanes. Meanwhile as much of the next chunk is fetched.
  template <KvFormat F, int H, int D, typename Count>
  static void mix(const RowTile& rows, const Chunk<F>& chunk, int d, Count count, int first,
                  int last, const Scores* weights, const float* keep) {
    const int headDim = rows.headDim;
    Floats sums[H][D];
    for (int h = 0; h < H; ++h) {
      for (int i = 0; i < D; ++i) {
        const Floats before = L::load(rows.out + h * headDim + d + i * kLanes, count);
        sums[h][i] = L::multiply(before, L::all(keep[h]));
      }
    }
    for (int p = first; p < last; ++p) {
      const int at = p * headDim + d;
      fetch(chunk.next + at, D * kLanes);
      accumulate<H, D>([&](int h) { return L::all(weights[h][p]); },
                       [&](int i) { return L::load(chunk.values + at + i * kLanes, count); }, sums);
    }
    for (int h = 0; h < H; ++h) {
      for (int i = 0; i < D; ++i) {
        L::store(rows.out + h * headDim + d + i * kLanes, sums[h][i], count);
      }
    }
  }

  // Dimensions [from, to) of all that mix() does.
  template <KvFormat F, int H>
  static void mixAll(const RowTile& rows, const Chunk<F>& chunk, int from, int to, int first,
                     int last, const Scores* weights, const float* keep) {
    constexpr int kWide = together(H);
    constexpr std::integral_constant<int, kLanes> kAll;
    int d = from;
    for (; d + kWide * kLanes <= to; d += kWide * kLanes) {
      mix<F, H, kWide>(rows, chunk, d, kAll, first, last, weights, keep);
    }
    for (; d + kLanes <= to; d += kLanes) {
      mix<F, H, 1>(rows, chunk, d, kAll, first, last, weights, keep);
    }
    if (d < to) mix<F, H, 1>(rows, chunk, d, to - d, first, last, weights, keep);
  }

  template <KvFormat F, int H>
  static void attendRows(const RowTile& rows, const Chunk<F>& chunk) {
    int first = kChunk, last = 0;  // what any row attends to
    for (int h = 0; h < H; ++h) {
      if (rows.ranges[h].first >= rows.ranges[h].last) continue;
      first = std::min(first, rows.ranges[h].first);
      last = std::max(last, rows.ranges[h].last);
    }
    if (first >= last) return;
    const int begin = first / kLanes * kLanes;
    alignas(64) Scores weights[H];
    constexpr int kAtOnce = together(H), kStep = kAtOnce * kLanes;
    for (int p = first / kStep * kStep; p < last; p += kStep) {
      scorePositions<F, H, kAtOnce>(rows, chunk, p, weights);
    }
    bool whole = last % kLanes == 0;
    for (int h = 0; h < H; ++h) {
      whole = whole && rows.ranges[h].first <= begin && rows.ranges[h].last >= last;
      if (rows.cap > 0) bound(weights[h], begin, last, rows.cap);
    }
    float keep[H];
    const auto weighRows = whole ? weigh<H, true> : weigh<H, false>;
    weighRows(rows, begin, last, weights, keep);
    if constexpr (F == KvFormat::kF16) {
      mixAll<F, H>(rows, chunk, 0, rows.headDim, first, last, weights, keep);
    } else {
      for (int d = 0; d < rows.headDim; d += kKvBlock) {
        alignas(64) Scores scaled[H];
        for (int p = begin; p < last; p += kLanes) {
          const Floats scale = L::load(chunk.valueScales + d / kKvBlock * kChunk + p);
          for (int h = 0; h < H; ++h) {
            L::store(scaled[h] + p, L::multiply(scale, L::load(weights[h] + p)));
          }
        }
        mixAll<F, H>(rows, chunk, d, d + kKvBlock, first, last, scaled, keep);
      }
    }
  }

  template <KvFormat F>
  static void attendAll(const Queries& q, const KvChunk& kv, const ChunkRange* ranges,
                        const Attended& to) {
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
};

}  // namespace waferpair::tensor
