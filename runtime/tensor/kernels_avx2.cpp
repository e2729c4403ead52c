// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels for x86-64 with AVX2, FMA and F16C. This file alone is compiled for them.
//
// Each output's sum runs over columns (or positions) in one fixed order, whatever the tile it was
// computed in: tiles of several panels or tokens only share loads.
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/tensor/kernel_tables.h"

namespace waferpair::tensor {
namespace {

constexpr int kLanes = 8;  // floats in a register
static_assert(kLanes == kPanel && kLanes == kKeyBlock);

inline __m256 loadHalves(const Half* at) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
}

// Four int8 columns of x in every lane.
inline __m256i broadcast4(const std::int8_t* at) {
  std::int32_t four;
  __builtin_memcpy(&four, at, sizeof(four));
  return _mm256_set1_epi32(four);
}

inline float sumLanes(__m256 v) {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

inline float maxLanes(__m256 v) {
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

// exp to about 2 units in the last place for x in -87..88; beyond, that of the nearest end.
inline __m256 expLanes(__m256 x) {
  x = _mm256_max_ps(_mm256_min_ps(x, _mm256_set1_ps(88.0f)), _mm256_set1_ps(-87.0f));
  // x = n ln 2 + r with |r| <= ln 2 / 2; ln 2 in two parts, so that n ln 2 is exact enough.
  const __m256 n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504f)),
                                   _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375f), x);
  r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4f), r);
  // The Taylor polynomial of degree 7: its remainder is below 2^-27 here.
  __m256 p = _mm256_set1_ps(1.0f / 5040);
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 720));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 120));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 24));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 6));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0.5f));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f));
  const __m256i power = _mm256_slli_epi32(
      _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);  // 2^n
  return _mm256_mul_ps(p, _mm256_castsi256_ps(power));
}

// Writes the 8 rows of a panel, fewer at the end of the matrix.
inline void store(__m256 sums, int rows, float* out, bool add) {
  if (rows >= kPanel) {
    if (add) sums = _mm256_add_ps(_mm256_loadu_ps(out), sums);
    _mm256_storeu_ps(out, sums);
    return;
  }
  alignas(32) std::array<float, kPanel> lanes;
  _mm256_store_ps(lanes.data(), sums);
  for (int r = 0; r < rows; ++r) out[r] = add ? out[r] + lanes[r] : lanes[r];
}

inline __m256 loadPanel(const float* at) { return _mm256_loadu_ps(at); }
inline __m256 loadPanel(const Half* at) { return loadHalves(at); }

template <typename T>
const T* panelOf(const PackedMatrix& weights, int panel);
template <>
inline const float* panelOf(const PackedMatrix& weights, int panel) {
  return weights.f32(panel);
}
template <>
inline const Half* panelOf(const PackedMatrix& weights, int panel) {
  return weights.f16(panel);
}

// P panels by T tokens of F32 or F16 weights. Even and odd columns are summed apart: two
// independent chains for each output hide the latency of FMA.
template <typename T, int P, int N>
void tilePlain(const PackedMatrix& weights, int panel, const float* x, float* out,
               std::int64_t outStride, bool add) {
  const int cols = weights.cols();
  const T* w[P];
  for (int p = 0; p < P; ++p) w[p] = panelOf<T>(weights, panel + p);
  __m256 even[P][N], odd[P][N];
  for (int p = 0; p < P; ++p) {
    for (int t = 0; t < N; ++t) even[p][t] = odd[p][t] = _mm256_setzero_ps();
  }
  const auto step = [&](int k, __m256(&sums)[P][N]) {
    for (int p = 0; p < P; ++p) {
      const __m256 column = loadPanel(w[p] + static_cast<std::int64_t>(k) * kPanel);
      for (int t = 0; t < N; ++t) {
        const __m256 value = _mm256_broadcast_ss(x + static_cast<std::int64_t>(t) * cols + k);
        sums[p][t] = _mm256_fmadd_ps(column, value, sums[p][t]);
      }
    }
  };
  int k = 0;
  for (; k + 1 < cols; k += 2) {
    step(k, even);
    step(k + 1, odd);
  }
  if (k < cols) step(k, even);
  for (int p = 0; p < P; ++p) {
    const int first = (panel + p) * kPanel;
    for (int t = 0; t < N; ++t) {
      store(_mm256_add_ps(even[p][t], odd[p][t]), weights.rows() - first,
            out + t * outStride + first, add);
    }
  }
}

