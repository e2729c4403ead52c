// SPDX-License-Identifier: GPL-3.0-or-later
// The KV cache and attention's products: the reference's numbers, bit by bit, and cycles against
// their closed forms.
#include <QtTest>
#include <algorithm>
#include <cstdio>

#include "runtime/mesh/attention.h"
#include "runtime/mesh/normalize.h"
#include "runtime/wafer/cost/refined_collectives.h"
#include "tests/runtime/mesh/mesh_reference.h"

using namespace waferpair;
using namespace waferpair::mesh;
using test::done;
using test::taken;
using wafer::Axis;

namespace {

struct Placed {
  Attention op;
  std::uint32_t key = 0, value = 0;
};
Placed place(const Config& config, int heads, int queries, int dims, int capacity) {
  SramLayout sram;
  Placed placed;
  placed.op = {.cache = {.heads = heads, .dims = dims, .capacity = capacity}, .queries = queries};
  placed.op.cache.keys = sram.matrix(heads * dims, capacity);
  placed.op.cache.values = sram.matrix(capacity, heads * dims);
  placed.op.query = sram.vector(heads * queries * dims).address;
  placed.op.scores = sram.vector(heads * queries * scorePitch(capacity)).address;
  placed.op.out = sram.vector(heads * queries * dims).address;
  placed.key = sram.vector(heads * dims).address;
  placed.value = sram.vector(heads * dims).address;
  done(sram.check("The test", config));
  return placed;
}

Eigen::VectorXf keyOf(int position, int x, int length) {
  return test::randomHalves(length, 1, static_cast<unsigned>(position * 100 + x));
}
Eigen::VectorXf valueOf(int position, int x, int length) {
  return test::randomHalves(length, 1, static_cast<unsigned>(50000 + position * 100 + x));
}

// The keys (dims x positions) and values (positions x dims) of a PE's held.
Eigen::MatrixXf keysOf(const std::vector<int>& held, int x, int length) {
  Eigen::MatrixXf keys(length, static_cast<Eigen::Index>(held.size()));
  for (Eigen::Index i = 0; i < keys.cols(); ++i) keys.col(i) = keyOf(held[i], x, length);
  return keys;
}
Eigen::MatrixXf valuesOf(const std::vector<int>& held, int x, int length) {
  Eigen::MatrixXf values(static_cast<Eigen::Index>(held.size()), length);
  for (Eigen::Index i = 0; i < values.rows(); ++i) values.row(i) = valueOf(held[i], x, length);
  return values;
}

KvRows rowsWith(int rows, int capacity, int positions) {
  KvRows kv(rows, capacity);
  for (int i = 0; i < positions; ++i) taken(kv.push());
  return kv;
}

void writeCache(Mesh& mesh, const KvTile& cache, const KvRows& kv) {
  const int length = cache.heads * cache.dims;
  for (int y = 0; y < mesh.config().height; ++y) {
    if (kv.positionsOf(y).empty()) continue;
    for (int x = 0; x < mesh.config().width; ++x) {
      test::writeMatrix(mesh, x, y, cache.keys, keysOf(kv.positionsOf(y), x, length));
      test::writeMatrix(mesh, x, y, cache.values, valuesOf(kv.positionsOf(y), x, length));
    }
  }
}

void checkCache(const Mesh& mesh, const KvTile& cache, const KvRows& kv) {
  const int length = cache.heads * cache.dims;
  for (int y = 0; y < mesh.config().height; ++y) {
    const auto count = static_cast<Eigen::Index>(kv.positionsOf(y).size());
    for (int x = 0; x < mesh.config().width; ++x) {
      const Eigen::MatrixXf keys = keysOf(kv.positionsOf(y), x, length);
      for (int d = 0; d < length; ++d) {
        const auto at = cache.keys.address + static_cast<std::uint32_t>(d) * cache.keys.pitch;
        test::compare(test::readVector(mesh, x, y, at, count), keys.row(d), "Keys", x, y);
      }
      const Eigen::MatrixXf values = valuesOf(kv.positionsOf(y), x, length);
      for (int i = 0; i < count; ++i) {
        const auto at = cache.values.address + static_cast<std::uint32_t>(i) * cache.values.pitch;
        test::compare(test::readVector(mesh, x, y, at, length), values.row(i), "Values", x, y);
      }
    }
  }
}

// Scores and mixes on the mesh, and compares. Cycles of either.
std::pair<int, int> runProducts(const Config& config, int heads, int queries, int dims,
                                int positions, int segment, int group, int issue, int software) {
  const int capacity = (positions + config.height - 1) / config.height;
  const KvRows kv = rowsWith(config.height, capacity, positions);
  Placed placed = place(config, heads, queries, dims, capacity);
  placed.op.counts = kv.counts();
  placed.op.issueCycles = issue;
  const int vectors = heads * queries, length = heads * dims;
  const auto input = [&](int x, int v, Eigen::Index size, int y) {
    return test::randomHalves(size, 1, static_cast<unsigned>(x * 1000 + v * 10 + y), 0.5f);
  };
  const auto scoresAt = [&](int v, int y) {
    return placed.op.scores + static_cast<std::uint32_t>(2 * v * scorePitch(placed.op.counts[y]));
  };
  const auto count = [&](int y) { return placed.op.counts[y]; };
  std::pair<int, int> cycles;

  Builder builder(config, software);
  const Along along{Axis::kX, segment, group};
  done(scores(builder, placed.op, along));
  Mesh mesh = taken(Mesh::make(taken(builder.finish())));
  writeCache(mesh, placed.op.cache, kv);
  for (int y = 0; y < config.height; ++y) {
    for (int x = 0; x < config.width; ++x) {
      for (int v = 0; v < vectors; ++v) {
        test::writeVector(mesh, x, y, placed.op.query + static_cast<std::uint32_t>(2 * v * dims),
                          input(x, v, dims, 0));
      }
    }
  }
  cycles.first = static_cast<int>(taken(mesh.run()).cycles);
  for (const Line& line : lines(config, along)) {
    const int y = line.first / config.width, begin = line.first % config.width;
    if (count(y) == 0) continue;
    for (int v = 0; v < vectors; ++v) {
      Eigen::MatrixXf parts(count(y), line.count);
      for (int i = 0; i < line.count; ++i) {
        parts.col(i) = test::productOfTile(
            input(begin + i, v, dims, 0),
            keysOf(kv.positionsOf(y), begin + i, length).middleRows(v / queries * dims, dims));
      }
      const Eigen::VectorXf sum = test::kTreeSum(parts, group, Type::F16);
      for (int x = begin; x < begin + line.count; ++x) {
        test::compare(test::readVector(mesh, x, y, scoresAt(v, y), count(y)), sum, "Scores", x, y);
      }
    }
  }

  Builder mixing(config, software);
  done(mix(mixing, placed.op, {Axis::kY, 0, group}));
  Mesh mixed = taken(Mesh::make(taken(mixing.finish())));
  writeCache(mixed, placed.op.cache, kv);
  for (int y = 0; y < config.height; ++y) {
    for (int x = 0; x < config.width; ++x) {
      for (int v = 0; v < vectors; ++v) {
        test::writeVector(mixed, x, y, scoresAt(v, y), input(x, v, count(y), y));
      }
    }
  }
  cycles.second = static_cast<int>(taken(mixed.run()).cycles);
  for (int x = 0; x < config.width; ++x) {
    for (int v = 0; v < vectors; ++v) {
      Eigen::MatrixXf parts(dims, config.height);
      for (int y = 0; y < config.height; ++y) {
        parts.col(y) = test::productOfTile(
            input(x, v, count(y), y),
            valuesOf(kv.positionsOf(y), x, length).middleCols(v / queries * dims, dims));
      }
      const Eigen::VectorXf sum = test::kTreeSum(parts, group, Type::F16);
      for (int y = 0; y < config.height; ++y) {
        const auto at = placed.op.out + static_cast<std::uint32_t>(2 * v * dims);
        test::compare(test::readVector(mixed, x, y, at, dims), sum, "Mixed", x, y);
      }
    }
  }
  return cycles;
}

}  // namespace

