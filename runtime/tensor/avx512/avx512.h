// SPDX-License-Identifier: GPL-3.0-or-later
// The code that the files of AVX-512 and AMX kernels share. Only they include it, as only they are
// compiled for AVX-512 (F, BW, VL, DQ and VNNI). All of it has internal linkage, so that no other
// file can get a copy it cannot run.
//
// A register holds the rows of two panels side by side. Each output's sum is the one that the AVX2
// kernels make, to the last bit: integers are exact, and what is done with floats comes in the same
// order.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <utility>

#include "runtime/tensor/kernel_tables.h"

namespace waferpair::tensor {
namespace avx512 {

// The functions of the table, by file.
void matmulFloats(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add);
void matmulQuants(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add);
void attend(const Queries& queries, const KvChunk& chunk, const ChunkRange* ranges,
            const Attended& to);

namespace {

constexpr int kLanes = 16;  // floats in a register
constexpr int kPair = 2;    // panels in a register
static_assert(kLanes == kPair * kPanel);

// Eight halves from each of two places.
[[maybe_unused]] inline __m512 joinHalves(const Half* low, const Half* high) {
  const auto* a = reinterpret_cast<const __m128i*>(low);
  const auto* b = reinterpret_cast<const __m128i*>(high);
  const __m256i both = _mm256_castsi128_si256(_mm_loadu_si128(a));
  return _mm512_cvtph_ps(_mm256_inserti128_si256(both, _mm_loadu_si128(b), 1));
}

[[maybe_unused]] inline __m512 joinBFloats(const std::uint16_t* low, const std::uint16_t* high) {
  const auto* a = reinterpret_cast<const __m128i*>(low);
  const auto* b = reinterpret_cast<const __m128i*>(high);
  const __m256i both = _mm256_castsi128_si256(_mm_loadu_si128(a));
  const __m256i bits = _mm256_inserti128_si256(both, _mm_loadu_si128(b), 1);
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}

// Writes the rows of a pair of panels, times the matrix's factor; `rows` of them are left.
[[maybe_unused]] inline void store(__m512 sums, float factor, int rows, float* out, bool add) {
  const auto these = static_cast<__mmask16>((1u << std::min(rows, kLanes)) - 1);
  const __m512 old = add ? _mm512_maskz_loadu_ps(these, out) : _mm512_setzero_ps();
  _mm512_mask_storeu_ps(out, these, _mm512_fmadd_ps(sums, _mm512_set1_ps(factor), old));
}

// Computes as that of AVX2 does, step by step (avx2.h).
[[maybe_unused]] inline __m512 expLanes(__m512 x) {
  x = _mm512_max_ps(_mm512_min_ps(x, _mm512_set1_ps(88.0f)), _mm512_set1_ps(-87.0f));
  const __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)),
                                        _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693359375f), x);
  r = _mm512_fnmadd_ps(n, _mm512_set1_ps(-2.12194440e-4f), r);
  __m512 p = _mm512_set1_ps(1.0f / 5040);
  for (const float term : {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) {
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(term));
  }
  return _mm512_scalef_ps(p, n);
}

// Covers pairs of panels times tokens with tiles: tile.template operator()<P, N>(panel, token,
// panels) does P pairs by N tokens, of which there are so many panels. One token alone takes two
// pairs at a time, so that enough independent sums are under way; several tokens share each pair,
// at most kTokens: two registers each, and one more for a second plane.
template <int kTokens, typename Tile>
inline void forEachTile(PanelRange panels, int tokens, const Tile& tile) {
  int p = panels.first;
  if (tokens == 1) {
    for (; p + 2 * kPair <= panels.last; p += 2 * kPair) {
      tile.template operator()<2, 1>(p, 0, 2 * kPair);
    }
  }
  for (; p < panels.last; p += kPair) {
    const int here = std::min(kPair, panels.last - p);
    int t = 0;
    for (; t + kTokens <= tokens; t += kTokens) tile.template operator()<1, kTokens>(p, t, here);
    [&]<int... I>(std::integer_sequence<int, I...>) {  // the rest, fewer than kTokens
      ((tokens - t == I + 1 ? tile.template operator()<1, I + 1>(p, t, here) : void()), ...);
    }
    (std::make_integer_sequence<int, kTokens - 1>());
  }
}

}  // namespace
}  // namespace avx512
}  // namespace waferpair::tensor
