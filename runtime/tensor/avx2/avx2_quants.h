// SPDX-License-Identifier: GPL-3.0-or-later
// Products with quantized weights, for any format: the parts of avx2_matmul_bytes.cpp and
// avx2_matmul_nibbles.cpp.
//
// A register holds four neighboring columns of the 8 rows of a panel, as bytes. Products of bytes
// are added up as integers within a group of columns, which is exact; the group's scale then takes
// the sum to floats.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/tensor/avx2/avx2.h"

namespace waferpair::tensor::avx2 {
namespace {

// Four int8 columns of x in every lane.
inline __m256i broadcast4(const std::int8_t* at) {
  std::int32_t four;
  __builtin_memcpy(&four, at, sizeof(four));
  return _mm256_set1_epi32(four);
}

// Pairs of int16 that are added up into int32.
inline __m256i widen(__m256i pairs) { return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)); }

// Returns how many sums of two products fit an int16 together, as a power of two, since columns
// come in powers of two.
constexpr int runOf(const FormatInfo& info) {
  int run = 1;
  while (2 * run * 2 * info.most * static_cast<int>(kMostQuant) <= 32767) run *= 2;
  return std::min(run, info.group / 4);
}

// The 8 rows' scales of group g, and their minimums.
template <Format F>
inline __m256 scalesOf(const std::uint16_t* shared, const std::int8_t* groups, int g) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  const std::uint16_t* at = shared + g * kInfo.group / kInfo.shared() * kPanel;
  if constexpr (kInfo.scales == Scales::kBFloat) return loadBFloats(at);
  __m256 scales = loadHalves(at);
  if constexpr (kInfo.unit != 1) scales = _mm256_mul_ps(scales, _mm256_set1_ps(kInfo.unit));
  if constexpr (kInfo.scales != Scales::kSuper) return scales;
  const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(groups + g * kPanel));
  return _mm256_mul_ps(scales, _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight)));
}

// `factor` times the sum of the quants of group g of a row of x, in every lane.
template <Format F, int Factor>
inline __m256i sumOf(const std::int16_t* sums, int g) {
  if constexpr (infoOf(F).group == 2 * kSumGroup) {
    std::int32_t two;
    __builtin_memcpy(&two, sums + 2 * g, sizeof(two));
    return _mm256_madd_epi16(_mm256_set1_epi32(two), _mm256_set1_epi16(Factor));
  } else {
    static_assert(infoOf(F).group == kSumGroup);
    return _mm256_set1_epi32(Factor * sums[g]);
  }
}

// Columns of the panel's weights from `at` on, ready to be multiplied: 8 of packed quants, else 4.
template <Format F>
struct Columns {
  static constexpr int kSteps = isPacked(infoOf(F).quants) ? 2 : 1;  // of 4 columns
  __m256i steps[kSteps];

  explicit Columns(const std::uint8_t* at) {
    const __m256i bytes = _mm256_load_si256(reinterpret_cast<const __m256i*>(at));
    if constexpr (kSteps == 1) {
      steps[0] = bytes;
    } else {
      const __m256i four = _mm256_set1_epi8(15);
      steps[0] = _mm256_and_si256(bytes, four);
      steps[1] = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), four);
      if constexpr (infoOf(F).quants == Quants::kLookup) {
        const __m256i table = _mm256_broadcastsi128_si256(
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(lookupOf(F).data())));
        for (__m256i& step : steps) step = _mm256_shuffle_epi8(table, step);
      }
    }
  }
};

// Returns the columns of each of P panels.
template <Format F, std::size_t P>
inline std::array<Columns<F>, P> columnsOf(const PackedMatrix::Parts (&w)[P], int at) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<Columns<F>, P>{Columns<F>(w[I].quants + at)...};
  }
  (std::make_index_sequence<P>());
}

// Sums of two products, as int16. maddubs takes one factor without sign, so the sign of one goes to
// the other: exact, as neither factor is -128. What all the inner products share loses its sign:
// the token if it is one alone, else the weights.
template <Format F, int N>
inline __m256i multiply(__m256i weights, __m256i x) {
  if constexpr (!isSigned(infoOf(F).quants)) return _mm256_maddubs_epi16(weights, x);
  if constexpr (N == 1) {
    return _mm256_maddubs_epi16(_mm256_abs_epi8(x), _mm256_sign_epi8(weights, x));
  }
  return _mm256_maddubs_epi16(_mm256_abs_epi8(weights), _mm256_sign_epi8(x, weights));
}

// dots[p][t] = sum of products of the quants of group g.
template <Format F, int P, int N>
inline void dotGroup(const PackedMatrix::Parts (&w)[P], int g, const std::int8_t* x, int xStride,
                     __m256i (&dots)[P][N]) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  constexpr int kRun = runOf(kInfo);  // steps of 4 columns whose products are added as int16
  constexpr int kSteps = kInfo.group / 4, kAtOnce = Columns<F>::kSteps;
  constexpr int kBytes = 4 * kPanel / kAtOnce;  // that a step takes
  constexpr int kTurn = std::max(kRun, kAtOnce);
  for (int p = 0; p < P; ++p) {
    for (int t = 0; t < N; ++t) dots[p][t] = _mm256_setzero_si256();
  }