// Products of four neighbouring columns, added up in each of the 8 rows. maddubs takes one factor
// without sign, so the sign of one goes to the other: exact, as neither factor is -128, and sums of
// two products, at most 2 * 127 * 127, fit its int16.
inline __m256i dot4(__m256i magnitude, __m256i withSign) {
  return _mm256_madd_epi16(_mm256_maddubs_epi16(magnitude, withSign), _mm256_set1_epi16(1));
}

// P panels by N tokens of Q8_0 weights. What all the inner products share loses its sign: the token
// if it is one alone, else the weights.
template <int P, int N>
void tileQ8(const PackedMatrix& weights, int panel, const std::int8_t* x, const float* xScales,
            float* out, std::int64_t outStride, bool add) {
  const int cols = weights.cols();
  const int blocks = cols / kBlock;
  const std::int8_t* w[P];
  const Half* scales[P];
  for (int p = 0; p < P; ++p) {
    w[p] = weights.quants(panel + p);
    scales[p] = weights.scales(panel + p);
  }
  __m256 sums[P][N];
  for (int p = 0; p < P; ++p) {
    for (int t = 0; t < N; ++t) sums[p][t] = _mm256_setzero_ps();
  }
  for (int b = 0; b < blocks; ++b) {
    __m256i dots[P][N];
    for (int p = 0; p < P; ++p) {
      for (int t = 0; t < N; ++t) dots[p][t] = _mm256_setzero_si256();
    }
#pragma GCC unroll 2  // all 8 turns at once would spill the sums
    for (int k = b * kBlock; k < (b + 1) * kBlock; k += 4) {
      const auto load = [&](int p) {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(w[p] + k * kPanel));
      };
      if constexpr (N == 1) {
        const __m256i value = broadcast4(x + k);
        const __m256i magnitude = _mm256_abs_epi8(value);
        for (int p = 0; p < P; ++p) {
          const __m256i dot = dot4(magnitude, _mm256_sign_epi8(load(p), value));
          dots[p][0] = _mm256_add_epi32(dots[p][0], dot);
        }
      } else {
        for (int p = 0; p < P; ++p) {
          const __m256i weight = load(p);
          const __m256i magnitude = _mm256_abs_epi8(weight);
          for (int t = 0; t < N; ++t) {
            const __m256i value = broadcast4(x + static_cast<std::int64_t>(t) * cols + k);
            const __m256i dot = dot4(magnitude, _mm256_sign_epi8(value, weight));
            dots[p][t] = _mm256_add_epi32(dots[p][t], dot);
          }
        }
      }
    }
    for (int p = 0; p < P; ++p) {
      const __m256 scale = loadHalves(scales[p] + b * kPanel);
      for (int t = 0; t < N; ++t) {
        const __m256 both = _mm256_mul_ps(scale, _mm256_broadcast_ss(xScales + t * blocks + b));
        sums[p][t] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots[p][t]), both, sums[p][t]);
      }
    }
  }
  for (int p = 0; p < P; ++p) {
    const int first = (panel + p) * kPanel;
    for (int t = 0; t < N; ++t) {
      store(sums[p][t], weights.rows() - first, out + t * outStride + first, add);
    }
  }
}

// T tokens from t on, for all panels asked for. One token alone takes several panels at a time, so
// that enough independent sums are under way; several tokens share each panel instead.
template <int P, int N>
void tile(const PackedMatrix& weights, int panel, const Rows& x, int t, float* out,
          std::int64_t outStride, bool add) {
  const auto token = static_cast<std::int64_t>(t);
  const int cols = weights.cols();
  out += token * outStride;
  switch (weights.format()) {
    case Format::kF32:
      return tilePlain<float, P, N>(weights, panel, x.values + token * cols, out, outStride, add);
    case Format::kF16:
      return tilePlain<Half, P, N>(weights, panel, x.values + token * cols, out, outStride, add);
    case Format::kQ8_0:
      return tileQ8<P, N>(weights, panel, x.quants + token * cols,
                          x.scales + token * (cols / kBlock), out, outStride, add);
  }
}

