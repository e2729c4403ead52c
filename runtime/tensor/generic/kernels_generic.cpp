// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels in plain C++: every CPU can run them, and they are the plainest statement of what each
// one computes.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/tensor/delta_rule.h"
#include "runtime/tensor/kernel_tables.h"

namespace waferpair::tensor {
namespace {

struct PlainSet {};  // see delta_rule.h

using Lanes = std::array<float, kPanel>;  // one value for each row of a panel

float widen(float value) { return value; }
float widen(Half value) { return toFloat(value); }
float widen(BFloat value) { return toFloat(value); }

void store(const Lanes& sums, const PackedMatrix& weights, int panel, float* out, bool add) {
  const int first = panel * kPanel;
  const int rows = std::min(kPanel, weights.rows() - first);
  for (int r = 0; r < rows; ++r) {
    const float sum = sums[r] * weights.factor();
    out[first + r] = add ? out[first + r] + sum : sum;
  }
}

template <typename T>
Lanes dotPlain(const T* panel, const float* x, int cols) {
  Lanes sums{};
  for (int k = 0; k < cols; ++k) {
    for (int r = 0; r < kPanel; ++r) sums[r] += widen(panel[k * kPanel + r]) * x[k];
  }
  return sums;
}

// One group of columns unpacked once for all tokens' products, laid out as [group / 4][8 rows][4
// columns] whatever the format.
struct Group {
  std::array<std::int8_t, kBlock * kPanel> quants;
  Lanes scales, minimums;  // of the 8 rows
};

template <Format F>
void unpack(const PackedMatrix::Parts& parts, int g, Group& out) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  constexpr int kSize = kInfo.group * kPanel;
  if constexpr (kInfo.quants == Quants::kNibbles || kInfo.quants == Quants::kLookup) {
    constexpr int kStep = 4 * kPanel;  // bytes that hold 8 columns
    const std::uint8_t* from = parts.quants + g * (kSize / 2);
    const auto quant = [](int nibble) {
      if constexpr (infoOf(F).quants == Quants::kLookup) {
        return lookupOf(F)[static_cast<std::size_t>(nibble)];
      } else {
        return static_cast<std::int8_t>(nibble);
      }
    };
    for (int i = 0; i < kSize / 2; i += kStep) {
      for (int j = 0; j < kStep; ++j) {
        out.quants[2 * i + j] = quant(from[i + j] & 15);
        out.quants[2 * i + kStep + j] = quant(from[i + j] >> 4);
      }
    }
  } else {
    std::memcpy(out.quants.data(), parts.quants + g * kSize, kSize);
  }
  const auto wide = [](std::uint16_t bits) {
    return infoOf(F).scales == Scales::kBFloat ? toFloat(BFloat{bits}) : toFloat(Half{bits});
  };
  const int block = g * kInfo.group / kInfo.shared() * kPanel;
  for (int r = 0; r < kPanel; ++r) {
    out.scales[r] = wide(parts.scales[block + r]) * kInfo.unit;
    if constexpr (kInfo.minimum) out.minimums[r] = wide(parts.minimums[block + r]);
    if constexpr (kInfo.scales == Scales::kSuper) {
      out.scales[r] *= static_cast<float>(parts.groupScales[g * kPanel + r]);
      if constexpr (kInfo.minimum) {
        out.minimums[r] *= static_cast<float>(parts.groupMinimums[g * kPanel + r]);
      }
    }
  }
}

using Dots = std::array<std::int32_t, kPanel>;

// Sums of products with a plane of x, whose quants' sum is xSum: exact integers. The four columns
// of x go to all rows, and the 32 products of four columns are added lane by lane: loops that
// compilers vectorize.
template <Format F>
Dots dotGroup(const Group& w, const std::int8_t* x, int xSum) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  constexpr int kColumns = 4;
  constexpr int kProducts = kPanel * kColumns;
  std::array<std::int32_t, kProducts> products{};
  for (int k = 0; k < kInfo.group; k += kColumns) {
    std::array<std::int8_t, kProducts> repeated;
    for (int r = 0; r < kPanel; ++r) std::memcpy(&repeated[r * kColumns], x + k, kColumns);
    const std::int8_t* quants = &w.quants[k * kPanel];
    for (int i = 0; i < kProducts; ++i) {
      products[i] += static_cast<std::int16_t>(quants[i] * repeated[i]);  // at most 127 * 127
    }
  }
  Dots dots;
  for (int r = 0; r < kPanel; ++r) {
    dots[r] = products[r * kColumns] + products[r * kColumns + 1] + products[r * kColumns + 2] +
              products[r * kColumns + 3] - kInfo.offset * xSum;
  }
  return dots;
}