#pragma GCC unroll 2  // all turns at once would spill the sums
  for (int turn = 0; turn < kSteps; turn += kTurn) {
    __m256i pairs[P][N];
#pragma GCC unroll 4  // so that no turn asks which is the first
    for (int step = turn; step < turn + kTurn; step += kAtOnce) {
      const auto columns = columnsOf<F>(w, (g * kSteps + step) * kBytes);
      for (int i = 0; i < kAtOnce; ++i) {
        for (int t = 0; t < N; ++t) {
          const __m256i values = broadcast4(x + t * xStride + 4 * (step + i));
          for (int p = 0; p < P; ++p) {
            const __m256i product = multiply<F, N>(columns[p].steps[i], values);
            if constexpr (kRun == 1) {
              dots[p][t] = _mm256_add_epi32(dots[p][t], widen(product));
            } else {
              const bool first = step == turn && i == 0;
              pairs[p][t] = first ? product : _mm256_add_epi16(pairs[p][t], product);
            }
          }
        }
      }
    }
    if constexpr (kRun > 1) {
      for (int p = 0; p < P; ++p) {
        for (int t = 0; t < N; ++t) {
          dots[p][t] = _mm256_add_epi32(dots[p][t], widen(pairs[p][t]));
        }
      }
    }
  }
}

// Joins two planes: a step of the first is kFineSteps of the second.
inline __m256i joinPlanes(__m256i first, __m256i second) {
  return _mm256_add_epi32(_mm256_mullo_epi32(first, _mm256_set1_epi32(kFineSteps)), second);
}

// 32 columns of two planes as 16 bits: of every four the first and the third, the second and the
// fourth.
struct FineColumns {
  alignas(32) std::int16_t even[kBlock / 2], odd[kBlock / 2];

  FineColumns(const std::int8_t* first, const std::int8_t* second) {
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first));
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(second));
    const auto join = [&](int shift) {  // of each two bytes that from bit `shift` on
      const __m256i steps = _mm256_set1_epi16(static_cast<short>(kFineSteps << shift));
      const __m256i ones = _mm256_set1_epi16(static_cast<short>(1 << shift));
      return _mm256_add_epi16(_mm256_maddubs_epi16(steps, high), _mm256_maddubs_epi16(ones, low));
    };
    _mm256_store_si256(reinterpret_cast<__m256i*>(even), join(0));
    _mm256_store_si256(reinterpret_cast<__m256i*>(odd), join(8));
  }
};

// Does what dotGroup() does for signed weights, by activations of two planes, which lie as two
// rows: products of 16 bits take fewer operations than bytes whose signs must be turned twice.
template <Format F, int P, int N>
inline void dotGroupFinely(const PackedMatrix::Parts (&w)[P], int g, const std::int8_t* x,
                           int xStride, __m256i (&dots)[P][N]) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  static_assert(kInfo.group == kBlock);
  constexpr int kSteps = kInfo.group / 4, kAtOnce = Columns<F>::kSteps;
  constexpr int kBytes = 4 * kPanel / kAtOnce;  // that a step takes
  const __m256i evenBytes = _mm256_set1_epi16(1);
  const auto fine = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<FineColumns, N>{FineColumns(x + 2 * static_cast<int>(I) * xStride,
                                                  x + (2 * static_cast<int>(I) + 1) * xStride)...};
  }
  (std::make_index_sequence<N>());
  for (int p = 0; p < P; ++p) {
    for (int t = 0; t < N; ++t) dots[p][t] = _mm256_setzero_si256();
  }
#pragma GCC unroll 2
  for (int step = 0; step < kSteps; step += kAtOnce) {
    const auto columns = columnsOf<F>(w, (g * kSteps + step) * kBytes);
    for (int i = 0; i < kAtOnce; ++i) {
      __m256i even[P], odd[P];
      for (int p = 0; p < P; ++p) {
        even[p] = _mm256_maddubs_epi16(evenBytes, columns[p].steps[i]);
        odd[p] = _mm256_srai_epi16(columns[p].steps[i], 8);
      }
      for (int t = 0; t < N; ++t) {
        const auto times = [&](const __m256i(&weights)[P], const std::int16_t* values) {
          std::int32_t two;
          __builtin_memcpy(&two, values + 2 * (step + i), sizeof(two));
          for (int p = 0; p < P; ++p) {
            const __m256i product = _mm256_madd_epi16(weights[p], _mm256_set1_epi32(two));
            dots[p][t] = _mm256_add_epi32(dots[p][t], product);
          }
        };
        times(even, fine[t].even);
        times(odd, fine[t].odd);
      }
    }
  }
}

// True for what dotGroupFinely() is for.
template <Format F, int W>
constexpr bool isFine() {
  return W == 2 && isSigned(infoOf(F).quants) && infoOf(F).group == kBlock;
}

