// SPDX-License-Identifier: GPL-3.0-or-later
// The multiply-add of arithmetic.h for eight FP16 values at a time. For files compiled for AVX2.
#pragma once

#include <immintrin.h>

namespace waferpair::mesh {

// The sum of product and c, rounded to odd: rounding it to FP16 gives the exact result rounded
// once.
inline __m256 fmacOdd(__m256 a, __m256 b, __m256 c) {
  const __m256 product = _mm256_mul_ps(a, b);
  const __m256 sum = _mm256_add_ps(product, c);
  const __m256 part = _mm256_sub_ps(sum, product);
  const __m256 lost =
      _mm256_add_ps(_mm256_sub_ps(product, _mm256_sub_ps(sum, part)), _mm256_sub_ps(c, part));
  const __m256 zero = _mm256_setzero_ps();
  const __m256i bits = _mm256_castps_si256(sum), one = _mm256_set1_epi32(1);
  const __m256i inexact = _mm256_castps_si256(_mm256_cmp_ps(lost, zero, _CMP_NEQ_OQ));
  const __m256i even = _mm256_cmpeq_epi32(_mm256_and_si256(bits, one), _mm256_setzero_si256());
  const __m256i apart = _mm256_xor_si256(_mm256_castps_si256(_mm256_cmp_ps(lost, zero, _CMP_GT_OQ)),
                                         _mm256_castps_si256(_mm256_cmp_ps(sum, zero, _CMP_GT_OQ)));
  const __m256i change = _mm256_or_si256(apart, one);  // -1 where the signs differ, else 1
  return _mm256_castsi256_ps(
      _mm256_add_epi32(bits, _mm256_and_si256(_mm256_and_si256(inexact, even), change)));
}

}  // namespace waferpair::mesh
