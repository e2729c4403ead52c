// SPDX-License-Identifier: GPL-3.0-or-later
// Attention in registers of 16 floats.
#include "runtime/tensor/avx512/avx512.h"
#include "runtime/tensor/lanes_attention.h"

namespace waferpair::tensor::avx512 {
namespace {

inline __m512 widenBytes(__m128i bytes) { return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes)); }

struct Lanes {
  using Floats = __m512;
  static constexpr int kLanes = avx512::kLanes;
  static constexpr int kRegisters = 32;

  static Floats all(float value) { return _mm512_set1_ps(value); }
  static Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
  static Floats subtract(Floats a, Floats b) { return _mm512_sub_ps(a, b); }
  static Floats multiply(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
  static Floats divide(Floats a, Floats b) { return _mm512_div_ps(a, b); }
  static Floats multiplyAdd(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
  static Floats max(Floats a, Floats b) { return _mm512_max_ps(a, b); }
  static Floats exp(Floats x) { return expLanes(x); }
  static float first(Floats x) { return _mm512_cvtss_f32(x); }
  static float sum(Floats x) { return _mm512_reduce_add_ps(x); }
  static float largest(Floats x) { return _mm512_reduce_max_ps(x); }

  // Aligned to a register; others are not.
  static Floats load(const float* at) { return _mm512_load_ps(at); }
  static void store(float* at, Floats x) { _mm512_store_ps(at, x); }

  using All = std::integral_constant<int, kLanes>;
  static Floats load(const float* at, All) { return _mm512_loadu_ps(at); }
  static Floats load(const Half* at, All = {}) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
  }
  static Floats load(const std::int8_t* at, All = {}) {
    return widenBytes(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
  }
  static void store(float* at, Floats x, All) { _mm512_storeu_ps(at, x); }

  // The first `count`, and zeros.
  static __mmask16 these(int count) { return static_cast<__mmask16>((1u << count) - 1); }
  static Floats load(const float* at, int count) { return _mm512_maskz_loadu_ps(these(count), at); }
  static Floats load(const Half* at, int count) {
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(these(count), at));
  }
  static Floats load(const std::int8_t* at, int count) {
    return widenBytes(_mm_maskz_loadu_epi8(these(count), at));
  }
  static void store(float* at, Floats x, int count) { _mm512_mask_storeu_ps(at, these(count), x); }

  // Loads two blocks of values that are kept in blocks of kKeyBlock positions, `stride` apart.
  static Floats positions(const Half* at, int stride) { return joinHalves(at, at + stride); }
  static Floats positions(const std::int8_t* at, int stride) {
    const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at));
    const __m128i high = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at + stride));
    return widenBytes(_mm_unpacklo_epi64(low, high));
  }

  // Lane i is position p + i; `otherwise` where that is not in range.
  static Floats within(int p, ChunkRange range, Floats x, Floats otherwise) {
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i at = _mm512_add_epi32(_mm512_set1_epi32(p), lane);
    const __mmask16 near = _mm512_cmplt_epi32_mask(at, _mm512_set1_epi32(range.last));
    const __mmask16 seen = _mm512_mask_cmpge_epi32_mask(near, at, _mm512_set1_epi32(range.first));
    return _mm512_mask_mov_ps(otherwise, seen, x);
  }
};

}  // namespace

void attend(const Queries& queries, const KvChunk& chunk, const ChunkRange* ranges,
            const Attended& to) {
  LanesAttention<Lanes>::attend(queries, chunk, ranges, to);
}

}  // namespace waferpair::tensor::avx512