// P panels by N tokens of W planes.
template <Format F, int W, int P, int N>
void tileQuants(const PackedMatrix& weights, int panel, const Rows& rows, int token, float* out,
                std::int64_t outStride, bool add) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  constexpr int kGroupBytes = bytesOf(kInfo);
  constexpr bool kFinely = isFine<F, W>();
  const int cols = weights.cols();
  const int groups = cols / kInfo.group, xBlocks = cols / kBlock, xGroups = cols / kSumGroup;
  const Rows x = rows.part(token, N);
  PackedMatrix::Parts w[P];
  for (int p = 0; p < P; ++p) w[p] = weights.parts(panel + p);
  __m256 sums[P][N];
  for (int p = 0; p < P; ++p) {
    for (int t = 0; t < N; ++t) sums[p][t] = _mm256_setzero_ps();
  }
  // `factor` times the sum of the quants of a token in group g.
  const auto xSum = [&]<int Factor>(int t, int g) {
    const std::int16_t* at = x.sums + t * W * xGroups;
    if constexpr (W == 1) return sumOf<F, Factor>(at, g);
    return joinPlanes(sumOf<F, Factor>(at, g), sumOf<F, Factor>(at + xGroups, g));
  };
  // Few tokens wait for memory: the first to pass here fetch the tile after this one meanwhile, as
  // panels are too short for the processor to find out by itself. Past the last panel this does no
  // harm.
  const auto* ahead = reinterpret_cast<const char*>(weights.panel(panel + P));
  const std::int64_t stride = weights.panel(1) - weights.panel(0);
  for (int g = 0; g < groups; ++g) {
    for (int p = 0; token == 0 && p < P; ++p) {
      for (int at = 0; at < kGroupBytes; at += 64) {
        _mm_prefetch(ahead + p * stride + g * kGroupBytes + at, _MM_HINT_T1);
      }
    }
    __m256i dots[P][N];
    if constexpr (kFinely) {
      dotGroupFinely<F, P, N>(w, g, x.quants + g * kInfo.group, cols, dots);
    } else {
      __m256i planes[P][N * W];
      dotGroup<F, P, N * W>(w, g, x.quants + g * kInfo.group, cols, planes);
      for (int p = 0; p < P; ++p) {
        for (int t = 0; t < N; ++t) {
          dots[p][t] =
              W == 1 ? planes[p][t] : joinPlanes(planes[p][t * W], planes[p][t * W + W - 1]);
        }
      }
    }
    for (int p = 0; p < P; ++p) {
      const __m256 scale = scalesOf<F>(w[p].scales, w[p].groupScales, g);
      for (int t = 0; t < N; ++t) {
        const __m256 xScale =
            _mm256_broadcast_ss(x.scales + t * xBlocks + g * kInfo.group / kBlock);
        __m256i dot = dots[p][t];
        if constexpr (kInfo.offset != 0) {
          dot = _mm256_sub_epi32(dot, xSum.template operator()<kInfo.offset>(t, g));
        }
        sums[p][t] =
            _mm256_fmadd_ps(_mm256_cvtepi32_ps(dot), _mm256_mul_ps(scale, xScale), sums[p][t]);
      }
      if constexpr (kInfo.minimum) {
        const __m256 minimum = scalesOf<F>(w[p].minimums, w[p].groupMinimums, g);
        for (int t = 0; t < N; ++t) {
          const __m256 xScale =
              _mm256_broadcast_ss(x.scales + t * xBlocks + g * kInfo.group / kBlock);
          const __m256 sum = _mm256_cvtepi32_ps(xSum.template operator()<1>(t, g));
          sums[p][t] = _mm256_fmadd_ps(minimum, _mm256_mul_ps(xScale, sum), sums[p][t]);
        }
      }
    }
  }
#pragma GCC unroll 4  // sums that are indexed would not stay in registers
  for (int p = 0; p < P; ++p) {
    const int first = (panel + p) * kPanel;
#pragma GCC unroll 4
    for (int t = 0; t < N; ++t) {
      store(sums[p][t], weights.factor(), weights.rows() - first,
            out + (token + t) * outStride + first, add);
    }
  }
}

template <Format F, int W>
void matmulPlanes(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add) {
  const auto tile = [&]<int P, int N>(int panel, int token) {
    tileQuants<F, W, P, N>(weights, panel, x, token, out, outStride, add);
  };
  constexpr bool kFinely = isFine<F, W>();
  constexpr int kAtOnce = W == 1 || kFinely ? 4 : 2;
  // Two panels share the loads of the tokens, but where products of four are each widened at once:
  // the registers would not do.
  if (kFinely || runOf(infoOf(F)) > 1 || x.count < 4) {
    return forEachTile<2, kAtOnce>(panels, x.count, tile);
  }
  forEachTile<1, kAtOnce>(panels, x.count, tile);
}

template <Format F>
void matmulOf(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
              std::int64_t outStride, bool add) {
  const auto product = x.planes == 1 ? matmulPlanes<F, 1> : matmulPlanes<F, 2>;
  product(weights, panels, x, out, outStride, add);
}

}  // namespace
}  // namespace waferpair::tensor::avx2