template <Format F>
void addGroup(const Group& w, const Dots& dots, float xScale, int xSum, Lanes& sums) {
  for (int r = 0; r < kPanel; ++r) {
    sums[r] += static_cast<float>(dots[r]) * (w.scales[r] * xScale);
    if constexpr (infoOf(F).minimum) {
      sums[r] += w.minimums[r] * (xScale * static_cast<float>(xSum));
    }
  }
}

template <Format F>
void panelOfQuants(const PackedMatrix& weights, int panel, const Rows& x, float* out,
                   std::int64_t outStride, bool add) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  constexpr int kTokens = 8;  // at once
  constexpr int kSumsEach = kInfo.group / kSumGroup;
  const int cols = weights.cols(), groups = cols / kInfo.group;
  const PackedMatrix::Parts parts = weights.parts(panel);
  for (int first = 0; first < x.count; first += kTokens) {
    const int count = std::min(kTokens, x.count - first);
    std::array<Lanes, kTokens> sums{};
    Group group;
    for (int g = 0; g < groups; ++g) {
      unpack<F>(parts, g, group);
      for (int t = 0; t < count; ++t) {
        const Rows row = x.part(first + t, 1);
        Dots dots{};
        int xSum = 0;
        for (int plane = 0; plane < x.planes; ++plane) {
          const std::int16_t* planeSums = row.sums + plane * cols / kSumGroup + g * kSumsEach;
          int sum = 0;
          for (int i = 0; i < kSumsEach; ++i) sum += planeSums[i];
          const Dots some = dotGroup<F>(group, row.quants + plane * cols + g * kInfo.group, sum);
          for (int r = 0; r < kPanel; ++r) dots[r] = kFineSteps * dots[r] + some[r];
          xSum = kFineSteps * xSum + sum;
        }
        addGroup<F>(group, dots, row.scales[g * kInfo.group / kBlock], xSum, sums[t]);
      }
    }
    for (int t = 0; t < count; ++t) {
      store(sums[t], weights, panel, out + (first + t) * outStride, add);
    }
  }
}

template <typename T>
void panelOfFloats(const PackedMatrix& weights, int panel, const Rows& x, float* out,
                   std::int64_t outStride, bool add) {
  const T* w = reinterpret_cast<const T*>(weights.panel(panel));
  for (int t = 0; t < x.count; ++t) {
    const float* values = x.values + static_cast<std::int64_t>(t) * weights.cols();
    store(dotPlain(w, values, weights.cols()), weights, panel, out + t * outStride, add);
  }
}

void matmul(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
            std::int64_t outStride, bool add) {
  const auto each = [&](auto one) {
    for (int p = panels.first; p < panels.last; ++p) one(weights, p, x, out, outStride, add);
  };
  switch (weights.format()) {
    case Format::kF32:
      return each(panelOfFloats<float>);
    case Format::kF16:
      return each(panelOfFloats<Half>);
    case Format::kBF16:
      return each(panelOfFloats<BFloat>);
    default:
      return withQuants(weights.format(), [&]<Format F>() { each(panelOfQuants<F>); });
  }
}

