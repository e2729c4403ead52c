// SPDX-License-Identifier: GPL-3.0-or-later
// The table of kernels for x86-64 with AVX2, FMA and F16C, and those of them that go through a row
// element by element. The files avx2_*.cpp have the others.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "runtime/tensor/avx2/avx2.h"
#include "runtime/tensor/delta_rule.h"

namespace waferpair::tensor {
namespace avx2 {
namespace {

struct Avx2Set {};  // see delta_rule.h

// Loads the rest of a row that does not fill a register, and fills the register up with `filler`.
__m256 loadRest(const float* x, int count, float filler) {
  alignas(32) std::array<float, kLanes> lanes;
  lanes.fill(filler);
  std::copy(x, x + count, lanes.begin());
  return _mm256_load_ps(lanes.data());
}

// 32 integers as bytes.
__m256i packBytes(const __m256i (&q)[4]) {
  // Packing works within 128-bit halves; the permutation restores the order.
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  return _mm256_permutevar8x32_epi32(
      _mm256_packs_epi16(_mm256_packs_epi32(q[0], q[1]), _mm256_packs_epi32(q[2], q[3])), order);
}

// Stores the sums of the two halves.
void storeSums(__m256i quants, std::int16_t* sums) {
  // Adds up 2 values, then 4, 8 and 16 within a half.
  __m256i sum = _mm256_maddubs_epi16(_mm256_set1_epi8(1), quants);
  sum = _mm256_madd_epi16(sum, _mm256_set1_epi16(1));
  sum = _mm256_hadd_epi32(sum, sum);
  sum = _mm256_hadd_epi32(sum, sum);
  sums[0] = static_cast<std::int16_t>(_mm256_extract_epi32(sum, 0));
  sums[1] = static_cast<std::int16_t>(_mm256_extract_epi32(sum, 4));
}

template <int Planes>
void quantize(const float* values, int n, std::int8_t* quants, float* scales, std::int16_t* sums) {
  const __m256 noSign = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
  for (int b = 0; b < n / kBlock; ++b, values += kBlock, quants += kBlock, sums += 2) {
    __m256 v[4];
    for (int i = 0; i < 4; ++i) v[i] = _mm256_loadu_ps(values + i * kLanes);
    const __m256 most =
        _mm256_max_ps(_mm256_max_ps(_mm256_and_ps(v[0], noSign), _mm256_and_ps(v[1], noSign)),
                      _mm256_max_ps(_mm256_and_ps(v[2], noSign), _mm256_and_ps(v[3], noSign)));
    const float largest = maxLanes(most);
    scales[b] = scaleOf(largest, Planes);
    const __m256 inverse = _mm256_set1_ps(largest > kLeastMagnitude ? kMostQuant / largest : 0);
    __m256i first[4], second[4];
    for (int i = 0; i < 4; ++i) {
      const __m256 steps = _mm256_mul_ps(v[i], inverse);
      first[i] = _mm256_cvtps_epi32(steps);
      const __m256 rest = _mm256_sub_ps(steps, _mm256_cvtepi32_ps(first[i]));
      second[i] = _mm256_cvtps_epi32(_mm256_mul_ps(rest, _mm256_set1_ps(kFineSteps)));
    }
    const auto write = [&](const __m256i(&q)[4], int plane) {
      const __m256i bytes = packBytes(q);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(quants + plane * n), bytes);
      storeSums(bytes, sums + plane * (n / kSumGroup));
    };
    write(first, 0);
    if (Planes == 2) write(second, 1);
  }
}

void rmsNorm(const float* x, const float* gain, int n, float epsilon, float* out) {
  __m256 squares = _mm256_setzero_ps();
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const __m256 v = _mm256_loadu_ps(x + i);
    squares = _mm256_fmadd_ps(v, v, squares);
  }
  float sum = sumLanes(squares);
  for (; i < n; ++i) sum += x[i] * x[i];
  const float inverse = 1 / std::sqrt(sum / static_cast<float>(n) + epsilon);
  const __m256 factor = _mm256_set1_ps(inverse);
  for (i = 0; i + kLanes <= n; i += kLanes) {
    const __m256 v = _mm256_mul_ps(_mm256_loadu_ps(x + i), factor);
    _mm256_storeu_ps(out + i, _mm256_mul_ps(_mm256_loadu_ps(gain + i), v));
  }
  for (; i < n; ++i) out[i] = gain[i] * (x[i] * inverse);
}

void rope(float* x, const float* cosSin, int n) {
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const __m256 v = _mm256_loadu_ps(x + i);
    const __m256 angles = _mm256_loadu_ps(cosSin + i);
    const __m256 swapped = _mm256_permute_ps(v, 0b10110001);
    const __m256 crossed = _mm256_mul_ps(swapped, _mm256_movehdup_ps(angles));
    _mm256_storeu_ps(x + i, _mm256_fmaddsub_ps(v, _mm256_moveldup_ps(angles), crossed));
  }
  for (; i + 1 < n; i += 2) {
    const float a = x[i], b = x[i + 1], cosine = cosSin[i], sine = cosSin[i + 1];
    x[i] = std::fma(a, cosine, -(b * sine));
    x[i + 1] = std::fma(b, cosine, a * sine);
  }
}

