// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels::attend of every instruction set, for every format of the cache, against Eigen in double.
#include <QtTest>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "runtime/tensor/kernels.h"

Q_DECLARE_METATYPE(const waferpair::tensor::Kernels*)
Q_DECLARE_METATYPE(waferpair::tensor::KvFormat)

namespace waferpair::tensor {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::VectorXd;

namespace {

// One head's chunks, filled with random numbers, and the very numbers that they hold.
struct Cache {
  Cache(KvFormat f, int dims, int chunks, std::mt19937& random)
      : format(f),
        headDim(dims),
        halfBytes(kChunk * kvRowBytes(f, dims)),
        memory(2 * halfBytes * static_cast<std::size_t>(chunks)),
        keys(chunks * kChunk, dims),
        values(chunks * kChunk, dims) {
    std::normal_distribution<float> normal;
    for (int p = 0; p < chunks * kChunk; ++p) {
      for (int d = 0; d < dims; ++d) {
        keys(p, d) = put(p, keyAt(p, d), keyScaleAt(p, d), false, normal(random));
        values(p, d) = put(p, p % kChunk * dims + d, valueScaleAt(p, d), true, normal(random));
      }
    }
  }
  // Places in the keys, or values, of a chunk.
  int keyAt(int p, int d) const { return (p % kChunk / 8 * headDim + d) * 8 + p % 8; }
  int keyScaleAt(int p, int d) const {
    return (p % kChunk / 8 * (headDim / 32) + d / 32) * 8 + p % 8;
  }
  int valueScaleAt(int p, int d) const { return d / 32 * kChunk + p % kChunk; }

  double put(int p, int at, int scaleAt, bool value, float number) {
    std::byte* half = memory.data() + static_cast<std::size_t>(p / kChunk) * 2 * halfBytes +
                      (value ? halfBytes : 0);
    auto* halves = reinterpret_cast<Half*>(half);
    if (format == KvFormat::kF16) {
      halves[at] = toHalf(number);
      return toFloat(halves[at]);
    }
    // A scale of its own for each position and block, so that none can be mistaken for another.
    const float scale = 0.01f + 0.0001f * static_cast<float>(scaleAt % 97);
    halves[kChunk * headDim / 2 + scaleAt] = toHalf(scale);
    const int quant = std::clamp(static_cast<int>(number / scale), -127, 127);
    reinterpret_cast<std::int8_t*>(half)[at] = static_cast<std::int8_t>(quant);
    return static_cast<double>(toFloat(toHalf(scale))) * quant;
  }
  KvChunk chunk(int index) const {
    const std::byte* at = memory.data() + static_cast<std::size_t>(index) * 2 * halfBytes;
    return {format, at, at + halfBytes, at};
  }

  KvFormat format;
  int headDim;
  std::size_t halfBytes;
  std::vector<std::byte> memory;
  Matrix keys, values;
};

struct Result {
  Result(int rows, int headDim)
      : max(static_cast<std::size_t>(rows), -std::numeric_limits<float>::infinity()),
        sum(max.size()),
        out(max.size() * static_cast<std::size_t>(headDim)) {}
  Attended attended() { return {max.data(), sum.data(), out.data()}; }
  bool operator==(const Result&) const = default;
  std::vector<float> max, sum, out;
};

std::vector<float> randomFloats(std::mt19937& random, int count) {
  std::normal_distribution<float> normal;
  std::vector<float> all(static_cast<std::size_t>(count));
  for (float& value : all) value = normal(random);
  return all;
}

struct Range {
  int first, last;  // positions
};

// Attends to all chunks of the cache one after another, each token to its own positions.
Result attendAll(const Kernels& kernels, const Cache& cache, const Queries& queries,
                 const std::vector<Range>& positions) {
  Result result(queries.rows(), queries.headDim);
  for (int chunk = 0; chunk < static_cast<int>(cache.keys.rows()) / kChunk; ++chunk) {
    std::vector<ChunkRange> ranges;
    for (const Range& range : positions) {
      ranges.push_back({std::clamp(range.first - chunk * kChunk, 0, kChunk),
                        std::clamp(range.last - chunk * kChunk, 0, kChunk)});
    }
    kernels.attend(queries, cache.chunk(chunk), ranges.data(), result.attended());
  }
  return result;
}

}  // namespace

class TestAttention : public QObject {
  Q_OBJECT

