// SPDX-License-Identifier: GPL-3.0-or-later
// The NEON kernels beside the generic ones, which the tests here hold against Eigen. For another
// processor than the tests', so it is a plain program that an emulator can run: no Qt, no Eigen.
// Ends with the number of functions that differ.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "runtime/tensor/kernel_tables.h"
#include "tests/runtime/tensor/random_blocks.h"

namespace waferpair::tensor {
namespace {

using Floats = std::vector<float>;

std::mt19937 random(7);

Floats randomFloats(int count, float deviation = 1) {
  std::normal_distribution<float> normal(0, deviation);
  Floats floats(static_cast<std::size_t>(count));
  for (float& value : floats) value = normal(random);
  return floats;
}

// Returns true if the values agree to so much of the largest expected one.
bool near(const Floats& got, const Floats& expected, float share = 1e-5f) {
  float largest = 0;
  for (const float value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(got[i] - expected[i]) <= share * largest)) return false;
  return true;
}

// Rows of activations as products take them.
struct Quantized {
  Quantized(const Kernels& k, const Floats& values, std::size_t cols, Activations activations)
      : cols(cols),
        planes(static_cast<std::size_t>(planesOf(activations))),
        quants(planes * values.size()),
        scales(values.size() / kBlock),
        sums(planes * values.size() / kSumGroup) {
    const auto quantize = activations == Activations::k16Bits ? k.quantizeFinely : k.quantize;
    for (std::size_t at = 0; at < values.size(); at += cols)
      quantize(values.data() + at, static_cast<int>(cols), quants.data() + planes * at,
               scales.data() + at / kBlock, sums.data() + planes * at / kSumGroup);
  }
  // Returns the value at `col` of a row, in steps of the finest plane.
  int steps(std::size_t row, std::size_t col) const {
    const std::int8_t* first = quants.data() + planes * row * cols + col;
    return planes == 1 ? *first : kFineSteps * *first + first[cols];
  }
  std::size_t cols, planes;
  std::vector<std::int8_t> quants;
  Floats scales;
  std::vector<std::int16_t> sums;
};

bool quantizesAlike(const Kernels& k, const Kernels& generic, Activations activations) {
  constexpr std::size_t kRows = 8, kCols = 512;
  const Floats values = randomFloats(kRows * kCols, 3);
  const Quantized got(k, values, kCols, activations), expected(generic, values, kCols, activations);
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t col = 0; col < kCols; ++col)  // of equally near ones either
      if (std::abs(got.steps(row, col) - expected.steps(row, col)) > 1) return false;
  for (std::size_t i = 0; i < got.sums.size(); ++i) {
    int sum = 0;
    for (std::size_t j = 0; j < kSumGroup; ++j) sum += got.quants[i * kSumGroup + j];
    if (got.sums[i] != sum) return false;
  }
  return near(got.scales, expected.scales);
}

bool multipliesAlike(const Kernels& k, const Kernels& generic, Format format,
                     Activations activations) {
  constexpr int kRows = 45, kCols = 512;
  const auto w = *PackedMatrix::pack("w", format, kRows, kCols,
                                     randomRows(format, random, kRows, kCols), {.factor = 1.75f});
  for (const int count : {1, 2, 3, 4, 5, 11}) {
    const Floats values = randomFloats(count * kCols);
    const Quantized x(generic, values, kCols, activations);
    const Rows rows{.count = count,
                    .cols = kCols,
                    .values = values.data(),
                    .quants = x.quants.data(),
                    .scales = x.scales.data(),
                    .sums = x.sums.data(),
                    .planes = static_cast<int>(x.planes)};
    const auto product = [&](const Kernels& by) {
      Floats out(static_cast<std::size_t>(count * kRows), 0.5f);
      by.matmul(w, {0, 2}, rows, out.data(), kRows, false);
      by.matmul(w, {2, w.panels()}, rows, out.data(), kRows, true);
      return out;
    };
    if (!near(product(k), product(generic))) return false;
  }
  return true;
}

