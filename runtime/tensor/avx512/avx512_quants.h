// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of panels of quantized weights, the operands of the AVX-512 and the AMX products.
//
// VNNI and AMX multiply bytes with a sign by bytes without. Activations are the former; signed
// weights get kBias added, and like any offset it is taken off again by the sum of the activations.
// So all sums of a group are the exact integers, whichever kernel made them.
#pragma once

#include <array>
#include <cstring>

#include "runtime/tensor/avx512/avx512.h"

namespace waferpair::tensor::avx512 {
namespace {

constexpr int biasOf(const FormatInfo& info) { return isSigned(info.quants) ? 128 : 0; }

// The places where the parts of two panels begin. If there is no second panel, the first stands in
// for it.
struct Pair {
  PackedMatrix::Parts low, high;

  Pair() = default;
  Pair(const PackedMatrix& weights, int panel, int panels)
      : low(weights.parts(panel)), high(weights.parts(panels > 1 ? panel + 1 : panel)) {}
};

// Columns of both panels' weights from byte `at` of their quants on: 8 columns of packed quants,
// else 4. Without signs they are biased, with signs the format's offset is taken off.
template <Format F, bool Signs = false>
struct Columns {
  static constexpr int kSteps = isPacked(infoOf(F).quants) ? 2 : 1;  // of 4 columns
  static constexpr auto kFlip = static_cast<char>(Signs ? 0 : biasOf(infoOf(F)));
  static constexpr auto kOffset = static_cast<char>(Signs ? infoOf(F).offset : 0);
  __m512i steps[kSteps];

  Columns(const Pair& w, int at) {
    const auto* low = reinterpret_cast<const __m256i*>(w.low.quants + at);
    const auto* high = reinterpret_cast<const __m256i*>(w.high.quants + at);
    const __m512i bytes = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_load_si256(low)),
                                             _mm256_load_si256(high), 1);
    if constexpr (kSteps == 1) {
      steps[0] = kFlip == 0 ? bytes : _mm512_xor_si512(bytes, _mm512_set1_epi8(kFlip));
    } else {
      const __m512i four = _mm512_set1_epi8(15);
      steps[0] = _mm512_and_si512(bytes, four);
      steps[1] = _mm512_and_si512(_mm512_srli_epi16(bytes, 4), four);
      if constexpr (infoOf(F).quants == Quants::kLookup) {
        const __m128i values =
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(lookupOf(F).data()));
        const __m128i biased = _mm_xor_si128(values, _mm_set1_epi8(kFlip));
        const __m512i table = _mm512_broadcast_i32x4(biased);
        for (__m512i& step : steps) step = _mm512_shuffle_epi8(table, step);
      }
    }
    if constexpr (kOffset != 0) {
      for (__m512i& step : steps) step = _mm512_sub_epi8(step, _mm512_set1_epi8(kOffset));
    }
  }
};

// The 16 rows' floats of group g: scales, or minimums.
template <Format F>
inline __m512 joinScales(const std::uint16_t* low, const std::uint16_t* high,
                         const std::int8_t* lowGroups, const std::int8_t* highGroups, int g) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  const int at = g * kInfo.group / kInfo.shared() * kPanel;
  if constexpr (kInfo.scales == Scales::kBFloat) return joinBFloats(low + at, high + at);
  __m512 scales = joinHalves(low + at, high + at);
  if constexpr (kInfo.unit != 1) scales = _mm512_mul_ps(scales, _mm512_set1_ps(kInfo.unit));
  if constexpr (kInfo.scales != Scales::kSuper) return scales;
  std::uint64_t eight[2];
  std::memcpy(&eight[0], lowGroups + g * kPanel, sizeof(eight[0]));
  std::memcpy(&eight[1], highGroups + g * kPanel, sizeof(eight[1]));
  const __m128i groups =
      _mm_set_epi64x(static_cast<long long>(eight[1]), static_cast<long long>(eight[0]));
  return _mm512_mul_ps(scales, _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(groups)));
}
template <Format F>
inline __m512 scalesOf(const Pair& w, int g) {
  return joinScales<F>(w.low.scales, w.high.scales, w.low.groupScales, w.high.groupScales, g);
}
template <Format F>
inline __m512 minimumsOf(const Pair& w, int g) {
  return joinScales<F>(w.low.minimums, w.high.minimums, w.low.groupMinimums, w.high.groupMinimums,
                       g);
}

// Rows of activations of W planes, from one on. A plane of a token is a line.
template <Format F, int W>
struct Tokens {
  static constexpr int kGroup = infoOf(F).group;
  const std::int8_t* quants;
  const float* scales;
  const std::int16_t* sums;
  int cols;

  Tokens(const Rows& x, int first)
      : quants(x.part(first, 1).quants),
        scales(x.part(first, 1).scales),
        sums(x.part(first, 1).sums),
        cols(x.cols) {}

  // The quants of a line in group g.
  const std::int8_t* at(int line, int g) const { return quants + line * cols + g * kGroup; }
  int lineSum(int line, int g) const {
    const std::int16_t* own = sums + line * (cols / kSumGroup) + g * kGroup / kSumGroup;
    return kGroup == kSumGroup ? own[0] : own[0] + own[1];
  }
  // The scale of token t in group g.
  float scale(int t, int g) const { return scales[t * (cols / kBlock) + g * kGroup / kBlock]; }
  int sum(int t, int g) const {
    if constexpr (W == 1) return lineSum(t, g);
    return kFineSteps * lineSum(t * W, g) + lineSum(t * W + 1, g);
  }
};

// Returns the value that the sum of the products of biased weights with a group of a line starts
// from.
template <Format F, int W>
inline __m512i startOf(const Tokens<F, W>& x, int line, int g) {
  constexpr int kTaken = infoOf(F).offset + biasOf(infoOf(F));
  return kTaken == 0 ? _mm512_setzero_si512() : _mm512_set1_epi32(-kTaken * x.lineSum(line, g));
}

// The sum of token t's products, of those of all lines. A line's sum is exact as a float, so that
// two of them are rounded together, once, as an integer of both would be.
template <int W>
inline __m512 joinPlanes(const __m512i* lines, int t) {
  const __m512 first = _mm512_cvtepi32_ps(lines[t * W]);
  if constexpr (W == 1) return first;
  return _mm512_fmadd_ps(first, _mm512_set1_ps(kFineSteps), _mm512_cvtepi32_ps(lines[t * W + 1]));
}

// Adds what group g of both panels contributes to the sum of a token; `scale` and `minimum` are the
// weights'.
template <Format F, int W>
inline __m512 addGroup(__m512 sums, __m512 dot, __m512 scale, [[maybe_unused]] __m512 minimum,
                       const Tokens<F, W>& x, int t, int g) {
  const float xScale = x.scale(t, g);
  sums = _mm512_fmadd_ps(dot, _mm512_mul_ps(scale, _mm512_set1_ps(xScale)), sums);
  if constexpr (infoOf(F).minimum) {
    const auto xSum = static_cast<float>(x.sum(t, g));
    sums = _mm512_fmadd_ps(minimum, _mm512_set1_ps(xScale * xSum), sums);
  }
  return sums;
}

}  // namespace
}  // namespace waferpair::tensor::avx512
