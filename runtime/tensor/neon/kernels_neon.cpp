// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of kernels for 64-bit Arm, and those of them that go through a row element by element.
// The files neon_*.cpp have the others.
#include <algorithm>
#include <cmath>

#include "runtime/tensor/delta_rule.h"
#include "runtime/tensor/neon/neon.h"

namespace waferpair::tensor {
namespace neon {
namespace {

struct NeonSet {};  // see delta_rule.h

// Rounds eight values to the nearest integers; NaN becomes 0.
struct Integers {
  int32x4_t low, high;
};
Integers nearest(Lanes v) { return {vcvtnq_s32_f32(v.low), vcvtnq_s32_f32(v.high)}; }
Lanes toLanes(Integers q) { return {vcvtq_f32_s32(q.low), vcvtq_f32_s32(q.high)}; }
int8x8_t toBytes(Integers q) {
  return vqmovn_s16(vcombine_s16(vqmovn_s32(q.low), vqmovn_s32(q.high)));
}

template <int Planes>
void quantize(const float* values, int n, std::int8_t* quants, float* scales, std::int16_t* sums) {
  for (int b = 0; b < n / kBlock; ++b, values += kBlock, quants += kBlock) {
    Lanes most = all(0);
    for (int i = 0; i < kBlock; i += kLanes) {
      const Lanes v = load(values + i);
      most = larger({vabsq_f32(v.low), vabsq_f32(v.high)}, most);
    }
    const float largest = maxOf(most);
    scales[b] = scaleOf(largest, Planes);
    const Lanes inverse = all(largest > kLeastMagnitude ? kMostQuant / largest : 0);
    for (int i = 0; i < kBlock; i += kSumGroup, ++sums) {
      int8x8_t first[2], second[2];
      for (int j = 0; j < 2; ++j) {
        const Lanes steps = load(values + i + j * kLanes) * inverse;
        const Integers rounded = nearest(steps);
        first[j] = toBytes(rounded);
        second[j] = toBytes(nearest((steps - toLanes(rounded)) * all(kFineSteps)));
      }
      const auto write = [&](const int8x8_t(&eights)[2], int plane) {
        const int8x16_t sixteen = vcombine_s8(eights[0], eights[1]);
        vst1q_s8(quants + plane * n + i, sixteen);
        sums[plane * (n / kSumGroup)] = vaddlvq_s8(sixteen);
      };
      write(first, 0);
      if (Planes == 2) write(second, 1);
    }
  }
}

void rmsNorm(const float* x, const float* gain, int n, float epsilon, float* out) {
  Lanes squares = all(0);
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Lanes v = load(x + i);
    squares = fma(v, v, squares);
  }
  float sum = sumOf(squares);
  for (; i < n; ++i) sum += x[i] * x[i];
  const float inverse = 1 / std::sqrt(sum / static_cast<float>(n) + epsilon);
  const Lanes factor = all(inverse);
  for (i = 0; i + kLanes <= n; i += kLanes) store(out + i, load(gain + i) * (load(x + i) * factor));
  for (; i < n; ++i) out[i] = gain[i] * (x[i] * inverse);
}

void rope(float* x, const float* cosSin, int n) {
  constexpr int kPairs = 4;
  int i = 0;
  for (; i + 2 * kPairs <= n; i += 2 * kPairs) {
    const float32x4x2_t v = vld2q_f32(x + i), turn = vld2q_f32(cosSin + i);
    const float32x4_t cosine = turn.val[0], sine = turn.val[1];
    vst2q_f32(x + i, {{vfmaq_f32(vnegq_f32(vmulq_f32(v.val[1], sine)), v.val[0], cosine),
                       vfmaq_f32(vmulq_f32(v.val[0], sine), v.val[1], cosine)}});
  }
  for (; i + 1 < n; i += 2) {
    const float a = x[i], b = x[i + 1], cosine = cosSin[i], sine = cosSin[i + 1];
    x[i] = std::fma(a, cosine, -(b * sine));
    x[i + 1] = std::fma(b, cosine, a * sine);
  }
}

void siluMul(float* gate, const float* up, int n) {
  const auto silu = [](Lanes g, Lanes u) { return g / (all(1) + expOf(all(0) - g)) * u; };
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) store(gate + i, silu(load(gate + i), load(up + i)));
  if (i == n) return;
  // The rest goes through full registers, so that it is rounded like any other element.
  storeFirst(silu(loadRest(gate + i, n - i, 0.0f), loadRest(up + i, n - i, 0.0f)), n - i, gate + i);
}

// A pass for the largest, and one up to where it is.
int argmax(const float* x, int n) {
  const Lanes least = all(-kInfinity);
  Lanes most[2] = {least, least};
  int i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    for (int j = 0; j < 2; ++j) most[j] = larger(load(x + i + j * kLanes), most[j]);
  }
  for (; i < n; i += kLanes) {
    most[0] = larger(loadRest(x + i, std::min(kLanes, n - i), -kInfinity), most[0]);
  }
  const float largest = maxOf(larger(most[0], most[1]));
  if (largest == -kInfinity) return 0;
  const float32x4_t wanted = vdupq_n_f32(largest);
  const auto isIn = [&](Lanes v) {
    return vmaxvq_u32(vorrq_u32(vceqq_f32(v.low, wanted), vceqq_f32(v.high, wanted))) != 0;
  };
  for (i = 0; i + kLanes <= n && !isIn(load(x + i));) i += kLanes;
  while (x[i] != largest) ++i;
  return i;
}