 private slots:
  void agreesWithEigen_data();
  void agreesWithEigen();
  void rowsDoNotDependOnTheirNeighbors_data() { everyTableAndFormat(); }
  void rowsDoNotDependOnTheirNeighbors();
  void positionsOutOfRangeAreNotSeen_data() { everyTableAndFormat(); }
  void positionsOutOfRangeAreNotSeen();

 private:
  static void everyTableAndFormat() {
    QTest::addColumn<const Kernels*>("kernels");
    QTest::addColumn<KvFormat>("format");
    for (const Kernels* kernels : availableKernels()) {
      for (const KvFormat format : {KvFormat::kF16, KvFormat::kQ8_0}) {
        QTest::addRow("%s %s", kernels->name, kvFormatName(format)) << kernels << format;
      }
    }
  }
};

void TestAttention::agreesWithEigen_data() {
  QTest::addColumn<const Kernels*>("kernels");
  QTest::addColumn<KvFormat>("format");
  QTest::addColumn<int>("heads");
  QTest::addColumn<int>("headDim");
  QTest::addColumn<int>("positions");
  QTest::addColumn<int>("window");
  QTest::addColumn<float>("cap");
  for (const Kernels* kernels : availableKernels()) {
    for (const KvFormat format : {KvFormat::kF16, KvFormat::kQ8_0}) {
      const auto row = [&](int heads, int headDim, int positions, int window, float cap) {
        if (!kvFormatFits(format, headDim)) return;
        QTest::addRow("%s %s %d heads of %d, %d positions, window %d, cap %g", kernels->name,
                      kvFormatName(format), heads, headDim, positions, window,
                      static_cast<double>(cap))
            << kernels << format << heads << headDim << positions << window << cap;
      };
      for (const int heads : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11}) row(heads, 64, 100, 0, 0);
      for (const int headDim : {2, 8, 20, 24, 32, 80, 96, 128}) row(3, headDim, 100, 0, 0);
      for (const int positions : {1, 7, 8, 15, 16, 17, 63, 64, 65, 128})
        row(5, 32, positions, 0, 0);
      for (const int window : {1, 5, 40, 64, 70}) row(4, 32, 150, window, 0);
      row(3, 64, 100, 0, 3);
      row(2, 32, 150, 50, 30);
    }
  }
}

// Three tokens, one after another.
void TestAttention::agreesWithEigen() {
  QFETCH(const Kernels*, kernels);
  QFETCH(KvFormat, format);
  QFETCH(int, heads);
  QFETCH(int, headDim);
  QFETCH(int, positions);
  QFETCH(int, window);
  QFETCH(float, cap);
  constexpr int kTokens = 3;
  std::mt19937 random(8);
  const Cache cache(format, headDim, (positions + kTokens - 1 + kChunk - 1) / kChunk, random);
  const auto query = randomFloats(random, kTokens * heads * headDim);
  const float scale = 1 / std::sqrt(static_cast<float>(headDim));
  const Queries queries{query.data(), kTokens, heads, headDim, scale, cap};
  std::vector<Range> seen;
  for (int t = 0; t < kTokens; ++t) {
    const int last = positions + t;
    seen.push_back({window > 0 ? std::max(0, last - window) : 0, last});
  }
  const Result got = attendAll(*kernels, cache, queries, seen);
  for (int row = 0; row < queries.rows(); ++row) {
    const Range range = seen[static_cast<std::size_t>(row / heads)];
    const int n = range.last - range.first;
    const VectorXd q =
        Eigen::Map<const Eigen::VectorXf>(query.data() + row * headDim, headDim).cast<double>();
    VectorXd scores = cache.keys.middleRows(range.first, n) * q * scale;
    if (cap > 0) scores = cap * (scores.array() / cap).tanh();
    const auto at = static_cast<std::size_t>(row);
    QVERIFY(std::abs(got.max[at] - scores.maxCoeff()) < 1e-5);
    const VectorXd weights = (scores.array() - scores.maxCoeff()).exp();
    QVERIFY(std::abs(got.sum[at] - weights.sum()) < 2e-5 * weights.sum());
    const VectorXd expected = cache.values.middleRows(range.first, n).transpose() * weights;
    for (int d = 0; d < headDim; ++d) {
      QVERIFY(std::abs(got.out[static_cast<std::size_t>(row * headDim + d)] - expected[d]) <
              3e-5 * weights.sum());
    }
  }
}

