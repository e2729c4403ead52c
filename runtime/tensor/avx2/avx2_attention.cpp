// SPDX-License-Identifier: GPL-3.0-or-later
// Attention in registers of 8 floats.
#include <algorithm>
#include <array>

#include "runtime/tensor/avx2/avx2.h"
#include "runtime/tensor/lanes_attention.h"

namespace waferpair::tensor::avx2 {
namespace {

struct Lanes {
  using Floats = __m256;
  static constexpr int kLanes = avx2::kLanes;
  static constexpr int kRegisters = 16;

  static Floats all(float value) { return _mm256_set1_ps(value); }
  static Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
  static Floats subtract(Floats a, Floats b) { return _mm256_sub_ps(a, b); }
  static Floats multiply(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
  static Floats divide(Floats a, Floats b) { return _mm256_div_ps(a, b); }
  static Floats multiplyAdd(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
  static Floats max(Floats a, Floats b) { return _mm256_max_ps(a, b); }
  static Floats exp(Floats x) { return expLanes(x); }
  static float first(Floats x) { return _mm256_cvtss_f32(x); }
  static float sum(Floats x) { return sumLanes(x); }
  static float largest(Floats x) { return maxLanes(x); }

  // Aligned to a register; others are not.
  static Floats load(const float* at) { return _mm256_load_ps(at); }
  static void store(float* at, Floats x) { _mm256_store_ps(at, x); }

  using All = std::integral_constant<int, kLanes>;
  static Floats load(const float* at, All) { return _mm256_loadu_ps(at); }
  static Floats load(const Half* at, All = {}) { return loadHalves(at); }
  static Floats load(const std::int8_t* at, All = {}) {
    const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at));
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight));
  }
  static void store(float* at, Floats x, All) { _mm256_storeu_ps(at, x); }

  // The first `count`, and zeros.
  template <typename T>
  static Floats load(const T* at, int count) {
    alignas(32) std::array<T, kLanes> lanes{};
    std::copy(at, at + count, lanes.begin());
    return load(lanes.data());
  }
  static void store(float* at, Floats x, int count) {
    alignas(32) std::array<float, kLanes> lanes;
    store(lanes.data(), x);
    std::copy(lanes.begin(), lanes.begin() + count, at);
  }

  // Loads values that are kept in blocks of kKeyBlock positions; a register holds one block.
  template <typename T>
  static Floats positions(const T* at, int) {
    return load(at);
  }

  // Lane i is position p + i; `otherwise` where that is not in range.
  static Floats within(int p, ChunkRange range, Floats x, Floats otherwise) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i at = _mm256_add_epi32(_mm256_set1_epi32(p), lane);
    const __m256i tooFar = _mm256_cmpgt_epi32(at, _mm256_set1_epi32(range.last - 1));
    const __m256i enough = _mm256_cmpgt_epi32(at, _mm256_set1_epi32(range.first - 1));
    return _mm256_blendv_ps(otherwise, x, _mm256_castsi256_ps(_mm256_andnot_si256(tooFar, enough)));
  }
};

}  // namespace

void attend(const Queries& queries, const KvChunk& chunk, const ChunkRange* ranges,
            const Attended& to) {
  LanesAttention<Lanes>::attend(queries, chunk, ranges, to);
}

}  // namespace waferpair::tensor::avx2
