// SPDX-License-Identifier: GPL-3.0-or-later
// Attention in pairs of registers, 8 floats together.
#include "runtime/tensor/lanes_attention.h"
#include "runtime/tensor/neon/neon.h"

namespace waferpair::tensor::neon {
namespace {

struct Pairs {
  using Floats = Lanes;
  static constexpr int kLanes = neon::kLanes;
  static constexpr int kRegisters = 16;

  static Floats all(float value) { return neon::all(value); }
  static Floats add(Floats a, Floats b) { return a + b; }
  static Floats subtract(Floats a, Floats b) { return a - b; }
  static Floats multiply(Floats a, Floats b) { return a * b; }
  static Floats divide(Floats a, Floats b) { return a / b; }
  static Floats multiplyAdd(Floats a, Floats b, Floats c) { return fma(a, b, c); }
  static Floats max(Floats a, Floats b) { return larger(b, a); }
  static Floats exp(Floats x) { return expOf(x); }
  static float first(Floats x) { return vgetq_lane_f32(x.low, 0); }
  static float sum(Floats x) { return sumOf(x); }
  static float largest(Floats x) { return maxOf(x); }

  using All = std::integral_constant<int, kLanes>;
  template <typename T>
  static Floats load(const T* at, All = {}) {
    return neon::load(at);
  }
  static void store(float* at, Floats x, All = {}) { neon::store(at, x); }

  // The first `count`, and zeros.
  template <typename T>
  static Floats load(const T* at, int count) {
    return loadRest(at, count, T{0});
  }
  static void store(float* at, Floats x, int count) { storeFirst(x, count, at); }

  // Loads values that are kept in blocks of kKeyBlock positions; a pair of registers holds one
  // block.
  template <typename T>
  static Floats positions(const T* at, int) {
    return neon::load(at);
  }

  // Lane i is position p + i; `otherwise` where that is not in range.
  static Floats within(int p, ChunkRange range, Floats x, Floats otherwise) {
    constexpr std::int32_t kLane[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
    const int32x4_t first = vdupq_n_s32(range.first - p), last = vdupq_n_s32(range.last - p);
    const auto inside = [&](const std::int32_t* lanes) {
      const int32x4_t at = vld1q_s32(lanes);
      return vandq_u32(vcgeq_s32(at, first), vcltq_s32(at, last));
    };
    return select({inside(kLane), inside(kLane + 4)}, x, otherwise);
  }
};

}  // namespace

void attend(const Queries& queries, const KvChunk& chunk, const ChunkRange* ranges,
            const Attended& to) {
  LanesAttention<Pairs>::attend(queries, chunk, ranges, to);
}

}  // namespace waferpair::tensor::neon
