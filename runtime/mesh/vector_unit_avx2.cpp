// SPDX-License-Identifier: GPL-3.0-or-later
// Steps on FP16 with the conversions and lanes of an x86 host. Compiled for AVX2 and F16C; chosen
// at run time.
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "runtime/mesh/avx2_fmac.h"
#include "runtime/mesh/vector_unit.h"

namespace waferpair::mesh {

namespace {

using Kind = Operand::Kind;

// Converts as tensor::toHalf(), which drops what a NaN carries.
__m128i toHalves(__m256 values) {
  const __m128i halves = _mm256_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m128i magnitude = _mm_and_si128(halves, _mm_set1_epi16(0x7fff));
  const __m128i nan = _mm_cmpgt_epi16(magnitude, _mm_set1_epi16(0x7c00));
  if (_mm_testz_si128(nan, nan)) return halves;
  const __m128i plain =
      _mm_or_si128(_mm_and_si128(halves, _mm_set1_epi16(-0x8000)), _mm_set1_epi16(0x7e00));
  return _mm_blendv_epi8(halves, plain, nan);
}

template <Op op>
__m256 apply(__m256 to, __m256 a, __m256 b) {
  if constexpr (op == Op::Add) return _mm256_add_ps(a, b);
  if constexpr (op == Op::Sub) return _mm256_sub_ps(a, b);
  if constexpr (op == Op::Mul) return _mm256_mul_ps(a, b);
  if constexpr (op == Op::Max) return _mm256_max_ps(b, a);  // of equal ones and with NaN, a
  if constexpr (op == Op::Fmac) return fmacOdd(a, b, to);
  return a;
}

__m256 load(const std::uint8_t* at, int n) {
  if (n == 8) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
  }
  alignas(16) std::uint16_t halves[8] = {};
  std::memcpy(halves, at, 2 * static_cast<std::size_t>(n));
  return _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(halves)));
}

void store(std::uint8_t* at, __m128i values, int n) {
  if (n == 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(at), values);
    return;
  }
  alignas(16) std::uint16_t halves[8];
  _mm_store_si128(reinterpret_cast<__m128i*>(halves), values);
  std::memcpy(at, halves, 2 * static_cast<std::size_t>(n));
}

// Memory of stride 1, or one value for all.
struct Source {
  const std::uint8_t* at;  // null: `value`
  __m256 value;

  Source(const Operand& o, const std::uint8_t* sram, const Progress& progress) {
    at = sram + firstByte(o, progress.repeated, progress.done);
    if (o.kind == Kind::Constant) {
      at = nullptr;
      value = _mm256_cvtph_ps(_mm256_cvtps_ph(_mm256_set1_ps(o.value), _MM_FROUND_TO_NEAREST_INT));
    } else if (o.stride == 0) {
      std::uint16_t half;
      std::memcpy(&half, at, sizeof half);
      at = nullptr;
      value = _mm256_cvtph_ps(_mm_set1_epi16(static_cast<short>(half)));
    }
  }
  __m256 next(int n, int i) const { return at == nullptr ? value : load(at + 2 * i, n); }
};

// Runs an instruction that is all in memory, up to eight elements side by side a step.
template <Op op>
std::uint32_t stepMemory(const Instruction& in, std::uint8_t* sram, const Progress& progress, int n,
                         int lanes, std::uint32_t /*wavelet*/) {
  const Source a(in.a, sram, progress), b(op == Op::Mov ? in.a : in.b, sram, progress);
  std::uint8_t* to = sram + firstByte(in.to, progress.repeated, progress.done);
  for (int i = 0; i < n; i += lanes) {
    const int count = std::min(lanes, n - i);
    const __m256 x = a.next(count, i), y = b.next(count, i);
    const __m256 old = op == Op::Fmac ? load(to + 2 * i, count) : x;
    store(to + 2 * i, toHalves(apply<op>(old, x, y)), count);
  }
  return 0;
}

// One wavelet that came, goes, or both. What is not stored in memory is the fabric's.
template <Op op, bool toStored, bool aStored, bool bStored>
std::uint32_t stepWavelet(const Instruction& in, std::uint8_t* sram, const Progress& progress,
                          int n, int /*lanes*/, std::uint32_t wavelet) {
  const auto place = [&](const Operand& o) {
    return sram + firstByte(o, progress.repeated, progress.done);
  };
  const auto pair = [&](const Operand& o, bool stored) {
    std::uint32_t bits = wavelet;
    if (stored && n > 1) std::memcpy(&bits, place(o), 4);
    if (stored && n == 1) std::memcpy(&bits, place(o), 2);
    if (n == 1) bits &= 0xffffu;
    return _mm256_castps128_ps256(_mm_cvtph_ps(_mm_cvtsi32_si128(static_cast<int>(bits))));
  };
  const __m256 a = pair(in.a, aStored), b = op == Op::Mov ? a : pair(in.b, bStored);
  const __m256 to = op == Op::Fmac ? pair(in.to, toStored) : a;
  auto result = static_cast<std::uint32_t>(_mm_cvtsi128_si32(toHalves(apply<op>(to, a, b))));
  if (n == 1) result &= 0xffffu;
  if (toStored && n > 1) std::memcpy(place(in.to), &result, 4);
  if (toStored && n == 1) std::memcpy(place(in.to), &result, 2);
  return result;
}