void matmul(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
            std::int64_t outStride, bool add) {
  int p = panels.first;
  if (x.count == 1) {
    for (; p + 4 <= panels.last; p += 4) tile<4, 1>(weights, p, x, 0, out, outStride, add);
    for (; p < panels.last; ++p) tile<1, 1>(weights, p, x, 0, out, outStride, add);
    return;
  }
  for (; p < panels.last; ++p) {  // the panel stays in the first-level cache for all tokens
    int t = 0;
    for (; t + 4 <= x.count; t += 4) tile<1, 4>(weights, p, x, t, out, outStride, add);
    switch (x.count - t) {
      case 3:
        tile<1, 3>(weights, p, x, t, out, outStride, add);
        break;
      case 2:
        tile<1, 2>(weights, p, x, t, out, outStride, add);
        break;
      case 1:
        tile<1, 1>(weights, p, x, t, out, outStride, add);
        break;
      default:
        break;
    }
  }
}

void quantize(const float* values, int n, std::int8_t* quants, float* scales) {
  const __m256 noSign = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  for (int b = 0; b < n / kBlock; ++b, values += kBlock, quants += kBlock) {
    __m256 v[4];
    for (int i = 0; i < 4; ++i) v[i] = _mm256_loadu_ps(values + i * kLanes);
    const __m256 most =
        _mm256_max_ps(_mm256_max_ps(_mm256_and_ps(v[0], noSign), _mm256_and_ps(v[1], noSign)),
                      _mm256_max_ps(_mm256_and_ps(v[2], noSign), _mm256_and_ps(v[3], noSign)));
    const float largest = maxLanes(most);
    scales[b] = largest / kMostQuant;
    const __m256 inverse = _mm256_set1_ps(largest > kLeastMagnitude ? kMostQuant / largest : 0);
    __m256i q[4];
    for (int i = 0; i < 4; ++i) q[i] = _mm256_cvtps_epi32(_mm256_mul_ps(v[i], inverse));
    // Packing works within 128-bit halves; the permutation restores the order.
    const __m256i packed =
        _mm256_packs_epi16(_mm256_packs_epi32(q[0], q[1]), _mm256_packs_epi32(q[2], q[3]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(quants),
                        _mm256_permutevar8x32_epi32(packed, order));
  }
}

void rmsNorm(const float* x, const float* gain, int n, float epsilon, float* out) {
  __m256 squares = _mm256_setzero_ps();
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const __m256 v = _mm256_loadu_ps(x + i);
    squares = _mm256_fmadd_ps(v, v, squares);
  }
  float sum = sumLanes(squares);
  for (; i < n; ++i) sum += x[i] * x[i];
  const float inverse = 1 / std::sqrt(sum / static_cast<float>(n) + epsilon);
  const __m256 factor = _mm256_set1_ps(inverse);
  for (i = 0; i + kLanes <= n; i += kLanes) {
    const __m256 v = _mm256_mul_ps(_mm256_loadu_ps(x + i), factor);
    _mm256_storeu_ps(out + i, _mm256_mul_ps(_mm256_loadu_ps(gain + i), v));
  }
  for (; i < n; ++i) out[i] = gain[i] * (x[i] * inverse);
}

void rope(float* x, const float* cosSin, int n) {
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const __m256 v = _mm256_loadu_ps(x + i);
    const __m256 angles = _mm256_loadu_ps(cosSin + i);
    const __m256 swapped = _mm256_permute_ps(v, 0b10110001);
    const __m256 crossed = _mm256_mul_ps(swapped, _mm256_movehdup_ps(angles));
    _mm256_storeu_ps(x + i, _mm256_fmaddsub_ps(v, _mm256_moveldup_ps(angles), crossed));
  }
  for (; i + 1 < n; i += 2) {
    const float a = x[i], b = x[i + 1], cosine = cosSin[i], sine = cosSin[i + 1];
    x[i] = std::fma(a, cosine, -(b * sine));
    x[i + 1] = std::fma(b, cosine, a * sine);
  }
}

