// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens in and out of the mesh: the row of the embedding, the largest logit.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "runtime/mesh/argmax.h"
#include "runtime/mesh/embedding.h"
#include "runtime/wafer/cost/collectives.h"
#include "tests/runtime/mesh/mesh_reference.h"

using namespace waferpair;
using namespace waferpair::mesh;
using test::done;
using test::taken;
using wafer::Axis;

namespace {

// Returns the argmax of logits, a vector for each PE of a row.
int runArgmax(const std::vector<std::vector<float>>& logits, int group) {
  const int pes = static_cast<int>(logits.size());
  const Config config = test::meshConfig(pes, 2);
  std::size_t most = 0;
  Argmax op;
  for (const auto& part : logits) {
    op.counts.push_back(static_cast<int>(part.size()));
    most = std::max(most, part.size());
  }
  const auto length = static_cast<std::int64_t>(most);
  SramLayout sram;
  op.logits = sram.vector(length).address;
  op.maximum = sram.vector(1).address;
  op.rank = sram.vector(1, Type::F32).address;
  op.differences = sram.vector(length).address;
  op.ranks = sram.vector(length, Type::F32).address;
  Builder builder(config);
  done(argmax(builder, op, {Axis::kX, 0, group}));
  Mesh mesh = taken(Mesh::make(taken(builder.finish())));
  int total = 0;
  for (int x = 0; x < pes; ++x) {
    total += op.counts[x];
    for (int y = 0; y < 2; ++y) done(mesh.writeHalves(x, y, op.logits, logits[x]));
  }
  taken(mesh.run());
  const float rank = taken(mesh.readFloats(0, 0, op.rank, 1))[0];
  for (int x = 0; x < pes; ++x) {
    for (int y = 0; y < 2; ++y) {
      if (taken(mesh.readFloats(x, y, op.rank, 1))[0] != rank) qFatal("PEs differ");
    }
  }
  return total - static_cast<int>(rank);
}

}  // namespace

class TestTokens : public QObject {
  Q_OBJECT

 private slots:
  void aRowOfTheEmbeddingReachesAll() {
    for (auto [width, height, length] : {std::tuple{1, 1, 3}, {6, 4, 5}, {16, 2, 40}}) {
      for (int column : {0, width / 2, width - 1}) {
        const Config config = test::meshConfig(width, height);
        SramLayout sram;
        const Matrix table = sram.matrix(3, length);
        const Embedding op{column, table.address + 2 * table.pitch, sram.vector(length)};
        Builder builder(config);
        done(embed(builder, op));
        Mesh mesh = taken(Mesh::make(taken(builder.finish())));
        const auto part = [&, length = length](int y) {
          return test::randomHalves(length, 1, static_cast<unsigned>(y));
        };
        for (int y = 0; y < height; ++y) test::writeVector(mesh, column, y, op.row, part(y));
        const int cycles = static_cast<int>(taken(mesh.run()).cycles);
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < width; ++x) {
            test::compare(test::readVector(mesh, x, y, op.out), part(y), "Embedding", x, y);
          }
        }
        const int farthest = std::max(column, width - 1 - column);
        const int copy = (length + 7) / 8;
        // There is at most one bank conflict for each step of the copy.
        const int sending =
            farthest > 0 ? int(wafer::broadcastCycles(farthest + 1, (length + 1) / 2, 2)) : 0;
        QVERIFY(cycles >= sending + copy && cycles <= sending + 2 * copy);
      }
    }
  }

  void theLargestLogitIsFound() {
    std::mt19937 random(3);
    std::normal_distribution<float> normal(0, 5);
    for (int pes : {1, 2, 5, 16}) {
      for (int round = 0; round < 8; ++round) {
        std::vector<std::vector<float>> logits(pes);
        std::vector<float> all;
        for (int x = 0; x < pes; ++x) {
          // The last PEs may have none, as beyond a vocabulary.
          const int count = x > pes / 2 && round % 2 == 1 ? 0 : 1 + round * 7;
          for (int i = 0; i < count; ++i) {
            // Coarse in some rounds, so that several are the largest.
            const float value = normal(random);
            logits[x].push_back(test::roundHalf(round % 3 == 2 ? std::floor(value) : value));
            all.push_back(logits[x].back());
          }
        }
        const auto largest = std::max_element(all.begin(), all.end()) - all.begin();
        QCOMPARE(runArgmax(logits, 3), static_cast<int>(largest));
      }
    }
    // Values that are as close and as far apart as FP16 has them.
    QCOMPARE(runArgmax({{0x1p-24f, 0}, {0x1p-23f, 0x1p-24f}}, 2), 2);
    QCOMPARE(runArgmax({{-65504, -65472}, {-65504}}, 2), 1);
    QCOMPARE(runArgmax({{-65504}, {65504, 65472}}, 2), 1);
  }

  void whatMakesNoSenseIsNamed() {
    Builder builder(test::meshConfig(2, 3));
    QVERIFY(test::text(embed(builder, {2, 0, {0, 4, Type::F16}}).error()).contains("column is 2"));
    const auto choice = [&](std::vector<int> counts) {
      Argmax op;
      op.counts = std::move(counts);
      return test::text(argmax(builder, op, {Axis::kX}).error());
    };
    QVERIFY(choice({1}).contains("PEs with a count is 1"));
    QVERIFY(choice({0, 0}).contains("logits is 0"));
    QVERIFY(choice({-1, 5}).contains("count is -1"));
  }
};

QTEST_GUILESS_MAIN(TestTokens)
#include "test_tokens.moc"
