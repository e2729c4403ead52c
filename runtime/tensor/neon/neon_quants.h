// SPDX-License-Identifier: GPL-3.0-or-later
// Products with quantized weights, for any format. neon_matmul_quants.cpp compiles this for every
// CPU, neon_matmul_dot.cpp for those with the dot product extension.
//
// A register holds four neighboring columns of 4 rows, half a panel, as bytes. Products of bytes
// are added up as integers within a group of columns, which is exact either way; the group's scale
// then takes the sum to floats.
#pragma once

#include "runtime/tensor/neon/neon.h"

namespace waferpair::tensor::neon {
namespace {

constexpr int kColumns = 16;          // at a time: what a register holds of a token
constexpr int kSteps = kColumns / 4;  // registers that half a panel has of them
constexpr int kHalf = kPanel / 2;     // rows

// Half a panel's quants in kColumns columns: a register for every four.
struct Columns {
  int8x16_t steps[kSteps];
};

// `at`: the quants of these columns.
template <Format F>
inline Columns columnsOf(const std::uint8_t* at, int half) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  Columns out;
  at += half * kHalf * 4;
  if constexpr (!isPacked(kInfo.quants)) {
    for (int i = 0; i < kSteps; ++i) {
      out.steps[i] = vreinterpretq_s8_u8(vld1q_u8(at + i * kPanel * 4));
    }
  } else {
    for (int i = 0; i < kSteps; i += 2) {  // byte j of a row: columns j and j + 4
      const uint8x16_t bytes = vld1q_u8(at + i / 2 * kPanel * 4);
      out.steps[i] = vreinterpretq_s8_u8(vandq_u8(bytes, vdupq_n_u8(15)));
      out.steps[i + 1] = vreinterpretq_s8_u8(vshrq_n_u8(bytes, 4));
    }
    if constexpr (kInfo.quants == Quants::kLookup) {
      const int8x16_t table = vld1q_s8(lookupOf(F).data());
      for (int8x16_t& step : out.steps) step = vqtbl1q_s8(table, vreinterpretq_u8_s8(step));
    }
  }
  return out;
}

// Sums of products of 4 rows, under way.
#ifdef __ARM_FEATURE_DOTPROD
template <Format>
struct Dots {
  int32x4_t rows = vdupq_n_s32(0);

  void add(const Columns& w, int8x16_t x) {
    rows = vdotq_laneq_s32(rows, w.steps[0], x, 0);
    rows = vdotq_laneq_s32(rows, w.steps[1], x, 1);
    rows = vdotq_laneq_s32(rows, w.steps[2], x, 2);
    rows = vdotq_laneq_s32(rows, w.steps[3], x, 3);
  }
  int32x4_t total() const { return rows; }
};
#else
template <Format F>
struct Dots {
  int32x4_t low = vdupq_n_s32(0), high = vdupq_n_s32(0);  // of two rows each, a row in two lanes

  void add(const Columns& w, int8x16_t x) {
    // True if four products fit an int16 together. Two always do, as neither factor is -128.
    constexpr bool kFourFit = 4 * infoOf(F).most * static_cast<int>(kMostQuant) <= 32767;
    const auto four = [x](auto lane) {
      return vreinterpretq_s8_s32(vdupq_laneq_s32(vreinterpretq_s32_s8(x), decltype(lane)::value));
    };
    const int8x16_t each[kSteps] = {
        four(std::integral_constant<int, 0>()), four(std::integral_constant<int, 1>()),
        four(std::integral_constant<int, 2>()), four(std::integral_constant<int, 3>())};
    for (int i = 0; i < kSteps; i += kFourFit ? 4 : 2) {
      int16x8_t lowPairs = vmull_s8(vget_low_s8(w.steps[i]), vget_low_s8(each[i]));
      int16x8_t highPairs = vmull_high_s8(w.steps[i], each[i]);
      for (int j = i + 1; j < i + (kFourFit ? 4 : 2); ++j) {
        lowPairs = vmlal_s8(lowPairs, vget_low_s8(w.steps[j]), vget_low_s8(each[j]));
        highPairs = vmlal_high_s8(highPairs, w.steps[j], each[j]);
      }
      low = vpadalq_s16(low, lowPairs);
      high = vpadalq_s16(high, highPairs);
    }
  }
  int32x4_t total() const { return vpaddq_s32(low, high); }
};
#endif

// The 8 rows' scales of group g, or their minimums.
template <Format F>
inline Lanes scalesOf(const std::uint16_t* shared, const std::int8_t* groups, int g) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  const std::uint16_t* at = shared + g * kInfo.group / kInfo.shared() * kPanel;
  if constexpr (kInfo.scales == Scales::kBFloat) return loadBFloats(at);
  Lanes scales = load(at);
  if constexpr (kInfo.unit != 1) scales = scales * all(kInfo.unit);
  if constexpr (kInfo.scales != Scales::kSuper) return scales;
  return scales * load(groups + g * kPanel);
}

