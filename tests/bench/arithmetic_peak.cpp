// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/arithmetic_peak.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

#include <algorithm>

#include "tests/bench/read_bandwidth.h"

namespace waferpair::bench {
namespace {

constexpr int kTurns = 100000, kChains = 8;  // independent, so that none waits for another

// 10^9 multiplications a second of `step`, which does `each` of them to a value.
template <typename Value, typename Step>
double rateOf(int each, Value start, const Step& step) {
  double seconds = 1e9;
  for (int round = 0; round < 20; ++round) {
    seconds = std::min(seconds, cpuSecondsOf([&] {
                         Value values[kChains];
                         for (Value& value : values) value = start;
                         for (int turn = 0; turn < kTurns; ++turn) {
#pragma GCC unroll 8
                           for (int i = 0; i < kChains; ++i) values[i] = step(values[i]);
                         }
                         for (const Value& value : values) asm volatile("" : : "x"(value));
                       }));
  }
  return 1e-9 * each * kTurns * kChains / seconds;
}

constexpr int kVnniChains = 16;

// Half of the operands come from memory, as activations do.
__attribute__((target("avx512f,avx512vnni"))) void multiplyByVnni() {
  static const int kFour = 0x01020304;
  __m512i sums[kVnniChains];
  for (__m512i& sum : sums) sum = _mm512_setzero_si512();
  const __m512i weights = _mm512_set1_epi8(3);
  for (int turn = 0; turn < kTurns; ++turn) {
#pragma GCC unroll 16
    for (__m512i& sum : sums)
      asm volatile("vpdpbusd %2%{1to16%}, %1, %0" : "+v"(sum) : "v"(weights), "m"(kFour));
  }
}

double vnniRate() {
  if (!__builtin_cpu_supports("avx512vnni")) return 0;
  double seconds = 1e9;
  for (int round = 0; round < 20; ++round)
    seconds = std::min(seconds, cpuSecondsOf(multiplyByVnni));
  return 1e-9 * 64 * kTurns * kVnniChains / seconds;
}

}  // namespace

ArithmeticPeaks measureArithmetic() {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return {};
  __m256i left = _mm256_set1_epi8(3), right = _mm256_set1_epi8(2);
  asm volatile("" : "+x"(left), "+x"(right));  // nobody knows what they are
  const __m256i ones = _mm256_set1_epi16(1);
  const __m256 half = _mm256_set1_ps(0.5f);
  // The operands are made anew each time, lest the product be taken out of the loop.
  const auto product = [&] {
    __m256i weights = left;
    asm volatile("" : "+x"(weights));
    return _mm256_maddubs_epi16(weights, right);
  };
  const auto signedProduct = [&] {
    __m256i x = right;
    asm volatile("" : "+x"(x));
    return _mm256_madd_epi16(_mm256_maddubs_epi16(left, _mm256_sign_epi8(x, left)), ones);
  };
  return {
      .unsignedBytes = rateOf(32, left, [&](__m256i v) { return _mm256_add_epi16(v, product()); }),
      .signedBytes =
          rateOf(32, left, [&](__m256i v) { return _mm256_add_epi32(v, signedProduct()); }),
      .floats = rateOf(8, half, [&](__m256 v) { return _mm256_fmadd_ps(v, half, half); }),
      .vnni = vnniRate(),
  };
}

}  // namespace waferpair::bench
#else
namespace waferpair::bench {
ArithmeticPeaks measureArithmetic() { return {}; }
}  // namespace waferpair::bench
#endif
