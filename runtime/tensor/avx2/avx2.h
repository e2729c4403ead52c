// SPDX-License-Identifier: GPL-3.0-or-later
// The code that the files of AVX2 kernels share. Only they include it, as only they are compiled
// for AVX2, FMA and F16C. All of it has internal linkage, so that no other file can get a copy it
// cannot run.
//
// Each output's sum runs over columns (or positions) in one fixed order, whatever the tile it was
// computed in: tiles of several panels or tokens only share loads.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "runtime/tensor/kernel_tables.h"

namespace waferpair::tensor::avx2 {

// The functions of the table, by file.
void matmulFloats(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add);
void matmulBytes(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                 std::int64_t outStride, bool add);
void matmulNibbles(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                   std::int64_t outStride, bool add);
void attend(const Queries& queries, const KvChunk& chunk, const ChunkRange* ranges,
            const Attended& to);

namespace {

constexpr int kLanes = 8;  // floats in a register
[[maybe_unused]] constexpr float kInfinity = std::numeric_limits<float>::infinity();
static_assert(kLanes == kPanel && kLanes == kKeyBlock);

[[maybe_unused]] inline __m256 loadHalves(const Half* at) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
}

[[maybe_unused]] inline __m256 loadBFloats(const void* at) {
  const __m128i bits = _mm_loadu_si128(static_cast<const __m128i*>(at));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
}

[[maybe_unused]] inline float sumLanes(__m256 v) {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

[[maybe_unused]] inline float maxLanes(__m256 v) {
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

// exp to about 2 units in the last place for x in -87..88; beyond, that of the nearest end.
[[maybe_unused]] inline __m256 expLanes(__m256 x) {
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

// Writes the 8 rows of a panel, times the matrix's factor; fewer at the end of the matrix.
[[maybe_unused]] inline void store(__m256 sums, float factor, int rows, float* out, bool add) {
  const __m256 factors = _mm256_set1_ps(factor);
  if (rows >= kPanel) {
    const __m256 old = add ? _mm256_loadu_ps(out) : _mm256_setzero_ps();
    _mm256_storeu_ps(out, _mm256_fmadd_ps(sums, factors, old));
    return;
  }
  alignas(32) std::array<float, kPanel> lanes{};
  if (add) std::copy_n(out, rows, lanes.begin());
  _mm256_store_ps(lanes.data(), _mm256_fmadd_ps(sums, factors, _mm256_load_ps(lanes.data())));
  std::copy_n(lanes.begin(), rows, out);
}

// Covers panels times tokens with tiles: tile.template operator()<P, N>(panel, token) does P panels
// by N tokens. One token alone takes `AtOnce` panels at a time, so that enough independent sums are
// under way; several tokens, as many at a time, share each panel instead, or `Together` of them,
// which stay in the first-level cache for all.
template <int Together, int AtOnce, typename Tile>
inline void forEachTile(PanelRange panels, int tokens, const Tile& tile) {
  int p = panels.first;
  if (tokens == 1) {
    for (; p + AtOnce <= panels.last; p += AtOnce) tile.template operator()<AtOnce, 1>(p, 0);
    for (; p < panels.last; ++p) tile.template operator()<1, 1>(p, 0);
    return;
  }
  const auto allTokens = [&]<int P>() {
    int t = 0;
    for (; t + AtOnce <= tokens; t += AtOnce) tile.template operator()<P, AtOnce>(p, t);
    [&]<int... I>(std::integer_sequence<int, I...>) {  // the rest, fewer than AtOnce
      ((tokens - t == I + 1 ? tile.template operator()<P, I + 1>(p, t) : void()), ...);
    }
    (std::make_integer_sequence<int, AtOnce - 1>());
  };
  for (; p + Together <= panels.last; p += Together) allTokens.template operator()<Together>();
  for (; p < panels.last; ++p) allTokens.template operator()<1>();
}

}  // namespace
}  // namespace waferpair::tensor::avx2