double sumExp(const float* x, int n, float max) {
  float64x2_t sums[4] = {};
  const auto add = [&](Lanes v) {
    const Lanes below = v - all(max);
    // False for NaN.
    const Lanes each = select(below > all(-kNegligible), expOf(below), all(0));
    sums[0] = vaddq_f64(sums[0], vcvt_f64_f32(vget_low_f32(each.low)));
    sums[1] = vaddq_f64(sums[1], vcvt_high_f64_f32(each.low));
    sums[2] = vaddq_f64(sums[2], vcvt_f64_f32(vget_low_f32(each.high)));
    sums[3] = vaddq_f64(sums[3], vcvt_high_f64_f32(each.high));
  };
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) add(load(x + i));
  if (i < n) add(loadRest(x + i, n - i, -kInfinity));
  return vaddvq_f64(vaddq_f64(vaddq_f64(sums[0], sums[1]), vaddq_f64(sums[2], sums[3])));
}

void toFloats(const Half* values, int n, float* out) {
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) store(out + i, load(values + i));
  for (; i < n; ++i) out[i] = toFloat(values[i]);
}

void toHalves(const float* values, int n, Half* out) {
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Lanes v = load(values + i);
    const float16x8_t halves = vcvt_high_f16_f32(vcvt_f16_f32(v.low), v.high);
    vst1q_u16(out + i, vreinterpretq_u16_f16(halves));
  }
  for (; i < n; ++i) out[i] = toHalf(values[i]);
}

template <bool Dot>
void matmul(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
            std::int64_t outStride, bool add) {
  if (!weights.quantized()) return matmulFloats(weights, panels, x, out, outStride, add);
  const auto quants = Dot ? matmulQuantsDot : matmulQuants;
  quants(weights, panels, x, out, outStride, add);
}

constexpr Kernels kTable{.name = "neon",
                         .matmul = matmul<false>,
                         .quantize = quantize<1>,
                         .quantizeFinely = quantize<2>,
                         .rmsNorm = rmsNorm,
                         .rope = rope,
                         .siluMul = siluMul,
                         .attend = attend,
                         .deltaRule = deltaRuleLoops<NeonSet>,
                         .argmax = argmax,
                         .sumExp = sumExp,
                         .toFloats = toFloats,
                         .toHalves = toHalves};

constexpr Kernels withDot() {
  Kernels table = kTable;
  table.name = "neon-dot";
  table.matmul = matmul<true>;
  return table;
}

}  // namespace
}  // namespace neon

const Kernels& neonKernels() { return neon::kTable; }

const Kernels& neonDotKernels() {
  static constexpr Kernels table = neon::withDot();
  return table;
}

}  // namespace waferpair::tensor