// Streams pairs, eight elements side by side: wavelets lie as elements in memory do.
template <Op op, bool toStored, bool aStored, bool bStored>
void streamWavelets(const Instruction& in, std::uint8_t* sram, Progress progress, int n,
                    std::uint32_t steps, const Coming& coming, std::uint32_t* sent) {
  const std::size_t elements = std::size_t{2} * steps;
  const bool readsTo = op == Op::Fmac;
  if (n != 2 || (readsTo && !toStored) || !isSideBySide(in, progress, elements)) {
    return streamOf<stepWavelet<op, toStored, aStored, bStored>>(in, sram, progress, n, steps,
                                                                 coming, sent);
  }
  const auto place = [&](const Operand& o, bool stored) {
    return stored ? sram + firstByte(o, progress.repeated, progress.done)
                  : reinterpret_cast<const std::uint8_t*>(coming.wavelets);
  };
  const std::uint8_t* a = place(in.a, aStored);
  const std::uint8_t* b = op == Op::Mov ? a : place(in.b, bStored);
  std::uint8_t* to = toStored ? sram + firstByte(in.to, progress.repeated, progress.done)
                              : reinterpret_cast<std::uint8_t*>(sent);
  for (std::size_t i = 0; i < elements; i += 8) {
    const int count = static_cast<int>(std::min<std::size_t>(8, elements - i));
    const __m256 x = load(a + 2 * i, count), y = load(b + 2 * i, count);
    const __m256 old = readsTo ? load(to + 2 * i, count) : x;
    store(to + 2 * i, toHalves(apply<op>(old, x, y)), count);
  }
}

template <Op op, bool toStored, bool aStored, bool bStored>
constexpr Steps pairs() {
  return {stepWavelet<op, toStored, aStored, bStored>,
          streamWavelets<op, toStored, aStored, bStored>};
}

template <Op op>
Steps stepWaveletOf(bool toStored, bool aStored, bool bStored) {
  if (toStored) {
    if (aStored) return pairs<op, true, true, false>();
    return bStored ? pairs<op, true, false, true>() : pairs<op, true, false, false>();
  }
  if (aStored) {
    return bStored ? pairs<op, false, true, true>() : pairs<op, false, true, false>();
  }
  return bStored ? pairs<op, false, false, true>() : pairs<op, false, false, false>();
}

template <Op op>
Steps stepOf(const Instruction& in, int lanes) {
  const auto isHalf = [](const Operand& o) { return o.type == Type::F16; };
  const bool two = op != Op::Mov;
  if (!isHalf(in.to) || !isHalf(in.a) || (two && !isHalf(in.b))) return {};
  const auto isMemory = [](const Operand& o) { return o.kind == Kind::Memory; };
  const auto isDense = [&](const Operand& o) { return isMemory(o) && o.stride == 1; };
  const auto isPlain = [&](const Operand& o) {
    return isDense(o) || (isMemory(o) && o.stride == 0) || o.kind == Kind::Constant;
  };
  if (lanes <= 8 && isDense(in.to) && isPlain(in.a) && (!two || isPlain(in.b)))
    return stepsOf<stepMemory<op>>();
  const auto isFabric = [](const Operand& o) {
    return o.kind == Kind::FabricIn || o.kind == Kind::FabricOut;
  };
  const auto isPair = [&](const Operand& o) { return isDense(o) || isFabric(o); };
  const bool fabric = isFabric(in.to) || isFabric(in.a) || (two && isFabric(in.b));
  if (fabric && isPair(in.to) && isPair(in.a) && (!two || isPair(in.b))) {
    return stepWaveletOf<op>(isMemory(in.to), isMemory(in.a), two && isMemory(in.b));
  }
  return {};
}

}  // namespace

Steps avx2StepsFor(const Instruction& in, int lanes) {
  if (in.to.isControl) return {};
  switch (in.op) {
    case Op::Mov:
      return stepOf<Op::Mov>(in, lanes);
    case Op::Add:
      return stepOf<Op::Add>(in, lanes);
    case Op::Sub:
      return stepOf<Op::Sub>(in, lanes);
    case Op::Mul:
      return stepOf<Op::Mul>(in, lanes);
    case Op::Max:
      return stepOf<Op::Max>(in, lanes);
    case Op::Fmac:
      return stepOf<Op::Fmac>(in, lanes);
    default:
      return {};
  }
}

}  // namespace waferpair::mesh