bool attendsAlike(const Kernels& k, const Kernels& generic, KvFormat format) {
  for (const int headDim : {32, 64, 80, 96, 128}) {
    if (!kvFormatFits(format, headDim)) continue;
    const std::size_t half = kChunk * kvRowBytes(format, headDim);
    std::vector<std::byte> memory(2 * half);
    for (std::byte* at : {memory.data(), memory.data() + half}) {
      const auto values = static_cast<std::size_t>(kChunk * headDim);
      auto* halves = reinterpret_cast<Half*>(at);
      if (format == KvFormat::kF16) {
        for (std::size_t i = 0; i < values; ++i) halves[i] = toHalf(randomFloats(1)[0]);
        continue;
      }
      for (std::size_t i = 0; i < values; ++i) at[i] = static_cast<std::byte>(random() % 255 - 127);
      for (std::size_t i = 0; i < values / kKvBlock; ++i)
        halves[values / 2 + i] = toHalf(0.01f + 0.0001f * static_cast<float>(random() % 97));
    }
    for (const int heads : {1, 2, 3, 4, 7}) {
      for (const float cap : {0.0f, 3.0f}) {
        constexpr int kTokens = 3;
        const int rows = kTokens * heads;
        const Floats values = randomFloats(rows * headDim);
        const Queries queries{.values = values.data(),
                              .tokens = kTokens,
                              .heads = heads,
                              .headDim = headDim,
                              .scale = 1 / std::sqrt(static_cast<float>(headDim)),
                              .cap = cap};
        const ChunkRange ranges[kTokens] = {{0, 5}, {3, 50}, {17, kChunk}};
        const KvChunk chunk{format, memory.data(), memory.data() + half, memory.data()};
        const auto attended = [&](const Kernels& by, Floats& max, Floats& sum) {
          max.assign(static_cast<std::size_t>(rows), -std::numeric_limits<float>::infinity());
          sum.assign(static_cast<std::size_t>(rows), 0.0f);
          Floats out(static_cast<std::size_t>(rows * headDim));
          for (int i = 0; i < 2; ++i)
            by.attend(queries, chunk, ranges, {max.data(), sum.data(), out.data()});
          return out;
        };
        Floats max, sum, otherMax, otherSum;
        const Floats out = attended(k, max, sum), other = attended(generic, otherMax, otherSum);
        if (!near(out, other, 1e-4f) || !near(max, otherMax) || !near(sum, otherSum, 1e-4f))
          return false;
      }
    }
  }
  return true;
}

bool rowsAlike(const Kernels& k, const Kernels& generic) {
  for (const int n : {2, 6, 8, 14, 64, 322}) {
    const Floats x = randomFloats(n, 4), gain = randomFloats(n);
    const auto size = static_cast<std::size_t>(n);
    const auto same = [&](const auto& function) {
      return near(function(k), function(generic), 1e-6f);
    };
    const bool alike = same([&](const Kernels& by) {
                         Floats out(size);
                         by.rmsNorm(x.data(), gain.data(), n, 1e-5f, out.data());
                         return out;
                       }) &&
                       same([&](const Kernels& by) {
                         Floats out = x;
                         by.rope(out.data(), gain.data(), n);
                         return out;
                       }) &&
                       same([&](const Kernels& by) {
                         Floats out = x;
                         by.siluMul(out.data(), gain.data(), n);
                         return out;
                       }) &&
                       same([&](const Kernels& by) {
                         std::vector<Half> halves(size);
                         Floats out(size);
                         by.toHalves(x.data(), n, halves.data());
                         by.toFloats(halves.data(), n, out.data());
                         return out;
                       });
    const float max = *std::max_element(x.begin(), x.end());
    const double sum = k.sumExp(x.data(), n, max), expected = generic.sumExp(x.data(), n, max);
    if (!alike || k.argmax(x.data(), n) != generic.argmax(x.data(), n)) return false;
    if (!(std::abs(sum - expected) <= 1e-6 * expected)) return false;
  }
  return true;
}

int check(const Kernels& k) {
  const Kernels& generic = genericKernels();
  int differ = 0;
  const auto expect = [&](bool alike, const std::string& what) {
    differ += !alike;
    if (!alike) std::printf("%s: %s differ from the generic kernels'\n", k.name, what.c_str());
  };
  for (const Activations activations : {Activations::k8Bits, Activations::k16Bits}) {
    const std::string bits = activations == Activations::k8Bits ? " in 8 bits" : " in 16 bits";
    expect(quantizesAlike(k, generic, activations), "quants" + bits);
    for (const Format format : allFormats())
      expect(multipliesAlike(k, generic, format, activations),
             std::string("products with ") + formatName(format) + bits);
  }
  for (const KvFormat format : {KvFormat::kF16, KvFormat::kQ8_0})
    expect(attendsAlike(k, generic, format), std::string("attention to ") + kvFormatName(format));
  expect(rowsAlike(k, generic), "norms, turns, activations or sums");
  std::printf("%s: %d differ\n", k.name, differ);
  return differ;
}

}  // namespace
}  // namespace waferpair::tensor

int main() {
  using namespace waferpair::tensor;
  return check(neonKernels()) + check(neonDotKernels());
}
