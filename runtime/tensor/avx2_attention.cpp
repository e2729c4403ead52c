// SPDX-License-Identifier: GPL-3.0-or-later
// Attention over a cache of F16.
#include <algorithm>
#include <cmath>

#include "runtime/tensor/avx2.h"

namespace waferpair::tensor::avx2 {
namespace {

using Scores = float[kChunk];  // by position
constexpr int kLineHalves = 64 / sizeof(Half);

void fetch(const Half* at) { _mm_prefetch(reinterpret_cast<const char*>(at), _MM_HINT_T0); }

// Scores of H heads against the 8 B positions from `keys` on. Meanwhile as many positions from
// `ahead` on are fetched.
template <int H, int B>
void scoreBlocks(const float* query, int headDim, const Half* keys, float scale, Scores* scores,
                 int position, const Half* ahead) {
  __m256 sums[H][B];
  for (int h = 0; h < H; ++h) {
    for (int b = 0; b < B; ++b) sums[h][b] = _mm256_setzero_ps();
  }
  for (int d = 0; d < headDim; ++d, ahead += B * kKeyBlock) {
    for (int line = 0; line < B * kKeyBlock; line += kLineHalves) fetch(ahead + line);
    __m256 q[H];
    for (int h = 0; h < H; ++h) q[h] = _mm256_broadcast_ss(query + h * headDim + d);
    for (int b = 0; b < B; ++b) {
      const __m256 key = loadHalves(keys + (b * headDim + d) * kKeyBlock);
      for (int h = 0; h < H; ++h) sums[h][b] = _mm256_fmadd_ps(q[h], key, sums[h][b]);
    }
  }
  const __m256 factor = _mm256_set1_ps(scale);
  for (int h = 0; h < H; ++h) {
    for (int b = 0; b < B; ++b) {
      _mm256_storeu_ps(scores[h] + position + b * kLanes, _mm256_mul_ps(sums[h][b], factor));
    }
  }
}

// scores <- exp(scores - max), zero past `count`. Returns the sum.
float exponentiate(Scores& scores, int count, float& max) {
  const int padded = (count + kLanes - 1) / kLanes * kLanes;
  std::fill(scores + count, scores + padded, -HUGE_VALF);
  __m256 most = _mm256_loadu_ps(scores);
  for (int p = kLanes; p < padded; p += kLanes)
    most = _mm256_max_ps(most, _mm256_loadu_ps(scores + p));
  max = maxLanes(most);
  const __m256 shift = _mm256_set1_ps(max);
  __m256 sum = _mm256_setzero_ps();
  for (int p = 0; p < padded; p += kLanes) {
    const __m256 s = _mm256_loadu_ps(scores + p);
    const __m256 real = _mm256_cmp_ps(s, _mm256_set1_ps(-HUGE_VALF), _CMP_NEQ_UQ);
    const __m256 e = _mm256_and_ps(real, expLanes(_mm256_sub_ps(s, shift)));
    _mm256_storeu_ps(scores + p, e);
    sum = _mm256_add_ps(sum, e);
  }
  return sumLanes(sum);
}

// out[h][d] of D registers of dimensions for H heads: sum of weight times value. Meanwhile as much
// from `ahead` on is fetched.
template <int H, int D>
void mix(const Scores* weights, const Half* values, int headDim, int count, float* out,
         const Half* ahead) {
  __m256 sums[H][D];
  for (int h = 0; h < H; ++h) {
    for (int d = 0; d < D; ++d) sums[h][d] = _mm256_setzero_ps();
  }
  for (int p = 0; p < count; ++p, values += headDim, ahead += headDim) {
    fetch(ahead);
    __m256 v[D];
    for (int d = 0; d < D; ++d) v[d] = loadHalves(values + d * kLanes);
    for (int h = 0; h < H; ++h) {
      const __m256 weight = _mm256_broadcast_ss(&weights[h][p]);
      for (int d = 0; d < D; ++d) sums[h][d] = _mm256_fmadd_ps(weight, v[d], sums[h][d]);
    }
  }
  for (int h = 0; h < H; ++h) {
    for (int d = 0; d < D; ++d) _mm256_storeu_ps(out + h * headDim + d * kLanes, sums[h][d]);
  }
}

template <int H>
void attendHeads(const float* query, int headDim, float scale, const Half* keys, const Half* values,
                 int count, float* max, float* sum, float* out) {
  alignas(32) Scores scores[H];
  constexpr int kBlocks = H <= 3 ? 4 : 2;  // at once: H * kBlocks sums hide the latency of FMA
  for (int p = 0; p < count; p += kBlocks * kKeyBlock) {
    const std::int64_t at = static_cast<std::int64_t>(p) * headDim;
    scoreBlocks<H, kBlocks>(query, headDim, keys + at, scale, scores, p, values + at);
  }
  for (int h = 0; h < H; ++h) sum[h] = exponentiate(scores[h], count, max[h]);
  constexpr int kWide = H <= 3 ? 4 : 2;  // registers of dimensions: H * kWide sums at most
  const Half* next = keys + static_cast<std::int64_t>(kChunk) * headDim;  // most likely
  int d = 0;
  for (; d + kWide * kLanes <= headDim; d += kWide * kLanes) {
    mix<H, kWide>(scores, values + d, headDim, count, out + d, next + d);
  }
  for (; d + kLanes <= headDim; d += kLanes) {
    mix<H, 1>(scores, values + d, headDim, count, out + d, next + d);
  }
  for (; d < headDim; ++d) {
    for (int h = 0; h < H; ++h) {
      float total = 0;
      for (int p = 0; p < count; ++p) {
        total = std::fma(scores[h][p], _cvtsh_ss(values[p * headDim + d]), total);
      }
      out[h * headDim + d] = total;
    }
  }
}

}  // namespace

void attendChunk(const float* query, int heads, int headDim, float scale, const KvHead& kv,
                 int first, int last, float* max, float* sum, float* out) {
  const int count = last - first;
  const Half* keys = kv.keys + static_cast<std::int64_t>(first) * headDim;
  const Half* values = kv.values + static_cast<std::int64_t>(first) * headDim;
  const auto some = [&](auto attend, int n) {
    attend(query, headDim, scale, keys, values, count, max, sum, out);
    query += n * headDim;
    out += n * headDim;
    max += n;
    sum += n;
    heads -= n;
  };
  while (heads >= 8) some(attendHeads<4>, 4);  // 4 + 4 rather than 6 + 2
  switch (heads) {
    case 7:
      some(attendHeads<4>, 4);
      [[fallthrough]];
    case 3:
      some(attendHeads<3>, 3);
      break;
    case 6:
      some(attendHeads<6>, 6);
      break;
    case 5:
      some(attendHeads<5>, 5);
      break;
    case 4:
      some(attendHeads<4>, 4);
      break;
    case 2:
      some(attendHeads<2>, 2);
      break;
    case 1:
      some(attendHeads<1>, 1);
      break;
    default:
      break;
  }
}

}  // namespace waferpair::tensor::avx2