void siluMul(float* gate, const float* up, int n) {
  const __m256 one = _mm256_set1_ps(1);
  const auto silu = [&](__m256 g, __m256 u) {
    const __m256 below = _mm256_add_ps(one, expLanes(_mm256_sub_ps(_mm256_setzero_ps(), g)));
    return _mm256_mul_ps(_mm256_div_ps(g, below), u);
  };
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    _mm256_storeu_ps(gate + i, silu(_mm256_loadu_ps(gate + i), _mm256_loadu_ps(up + i)));
  }
  if (i == n) return;
  // The rest goes through a full register, so that it is rounded like any other element.
  alignas(32) std::array<float, kLanes> g{}, u{};
  std::copy(gate + i, gate + n, g.begin());
  std::copy(up + i, up + n, u.begin());
  _mm256_store_ps(g.data(), silu(_mm256_load_ps(g.data()), _mm256_load_ps(u.data())));
  std::copy(g.begin(), g.begin() + (n - i), gate + i);
}

using Scores = float[kChunk];  // by position

// Scores of H heads against the 16 positions from `keys` on.
template <int H>
void score16(const float* query, int headDim, const Half* keys, float scale, Scores* scores,
             int position) {
  __m256 low[H], high[H];
  for (int h = 0; h < H; ++h) low[h] = high[h] = _mm256_setzero_ps();
  const Half* next = keys + kKeyBlock * headDim;
  for (int d = 0; d < headDim; ++d) {
    const __m256 k0 = loadHalves(keys + d * kKeyBlock);
    const __m256 k1 = loadHalves(next + d * kKeyBlock);
    for (int h = 0; h < H; ++h) {
      const __m256 q = _mm256_broadcast_ss(query + h * headDim + d);
      low[h] = _mm256_fmadd_ps(q, k0, low[h]);
      high[h] = _mm256_fmadd_ps(q, k1, high[h]);
    }
  }
  const __m256 factor = _mm256_set1_ps(scale);
  for (int h = 0; h < H; ++h) {
    _mm256_storeu_ps(scores[h] + position, _mm256_mul_ps(low[h], factor));
    _mm256_storeu_ps(scores[h] + position + kLanes, _mm256_mul_ps(high[h], factor));
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

// out[h][d] of D registers of dimensions for H heads: sum of weight times value.
template <int H, int D>
void mix(const Scores* weights, const Half* values, int headDim, int count, float* out) {
  __m256 sums[H][D];
  for (int h = 0; h < H; ++h) {
    for (int d = 0; d < D; ++d) sums[h][d] = _mm256_setzero_ps();
  }
  for (int p = 0; p < count; ++p, values += headDim) {
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
  constexpr int kAtOnce = 2 * kKeyBlock;
  for (int p = 0; p < count; p += kAtOnce) {
    score16<H>(query, headDim, keys + static_cast<std::int64_t>(p) * headDim, scale, scores, p);
  }
  for (int h = 0; h < H; ++h) sum[h] = exponentiate(scores[h], count, max[h]);
  constexpr int kWide = H <= 3 ? 4 : 2;  // registers of dimensions: H * kWide sums at most
  int d = 0;
  for (; d + kWide * kLanes <= headDim; d += kWide * kLanes) {
    mix<H, kWide>(scores, values + d, headDim, count, out + d);
  }
  for (; d + kLanes <= headDim; d += kLanes) mix<H, 1>(scores, values + d, headDim, count, out + d);
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

void toFloats(const Half* values, int n, float* out) {
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) _mm256_storeu_ps(out + i, loadHalves(values + i));
  for (; i < n; ++i) out[i] = _cvtsh_ss(values[i]);
}

void toHalves(const float* values, int n, Half* out) {
  constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(values + i), kNearest));
  }
  for (; i < n; ++i) out[i] = _cvtss_sh(values[i], kNearest);
}

}  // namespace

const Kernels& avx2Kernels() {
  static constexpr Kernels table{"avx2",  matmul,      quantize, rmsNorm, rope,
                                 siluMul, attendChunk, toFloats, toHalves};
  return table;
}

}  // namespace waferpair::tensor