// However many tokens and heads go together, each row is the same to the last bit.
void TestAttention::rowsDoNotDependOnTheirNeighbors() {
  QFETCH(const Kernels*, kernels);
  QFETCH(KvFormat, format);
  constexpr int kDims = 64, kTokens = 9;
  std::mt19937 random(9);
  const Cache cache(format, kDims, 3, random);
  for (const int heads : {1, 2, 3}) {
    const auto query = randomFloats(random, kTokens * heads * kDims);
    std::vector<Range> seen;
    for (int t = 0; t < kTokens; ++t) seen.push_back({37 + 5 * t, 120 + 3 * t});
    const Result together =
        attendAll(*kernels, cache, {query.data(), kTokens, heads, kDims, 0.125f, 0}, seen);
    for (int t = 0; t < kTokens; ++t) {
      for (int h = 0; h < heads; ++h) {
        const int row = t * heads + h;
        const Result alone = attendAll(*kernels, cache, {&query[row * kDims], 1, 1, kDims, 0.125f},
                                       {seen[static_cast<std::size_t>(t)]});
        QCOMPARE(together.max[row], alone.max[0]);
        QCOMPARE(together.sum[row], alone.sum[0]);
        QVERIFY(std::equal(alone.out.begin(), alone.out.end(), &together.out[row * kDims]));
      }
    }
  }
}

// Pages are used again: keys that are not asked for may be anything, values even no numbers.
void TestAttention::positionsOutOfRangeAreNotSeen() {
  QFETCH(const Kernels*, kernels);
  QFETCH(KvFormat, format);
  constexpr int kDims = 32, kHeads = 4;
  std::mt19937 random(10);
  Cache cache(format, kDims, 1, random);
  const auto query = randomFloats(random, kHeads * kDims);
  const Queries queries{query.data(), 1, kHeads, kDims, 0.2f, 0};
  for (const int last : {1, 8, 21, 40, 63}) {
    const Result before = attendAll(*kernels, cache, queries, {{0, last}});
    Cache dirty = cache;
    for (int p = last; p < kChunk; ++p) {
      for (int d = 0; d < kDims; ++d) {
        const auto spoil = [&](std::size_t half, int at, int scaleAt) {
          auto* halves = reinterpret_cast<Half*>(dirty.memory.data() + half);
          const int place = format == KvFormat::kF16 ? at : kChunk * kDims / 2 + scaleAt;
          halves[place] = 0x7e00;  // not a number
        };
        spoil(0, dirty.keyAt(p, d), dirty.keyScaleAt(p, d));
        spoil(dirty.halfBytes, p * kDims + d, dirty.valueScaleAt(p, d));
      }
    }
    QVERIFY(attendAll(*kernels, dirty, queries, {{0, last}}) == before);
  }
}

}  // namespace waferpair::tensor

QTEST_APPLESS_MAIN(waferpair::tensor::TestAttention)
#include "test_attention.moc"
