// SPDX-License-Identifier: GPL-3.0-or-later
// The table of kernels for x86-64 with AVX-512. What goes through a single row, and is a small part
// of a step, is left to AVX2, but for what is mostly exponentials.
#include "runtime/tensor/avx512/avx512.h"
#include "runtime/tensor/delta_rule.h"

namespace waferpair::tensor {
namespace avx512 {
namespace {

struct Avx512Set {};  // see delta_rule.h

inline __mmask16 upTo(int count) {
  return static_cast<__mmask16>(count >= kLanes ? 0xffff : (1u << count) - 1);
}

void siluMul(float* gate, const float* up, int n) {
  for (int i = 0; i < n; i += kLanes) {
    const __mmask16 these = upTo(n - i);
    const __m512 g = _mm512_maskz_loadu_ps(these, gate + i);
    const __m512 below =
        _mm512_add_ps(_mm512_set1_ps(1), expLanes(_mm512_sub_ps(_mm512_setzero_ps(), g)));
    const __m512 u = _mm512_maskz_loadu_ps(these, up + i);
    _mm512_mask_storeu_ps(gate + i, these, _mm512_mul_ps(_mm512_div_ps(g, below), u));
  }
}

double sumExp(const float* x, int n, float max) {
  __m512d low = _mm512_setzero_pd(), high = _mm512_setzero_pd();
  for (int i = 0; i < n; i += kLanes) {
    const __mmask16 these = upTo(n - i);
    const __m512 below = _mm512_sub_ps(_mm512_maskz_loadu_ps(these, x + i), _mm512_set1_ps(max));
    const __mmask16 counts =
        _mm512_mask_cmp_ps_mask(these, below, _mm512_set1_ps(-kNegligible), _CMP_GT_OQ);
    const __m512 each = _mm512_maskz_mov_ps(counts, expLanes(below));
    low = _mm512_add_pd(low, _mm512_cvtps_pd(_mm512_castps512_ps256(each)));
    high = _mm512_add_pd(high, _mm512_cvtps_pd(_mm512_extractf32x8_ps(each, 1)));
  }
  return _mm512_reduce_add_pd(_mm512_add_pd(low, high));
}

void matmul(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
            std::int64_t outStride, bool add) {
  const auto product = weights.quantized() ? matmulQuants : matmulFloats;
  product(weights, panels, x, out, outStride, add);
}

}  // namespace
}  // namespace avx512

const Kernels& avx512Kernels() {
  static const Kernels table = [] {
    Kernels all = avx2Kernels();
    all.name = "avx512";
    all.matmul = avx512::matmul;
    all.siluMul = avx512::siluMul;
    all.attend = avx512::attend;
    all.deltaRule = deltaRuleLoops<avx512::Avx512Set>;
    all.sumExp = avx512::sumExp;
    return all;
  }();
  return table;
}

}  // namespace waferpair::tensor