// Sum of the quants of a plane, or a token, in group g.
template <Format F>
inline int planeSum(const std::int16_t* sums, int g) {
  if constexpr (infoOf(F).group == kSumGroup) return sums[g];
  return sums[2 * g] + sums[2 * g + 1];
}
template <Format F, int W>
inline int quantSum(const std::int16_t* sums, int g, int groups) {
  if constexpr (W == 1) return planeSum<F>(sums, g);
  return kFineSteps * planeSum<F>(sums, g) + planeSum<F>(sums + groups, g);
}

// Sums of products of 4 rows with token t, of those with all planes of all tokens.
template <Format F, int W, std::size_t Lines>
inline int32x4_t total(const Dots<F> (&dots)[Lines][2], int t, int half) {
  if constexpr (W == 1) return dots[t][half].total();
  return vmlaq_n_s32(dots[t * W + 1][half].total(), dots[t * W][half].total(), kFineSteps);
}

// P panels by N tokens of W planes.
template <Format F, int W, int P, int N>
void tileQuants(const PackedMatrix& weights, int panel, const Rows& rows, int token, float* out,
                std::int64_t outStride, bool add) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  static_assert(kInfo.group == kSumGroup || kInfo.group == 2 * kSumGroup);
  constexpr int kColumnBytes = isPacked(kInfo.quants) ? kPanel : 2 * kPanel;  // of two columns
  constexpr int kLines = N * W;
  const int cols = weights.cols();
  const int groups = cols / kInfo.group, xBlocks = cols / kBlock, xGroups = cols / kSumGroup;
  const Rows x = rows.part(token, N);
  PackedMatrix::Parts w[P];
  Lanes sums[P][N];
  for (int p = 0; p < P; ++p) {
    w[p] = weights.parts(panel + p);
    for (int t = 0; t < N; ++t) sums[p][t] = all(0);
  }
  for (int g = 0; g < groups; ++g) {
    Dots<F> dots[P][kLines][2];
    const int first = g * kInfo.group;
#pragma GCC unroll 2
    for (int i = 0; i < kInfo.group; i += kColumns) {
      int8x16_t values[kLines];
      for (int t = 0; t < kLines; ++t) values[t] = vld1q_s8(x.quants + t * cols + first + i);
      for (int p = 0; p < P; ++p) {
        for (int half = 0; half < 2; ++half) {
          const Columns columns = columnsOf<F>(w[p].quants + (first + i) * kColumnBytes / 2, half);
          for (int t = 0; t < kLines; ++t) dots[p][t][half].add(columns, values[t]);
        }
      }
    }
    for (int p = 0; p < P; ++p) {
      const Lanes scales = scalesOf<F>(w[p].scales, w[p].groupScales, g);
      for (int t = 0; t < N; ++t) {
        const float xScale = x.scales[t * xBlocks + g * kInfo.group / kBlock];
        int32x4_t low = total<F, W>(dots[p], t, 0), high = total<F, W>(dots[p], t, 1);
        if constexpr (kInfo.offset != 0) {
          const int sum = quantSum<F, W>(x.sums + t * W * xGroups, g, xGroups);
          const int32x4_t offset = vdupq_n_s32(kInfo.offset * sum);
          low = vsubq_s32(low, offset);
          high = vsubq_s32(high, offset);
        }
        const Lanes dot{vcvtq_f32_s32(low), vcvtq_f32_s32(high)};
        sums[p][t] = fma(dot, scales * all(xScale), sums[p][t]);
      }
      if constexpr (kInfo.minimum) {
        const Lanes minimums = scalesOf<F>(w[p].minimums, w[p].groupMinimums, g);
        for (int t = 0; t < N; ++t) {
          const float xScale = x.scales[t * xBlocks + g * kInfo.group / kBlock];
          const int sum = quantSum<F, W>(x.sums + t * W * xGroups, g, xGroups);
          sums[p][t] = fma(minimums, xScale * static_cast<float>(sum), sums[p][t]);
        }
      }
    }
  }