std::int16_t sumOf(const std::int8_t* quants) {
  int sum = 0;
  for (int i = 0; i < kSumGroup; ++i) sum += quants[i];
  return static_cast<std::int16_t>(sum);
}

// The comparison is false for NaN, whose conversion would be undefined.
std::int8_t toQuant(float rounded) {
  return std::abs(rounded) <= kMostQuant ? static_cast<std::int8_t>(rounded) : std::int8_t{0};
}

template <int Planes>
void quantize(const float* values, int n, std::int8_t* quants, float* scales, std::int16_t* sums) {
  for (int b = 0; b < n / kBlock; ++b, values += kBlock, quants += kBlock) {
    float largest = 0;
    for (int i = 0; i < kBlock; ++i) largest = std::max(largest, std::abs(values[i]));
    scales[b] = scaleOf(largest, Planes);
    const float inverse = largest > kLeastMagnitude ? kMostQuant / largest : 0;
    for (int i = 0; i < kBlock; ++i) {
      const float steps = values[i] * inverse, rounded = std::nearbyint(steps);
      quants[i] = toQuant(rounded);
      if (Planes == 2) quants[n + i] = toQuant(std::nearbyint((steps - rounded) * kFineSteps));
    }
    for (int i = 0; i < kBlock; i += kSumGroup, ++sums) {
      sums[0] = sumOf(quants + i);
      if (Planes == 2) sums[n / kSumGroup] = sumOf(quants + n + i);
    }
  }
}

// Squares are added in eight lanes, as the vector kernels do: the error grows with n / 8.
void rmsNorm(const float* x, const float* gain, int n, float epsilon, float* out) {
  Lanes squares{};
  for (int i = 0; i < n; ++i) squares[i % kPanel] += x[i] * x[i];
  float sum = 0;
  for (const float s : squares) sum += s;
  const float inverse = 1 / std::sqrt(sum / static_cast<float>(n) + epsilon);
  for (int i = 0; i < n; ++i) out[i] = gain[i] * (x[i] * inverse);
}

void rope(float* x, const float* cosSin, int n) {
  for (int i = 0; i + 1 < n; i += 2) {
    const float a = x[i], b = x[i + 1], cosine = cosSin[i], sine = cosSin[i + 1];
    x[i] = a * cosine - b * sine;
    x[i + 1] = a * sine + b * cosine;
  }
}

void siluMul(float* gate, const float* up, int n) {
  for (int i = 0; i < n; ++i) gate[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];
}

int argmax(const float* x, int n) {
  int best = 0;
  float most = -std::numeric_limits<float>::infinity();
  for (int i = 0; i < n; ++i) {
    if (x[i] > most) {  // false for NaN
      best = i;
      most = x[i];
    }
  }
  return best;
}

double sumExp(const float* x, int n, float max) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] - max > -kNegligible) sum += std::exp(x[i] - max);  // false for NaN
  }
  return sum;
}

void toFloats(const Half* values, int n, float* out) {
  for (int i = 0; i < n; ++i) out[i] = toFloat(values[i]);
}

void toHalves(const float* values, int n, Half* out) {
  for (int i = 0; i < n; ++i) out[i] = toHalf(values[i]);
}

}  // namespace

const Kernels& genericKernels() {
  static constexpr Kernels table{.name = "generic",
                                 .matmul = matmul,
                                 .quantize = quantize<1>,
                                 .quantizeFinely = quantize<2>,
                                 .rmsNorm = rmsNorm,
                                 .rope = rope,
                                 .siluMul = siluMul,
                                 .attend = attendGeneric,
                                 .deltaRule = deltaRuleLoops<PlainSet>,
                                 .argmax = argmax,
                                 .sumExp = sumExp,
                                 .toFloats = toFloats,
                                 .toHalves = toHalves};
  return table;
}

}  // namespace waferpair::tensor
