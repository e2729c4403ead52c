// SPDX-License-Identifier: GPL-3.0-or-later
// The code that the files of NEON kernels share. Only they include it. All of it has internal
// linkage, as one of those files is compiled for more than every CPU has.
//
// Each output's sum runs over columns (or positions) in one fixed order, whatever the tile it was
// computed in: tiles of several panels or tokens only share loads. These files are compiled without
// contraction of floats: fused operations are spelled out.
#pragma once

#include <arm_neon.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "runtime/tensor/kernel_tables.h"

namespace waferpair::tensor::neon {

// The functions of the tables, by file.
void matmulFloats(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add);
void matmulQuants(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add);
// The same for CPUs with the dot product extension.
void matmulQuantsDot(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                     std::int64_t outStride, bool add);
void attend(const Queries& queries, const KvChunk& chunk, const ChunkRange* ranges,
            const Attended& to);

namespace {

constexpr int kLanes = 8;  // floats in Lanes
static_assert(kLanes == kPanel && kLanes == kKeyBlock);
[[maybe_unused]] constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The 8 rows of a panel, or 8 positions or dimensions, in two registers.
struct Lanes {
  float32x4_t low, high;
};
struct Mask {
  uint32x4_t low, high;
};

inline Lanes all(float value) { return {vdupq_n_f32(value), vdupq_n_f32(value)}; }
[[maybe_unused]] inline Lanes load(const float* at) { return {vld1q_f32(at), vld1q_f32(at + 4)}; }
[[maybe_unused]] inline Lanes load(const Half* at) {
  const float16x8_t halves = vreinterpretq_f16_u16(vld1q_u16(at));
  return {vcvt_f32_f16(vget_low_f16(halves)), vcvt_high_f32_f16(halves)};
}
[[maybe_unused]] inline Lanes loadBFloats(const void* at) {
  const uint16x8_t bits = vld1q_u16(static_cast<const std::uint16_t*>(at));
  return {vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(bits), 16)),
          vreinterpretq_f32_u32(vshll_high_n_u16(bits, 16))};
}
[[maybe_unused]] inline Lanes load(const std::int8_t* at) {
  const int16x8_t wide = vmovl_s8(vld1_s8(at));
  return {vcvtq_f32_s32(vmovl_s16(vget_low_s16(wide))), vcvtq_f32_s32(vmovl_high_s16(wide))};
}
[[maybe_unused]] inline void store(float* at, Lanes v) {
  vst1q_f32(at, v.low);
  vst1q_f32(at + 4, v.high);
}
// The first `count` of a row, and `filler` behind them.
template <typename T>
inline Lanes loadRest(const T* x, int count, T filler) {
  std::array<T, kLanes> lanes;
  lanes.fill(filler);
  std::copy(x, x + count, lanes.begin());
  return load(lanes.data());
}
// The first `count` lanes.
[[maybe_unused]] inline void storeFirst(Lanes v, int count, float* at) {
  std::array<float, kLanes> lanes;
  store(lanes.data(), v);
  std::copy(lanes.begin(), lanes.begin() + count, at);
}

inline Lanes operator+(Lanes a, Lanes b) {
  return {vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high)};
}
inline Lanes operator-(Lanes a, Lanes b) {
  return {vsubq_f32(a.low, b.low), vsubq_f32(a.high, b.high)};
}
inline Lanes operator*(Lanes a, Lanes b) {
  return {vmulq_f32(a.low, b.low), vmulq_f32(a.high, b.high)};
}
[[maybe_unused]] inline Lanes operator/(Lanes a, Lanes b) {
  return {vdivq_f32(a.low, b.low), vdivq_f32(a.high, b.high)};
}
// a b + sum, rounded once.
inline Lanes fma(Lanes a, Lanes b, Lanes sum) {
  return {vfmaq_f32(sum.low, a.low, b.low), vfmaq_f32(sum.high, a.high, b.high)};
}
[[maybe_unused]] inline Lanes fma(Lanes a, float b, Lanes sum) {
  return {vfmaq_n_f32(sum.low, a.low, b), vfmaq_n_f32(sum.high, a.high, b)};
}
[[maybe_unused]] inline Mask operator>(Lanes a, Lanes b) {
  return {vcgtq_f32(a.low, b.low), vcgtq_f32(a.high, b.high)};
}
[[maybe_unused]] inline Lanes select(Mask mask, Lanes yes, Lanes no) {
  return {vbslq_f32(mask.low, yes.low, no.low), vbslq_f32(mask.high, yes.high, no.high)};
}
// `most` where v is not a number.
[[maybe_unused]] inline Lanes larger(Lanes v, Lanes most) { return select(v > most, v, most); }