class TestAttention : public QObject {
  Q_OBJECT

 private slots:
  void rowsStayEquallyFullAndInOrder() {
    for (int rows : {1, 2, 3, 8}) {
      KvRows kv(rows, 5);
      for (int n = 1; n <= 5 * rows; ++n) {
        taken(kv.push());
        QCOMPARE(kv.positions(), n);
        const std::vector<int> counts = kv.counts();
        const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
        QVERIFY(*most - *least <= 1);
        int next = 0;  // the positions of a row follow on those of the row above
        for (int row = 0; row < rows; ++row) {
          std::vector<int> sorted = kv.positionsOf(row);
          std::sort(sorted.begin(), sorted.end());
          for (int position : sorted) QCOMPARE(position, next++);
        }
        QCOMPARE(next, n);
      }
      QVERIFY(test::text(kv.push().error()).contains("5 in each of"));
    }
  }

  void aShiftMovesRowsUp() {
    for (auto [width, height, heads, dims] :
         {std::tuple{1, 1, 1, 2}, {3, 4, 1, 4}, {2, 5, 2, 3}, {2, 3, 1, 100}}) {
      const Config config = test::meshConfig(width, height);
      const int length = heads * dims;
      KvRows kv(height, 4);
      for (int n = 0; n < 3 * height; ++n) {
        Placed placed = place(config, heads, 1, dims, 4);
        const KvRows before = kv;
        const KvRows::Shift shift = taken(kv.push());
        Builder builder(config);
        done(kvShift(builder, placed.op.cache, shift, placed.key, placed.value));
        Mesh mesh = taken(Mesh::make(taken(builder.finish())));
        writeCache(mesh, placed.op.cache, before);
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < width; ++x) {
            test::writeVector(mesh, x, y, placed.key, keyOf(n, x, length));
            test::writeVector(mesh, x, y, placed.value, valueOf(n, x, length));
          }
        }
        taken(mesh.run());
        checkCache(mesh, placed.op.cache, kv);
      }
    }
  }

  void aShiftTakesTheCyclesOfItsClosedForm() {
    std::printf(
        "\n| rows of PEs | elements of a key | KV shift | closed form |\n|---|---|---|---|\n");
    for (int height : {4, 16, 64}) {
      for (int dims : {2, 4, 8, 16, 20}) {
        const Config config = test::meshConfig(2, height);
        Placed placed = place(config, 1, 1, dims, 8);
        KvRows kv = rowsWith(height, 8, 2 * height);
        const KvRows::Shift shift = taken(kv.push());
        Builder builder(config);
        done(kvShift(builder, placed.op.cache, shift, placed.key, placed.value));
        Mesh mesh = taken(Mesh::make(taken(builder.finish())));
        const int cycles = static_cast<int>(taken(mesh.run()).cycles);
        const int wavelets = dims / 2;
        const int closed = std::max(3 * wavelets, 6) + 3 * wavelets;
        std::printf("| %d | %d | %d | %d |\n", height, dims, cycles, closed);
        QCOMPARE(cycles, closed);
      }
    }
  }

  void productsAreThoseOfTheReference() {
    runProducts(test::meshConfig(1, 1), 1, 1, 4, 3, 0, 2, 0, 0);
    runProducts(test::meshConfig(4, 3), 1, 2, 4, 7, 0, 2, 0, 0);   // a head over all columns
    runProducts(test::meshConfig(8, 4), 1, 3, 2, 21, 4, 2, 0, 0);  // two heads side by side
    runProducts(test::meshConfig(3, 4), 2, 2, 6, 9, 1, 2, 0, 0);   // heads that are whole on a PE
    runProducts(test::meshConfig(4, 6), 1, 2, 4, 2, 2, 2, 0, 0);   // rows without positions
  }

  // The cost model counts them as GEMVs; h and tau as in test_gemv.
  void productsTakeTheCyclesOfTheClosedForm() {
    constexpr int kIssue = 22, kSoftware = 20;
    std::printf(
        "\n| P | positions | dims of a PE | scores | closed form | mix | closed form "
        "|\n|---|---|---|---|---|---|---|\n");
    for (int p : {8, 16, 32}) {
      const int g = static_cast<int>(std::lround(std::sqrt(p)));
      for (auto [st, dims] : {std::pair{4, 4}, {32, 4}, {16, 16}}) {
        const auto [scoring, mixing] =
            runProducts(test::meshConfig(p, p), 1, 1, dims, st * p, 0, g, kIssue, kSoftware);
        const auto closed = [&, st = st, dims = dims](int rows, int columns) {
          return (columns + 7) / 8 + rows * ((columns + 7) / 8 + kIssue) +
                 wafer::refined::kTreeAllReduceCycles(p, (columns + 1) / 2, g, 2, kSoftware);
        };
        const double scores = closed(dims, st), mixed = closed(st, dims);
        std::printf("| %d | %d | %d | %d | %.0f (%+.1f %%) | %d | %.0f (%+.1f %%) |\n", p, st * p,
                    dims, scoring, scores, 100 * (scoring / scores - 1), mixing, mixed,
                    100 * (mixing / mixed - 1));
        QVERIFY(std::abs(scoring / scores - 1) <= 0.04);
        QVERIFY(std::abs(mixing / mixed - 1) <= 0.04);
      }
    }
  }

  void whatMakesNoSenseIsNamed() {
    const Config config = test::meshConfig(2, 3);
    Builder builder(config);
    Placed placed = place(config, 1, 1, 4, 5);
    placed.op.counts = {1, 1, 1};
    const auto refused = [&](std::vector<int> counts) {
      Attention op = placed.op;
      op.counts = std::move(counts);
      return test::text(scores(builder, op, {Axis::kX}).error());
    };
    QVERIFY(refused({1, 1}).contains("rows with a count is 2"));
    QVERIFY(refused({1, 1, 6}).contains("count is 6"));
    Attention none = placed.op;
    none.cache.dims = 0;
    QVERIFY(test::text(mix(builder, none, {}).error()).contains("dims is 0"));
    const auto shifted = [&](const KvRows::Shift& shift) {
      return test::text(kvShift(builder, placed.op.cache, shift, 0, 0).error());
    };
    QVERIFY(shifted({0, 0, {0}}).contains("rows with a slot is 1"));
    QVERIFY(shifted({0, 3, {0, 0, 0}}).contains("entry row is 3"));
    QVERIFY(shifted({2, 1, {0, 0, 0}}).contains("top row is 2"));
    QVERIFY(shifted({1, 2, {-1, 0, 5}}).contains("slot is 5"));
    QVERIFY(test::text(scores(builder, placed.op, {Axis::kY}).error()).contains("along y"));
    QVERIFY(test::text(mix(builder, placed.op, {Axis::kX}).error()).contains("along x"));
  }
};

QTEST_GUILESS_MAIN(TestAttention)
#include "test_attention.moc"