void siluMul(float* gate, const float* up, int n) {
  const __m256 one = _mm256_set1_ps(1);
  const auto silu = [&](__m256 g, __m256 u) {
    const __m256 below = _mm256_add_ps(one, expLanes(_mm256_sub_ps(_mm256_setzero_ps(), g)));
    return _mm256_mul_ps(_mm256_div_ps(g, below), u);
  };
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    _mm256_storeu_ps(gate + i, silu(_mm256_loadu_ps(gate + i), _mm256_loadu_ps(up + i)));
  }
  if (i == n) return;
  // The rest goes through a full register, so that it is rounded like any other element.
  alignas(32) std::array<float, kLanes> last;
  _mm256_store_ps(last.data(), silu(loadRest(gate + i, n - i, 0), loadRest(up + i, n - i, 0)));
  std::copy(last.begin(), last.begin() + (n - i), gate + i);
}

// A pass for the largest, and one up to where it is.
int argmax(const float* x, int n) {
  constexpr int kStep = 4 * kLanes;
  const __m256 least = _mm256_set1_ps(-kInfinity);
  const auto larger = [](__m256 v, __m256 most) { return _mm256_max_ps(v, most); };  // not NaN
  __m256 most[4] = {least, least, least, least};
  int i = 0;
  for (; i + kStep <= n; i += kStep) {
    for (int j = 0; j < 4; ++j) most[j] = larger(_mm256_loadu_ps(x + i + j * kLanes), most[j]);
  }
  for (; i + kLanes <= n; i += kLanes) most[0] = larger(_mm256_loadu_ps(x + i), most[0]);
  if (i < n) most[1] = larger(loadRest(x + i, n - i, -kInfinity), most[1]);
  const float largest =
      maxLanes(_mm256_max_ps(_mm256_max_ps(most[0], most[1]), _mm256_max_ps(most[2], most[3])));
  if (largest == -kInfinity) return 0;
  const __m256 wanted = _mm256_set1_ps(largest);
  for (i = 0; i + kLanes <= n; i += kLanes) {
    const __m256 equal = _mm256_cmp_ps(_mm256_loadu_ps(x + i), wanted, _CMP_EQ_OQ);
    const auto which = static_cast<unsigned>(_mm256_movemask_ps(equal));
    if (which != 0) return i + std::countr_zero(which);
  }
  while (x[i] != largest) ++i;
  return i;
}

double sumExp(const float* x, int n, float max) {
  const __m256 largest = _mm256_set1_ps(max), least = _mm256_set1_ps(-kNegligible);
  __m256d low = _mm256_setzero_pd(), high = _mm256_setzero_pd();
  const auto add = [&](__m256 v) {
    const __m256 below = _mm256_sub_ps(v, largest);
    const __m256 counts = _mm256_cmp_ps(below, least, _CMP_GT_OQ);  // false for NaN
    const __m256 each = _mm256_and_ps(counts, expLanes(below));
    low = _mm256_add_pd(low, _mm256_cvtps_pd(_mm256_castps256_ps128(each)));
    high = _mm256_add_pd(high, _mm256_cvtps_pd(_mm256_extractf128_ps(each, 1)));
  };
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) add(_mm256_loadu_ps(x + i));
  if (i < n) add(loadRest(x + i, n - i, -kInfinity));
  alignas(32) std::array<double, 4> sums;
  _mm256_store_pd(sums.data(), _mm256_add_pd(low, high));
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void toFloats(const Half* values, int n, float* out) {
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) _mm256_storeu_ps(out + i, loadHalves(values + i));
  for (; i < n; ++i) out[i] = _cvtsh_ss(values[i]);
}

void toHalves(const float* values, int n, Half* out) {
  constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(values + i), kNearest));
  }
  for (; i < n; ++i) out[i] = _cvtss_sh(values[i], kNearest);
}

void matmul(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
            std::int64_t outStride, bool add) {
  switch (infoOf(weights.format()).quants) {
    case Quants::kNone:
      return matmulFloats(weights, panels, x, out, outStride, add);
    case Quants::kSigned:
    case Quants::kUnsigned:
      return matmulBytes(weights, panels, x, out, outStride, add);
    case Quants::kNibbles:
    case Quants::kLookup:
      return matmulNibbles(weights, panels, x, out, outStride, add);
  }
}

}  // namespace
}  // namespace avx2

const Kernels& avx2Kernels() {
  static constexpr Kernels table{.name = "avx2",
                                 .matmul = avx2::matmul,
                                 .quantize = avx2::quantize<1>,
                                 .quantizeFinely = avx2::quantize<2>,
                                 .rmsNorm = avx2::rmsNorm,
                                 .rope = avx2::rope,
                                 .siluMul = avx2::siluMul,
                                 .attend = avx2::attend,
                                 .deltaRule = deltaRuleLoops<avx2::Avx2Set>,
                                 .argmax = avx2::argmax,
                                 .sumExp = avx2::sumExp,
                                 .toFloats = avx2::toFloats,
                                 .toHalves = avx2::toHalves};
  return table;
}

}  // namespace waferpair::tensor