[[maybe_unused]] inline float sumOf(Lanes v) { return vaddvq_f32(vaddq_f32(v.low, v.high)); }
[[maybe_unused]] inline float maxOf(Lanes v) { return vmaxvq_f32(vmaxq_f32(v.low, v.high)); }

// exp to about 2 units in the last place for x in -87..88; beyond, that of the nearest end.
[[maybe_unused]] inline float32x4_t expOf(float32x4_t x) {
  x = vmaxnmq_f32(vminnmq_f32(x, vdupq_n_f32(88)), vdupq_n_f32(-87));
  // x = n ln 2 + r with |r| <= ln 2 / 2; ln 2 in two parts, so that n ln 2 is exact enough.
  const float32x4_t n = vrndnq_f32(vmulq_n_f32(x, 1.44269504f));
  float32x4_t r = vfmsq_f32(x, n, vdupq_n_f32(0.693359375f));
  r = vfmsq_f32(r, n, vdupq_n_f32(-2.12194440e-4f));
  // The Taylor polynomial of degree 7: its remainder is below 2^-27 here.
  float32x4_t p = vdupq_n_f32(1.0f / 5040);
  for (const float term : {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) {
    p = vfmaq_f32(vdupq_n_f32(term), p, r);
  }
  const int32x4_t power = vshlq_n_s32(vaddq_s32(vcvtq_s32_f32(n), vdupq_n_s32(127)), 23);  // 2^n
  return vmulq_f32(p, vreinterpretq_f32_s32(power));
}
[[maybe_unused]] inline Lanes expOf(Lanes x) { return {expOf(x.low), expOf(x.high)}; }

// Writes the 8 rows of a panel, times the matrix's factor; fewer at the end of the matrix.
[[maybe_unused]] inline void storeRows(Lanes sums, float factor, int rows, float* out, bool add) {
  if (rows >= kPanel) return store(out, fma(sums, factor, add ? load(out) : all(0)));
  storeFirst(fma(sums, factor, add ? loadRest(out, rows, 0.0f) : all(0)), rows, out);
}

// Covers panels times tokens with tiles: tile.template operator()<P, N>(panel, token) does P panels
// by N tokens. One token alone takes `Alone` panels at a time, so that enough independent sums are
// under way; several tokens share each panel instead, 2 * Alone at a time.
template <int Alone, typename Tile>
inline void forEachTile(PanelRange panels, int tokens, const Tile& tile) {
  constexpr int kTokens = 2 * Alone;
  int p = panels.first;
  if (tokens == 1) {
    for (; p + Alone <= panels.last; p += Alone) tile.template operator()<Alone, 1>(p, 0);
  }
  for (; p < panels.last; ++p) {
    int t = 0;
    for (; t + kTokens <= tokens; t += kTokens) tile.template operator()<1, kTokens>(p, t);
    [&]<int... I>(std::integer_sequence<int, I...>) {  // the rest, fewer than kTokens
      ((tokens - t == I + 1 ? tile.template operator()<1, I + 1>(p, t) : void()), ...);
    }
    (std::make_integer_sequence<int, kTokens - 1>());
  }
}

}  // namespace
}  // namespace waferpair::tensor::neon