#pragma GCC unroll 2  // sums that are indexed would not stay in registers
  for (int p = 0; p < P; ++p) {
    const int first = (panel + p) * kPanel;
#pragma GCC unroll 4
    for (int t = 0; t < N; ++t) {
      storeRows(sums[p][t], weights.factor(), weights.rows() - first,
                out + (token + t) * outStride + first, add);
    }
  }
}

template <Format F, int W>
void matmulPlanes(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add) {
  forEachTile<2 / W>(panels, x.count, [&]<int P, int N>(int panel, int token) {
    tileQuants<F, W, P, N>(weights, panel, x, token, out, outStride, add);
  });
}

template <Format F>
void matmulOf(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
              std::int64_t outStride, bool add) {
  const auto product = x.planes == 1 ? matmulPlanes<F, 1> : matmulPlanes<F, 2>;
  product(weights, panels, x, out, outStride, add);
}

inline void matmulAny(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                      std::int64_t outStride, bool add) {
  const auto with = [&](auto matmul) { matmul(weights, panels, x, out, outStride, add); };
  switch (weights.format()) {
    case Format::kQ4_0:
      return with(matmulOf<Format::kQ4_0>);
    case Format::kQ4_1:
      return with(matmulOf<Format::kQ4_1>);
    case Format::kQ5_0:
      return with(matmulOf<Format::kQ5_0>);
    case Format::kQ5_1:
      return with(matmulOf<Format::kQ5_1>);
    case Format::kQ8_0:
      return with(matmulOf<Format::kQ8_0>);
    case Format::kQ2_K:
      return with(matmulOf<Format::kQ2_K>);
    case Format::kQ3_K:
      return with(matmulOf<Format::kQ3_K>);
    case Format::kQ4_K:
      return with(matmulOf<Format::kQ4_K>);
    case Format::kQ5_K:
      return with(matmulOf<Format::kQ5_K>);
    case Format::kQ6_K:
      return with(matmulOf<Format::kQ6_K>);
    case Format::kIQ4_NL:
      return with(matmulOf<Format::kIQ4_NL>);
    case Format::kIQ4_XS:
      return with(matmulOf<Format::kIQ4_XS>);
    case Format::kMXFP4:
      return with(matmulOf<Format::kMXFP4>);
    case Format::kNVFP4:
      return with(matmulOf<Format::kNVFP4>);
    case Format::kIQ2_XXS:
      return with(matmulOf<Format::kIQ2_XXS>);
    case Format::kIQ2_XS:
    case Format::kIQ2_S:
      return with(matmulOf<Format::kIQ2_S>);
    case Format::kIQ3_XXS:
      return with(matmulOf<Format::kIQ3_XXS>);
    case Format::kIQ3_S:
      return with(matmulOf<Format::kIQ3_S>);
    case Format::kF32:
    case Format::kF16:
    case Format::kBF16:
      return;  // matmulFloats()
  }
}

}  // namespace
}  // namespace waferpair::tensor::neon
