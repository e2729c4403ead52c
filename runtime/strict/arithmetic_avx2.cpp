// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled for AVX2 and F16C; chosen at run time.
#include "runtime/strict/arithmetic_avx2.h"

#include <immintrin.h>

#include "runtime/mesh/avx2_fmac.h"

namespace waferpair::strict::avx2 {

namespace {

__m256 rounded(__m256 values) {
  return _mm256_cvtph_ps(_mm256_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

// Computes `count` vectors of eight sums side by side, as many as hide the latency of one.
template <int count>
void multiply(std::span<const float> in, const tensor::Half* tile, std::size_t pitch, float* out) {
  __m256 sums[count];
  for (__m256& sum : sums) sum = _mm256_setzero_ps();
  for (std::size_t k = 0; k < in.size(); ++k) {
    const __m256 x = _mm256_set1_ps(in[k]);
    for (int i = 0; i < count; ++i) {
      const auto* at = reinterpret_cast<const __m128i*>(tile + k * pitch + 8 * i);
      sums[i] = rounded(mesh::fmacOdd(x, _mm256_cvtph_ps(_mm_loadu_si128(at)), sums[i]));
    }
  }
  for (int i = 0; i < count; ++i) _mm256_storeu_ps(out + 8 * i, sums[i]);
}

}  // namespace

std::size_t multiplyTile(std::span<const float> in, const tensor::Half* tile, std::size_t pitch,
                         std::span<float> out) {
  std::size_t n = 0;
  for (; n + 32 <= out.size(); n += 32) multiply<4>(in, tile + n, pitch, out.data() + n);
  for (; n + 8 <= out.size(); n += 8) multiply<1>(in, tile + n, pitch, out.data() + n);
  return n;
}

std::size_t addHalves(std::span<float> to, std::span<const float> from) {
  std::size_t n = 0;
  for (; n + 8 <= to.size(); n += 8) {
    const __m256 sum =
        _mm256_add_ps(_mm256_loadu_ps(to.data() + n), _mm256_loadu_ps(from.data() + n));
    _mm256_storeu_ps(to.data() + n, rounded(sum));
  }
  return n;
}

}  // namespace waferpair::strict::avx2
