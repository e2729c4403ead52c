// SPDX-License-Identifier: GPL-3.0-or-later
// RMS norm and softmax: the reference's numbers, bit by bit, and cycles against what they are made
// of.
#include <QtTest>
#include <cstdio>

#include "runtime/mesh/normalize.h"
#include "runtime/wafer/cost/collectives.h"
#include "runtime/wafer/cost/refined_collectives.h"
#include "tests/runtime/mesh/mesh_reference.h"

using namespace waferpair;
using namespace waferpair::mesh;
using test::done;
using test::Parts;
using test::taken;
using wafer::Axis;

namespace {

constexpr float kEpsilon = 1e-5f;

std::pair<int, int> place(const Config& config, int pe) {
  return {pe % config.width, pe / config.width};
}

// The cycles of a PE's vector unit on its own; conflicts are added.
struct Cycles {
  int work = 0;
  Report report;
  std::uint64_t conflicts = 0;  // of the first PE
};

Cycles runNorm(const Config& config, int vectors, int length, const Along& along) {
  SramLayout sram;
  RmsNorm op{.vectors = vectors, .length = length, .epsilon = kEpsilon};
  op.in = sram.vector(vectors * length).address;
  op.gain = sram.vector(length).address;
  op.out = sram.vector(vectors * length).address;
  op.sums = sram.vector(vectors, Type::F32).address;
  const auto all = lines(config, along);
  op.elements = length * all[0].count;
  Builder builder(config);
  done(rmsNorm(builder, op, along));
  Mesh mesh = taken(Mesh::make(taken(builder.finish())));
  std::vector<Parts> in, gains;
  for (const Line& line : all) {
    in.emplace_back();
    gains.emplace_back();
    for (int i = 0; i < line.count; ++i) {
      const auto [x, y] = place(config, line.pe(i));
      const auto seed = static_cast<unsigned>(line.pe(i));
      in.back().push_back(test::randomHalves(vectors * length, 1, seed, 3));
      gains.back().push_back(test::randomHalves(length, 1, seed + 5000));
      test::writeVector(mesh, x, y, op.in, in.back().back());
      test::writeVector(mesh, x, y, op.gain, gains.back().back());
    }
  }
  Cycles cycles{.work = 0, .report = taken(mesh.run()), .conflicts = 0};
  cycles.conflicts = mesh.counters(0, 0).bankConflict;
  for (std::size_t l = 0; l < all.size(); ++l) {
    const Parts want = test::rmsNorm(in[l], gains[l], vectors, op.elements, kEpsilon, along.group);
    for (int i = 0; i < all[l].count; ++i) {
      const auto [x, y] = place(config, all[l].pe(i));
      test::compare(test::readVector(mesh, x, y, op.out, vectors * length), want[i], "RMS norm", x,
                    y);
    }
  }
  // Zero, add squares in order, share, epsilon, root; scale, gain.
  const int quads = (vectors + 3) / 4;
  cycles.work = 3 * quads + vectors * (length + config.specialCycles + (length + 3) / 4 +
                                       (length + config.lanes - 1) / config.lanes);
  return cycles;
}

Cycles runSoftmax(const Config& config, int vectors, const std::vector<int>& counts, float scale,
                  const Along& along) {
  const int most = *std::max_element(counts.begin(), counts.end());
  SramLayout sram;
  Softmax op{.vectors = vectors, .counts = counts, .scale = scale};
  op.scores = sram.vector(vectors * scorePitch(most)).address;
  op.maxima = sram.vector(vectors).address;
  op.sums = sram.vector(vectors, Type::F32).address;
  Builder builder(config);
  done(softmax(builder, op, along));
  Mesh mesh = taken(Mesh::make(taken(builder.finish())));
  const auto all = lines(config, along);
  const auto at = [&](int v, int i) {
    return op.scores + static_cast<std::uint32_t>(2 * v * scorePitch(counts[i]));
  };
  const auto scores = [&](int v, int pe, int i) {
    return test::randomHalves(counts[i], 1, static_cast<unsigned>(100 * pe + v), 8);
  };
  for (const Line& line : all) {
    for (int i = 0; i < line.count; ++i) {
      const auto [x, y] = place(config, line.pe(i));
      for (int v = 0; v < vectors; ++v) {
        test::writeVector(mesh, x, y, at(v, i), scores(v, line.pe(i), i));
      }
    }
  }
  Cycles cycles{.work = 0, .report = taken(mesh.run()), .conflicts = 0};
  cycles.conflicts = mesh.counters(0, 0).bankConflict;
  for (const Line& line : all) {
    for (int v = 0; v < vectors; ++v) {
      Parts parts;
      for (int i = 0; i < line.count; ++i) parts.push_back(scores(v, line.pe(i), i));
      const Parts want = test::softmax(parts, scale, along.group);
      for (int i = 0; i < line.count; ++i) {
        const auto [x, y] = place(config, line.pe(i));
        test::compare(test::readVector(mesh, x, y, at(v, i), counts[i]), want[i], "Softmax", x, y);
      }
    }
  }
  // Scale, largest; subtract, exp, add up in order; share.
  const int count = counts[0];
  cycles.work = (vectors + config.lanes - 1) / config.lanes + (vectors + 3) / 4 +
                vectors * (2 * ((count + 3) / 4) + (count + config.lanes - 1) / config.lanes +
                           (2 + config.specialCycles) * count + config.specialCycles);
  return cycles;
}

}  // namespace

class TestNormalize : public QObject {
  Q_OBJECT

 private slots:
  void normsAreThoseOfTheReference() {
    for (auto [width, height] : {std::pair{1, 1}, {4, 4}, {6, 3}, {2, 16}}) {
      for (int length : {1, 2, 7, 40}) {
        for (Axis axis : {Axis::kX, Axis::kY}) {
          runNorm(test::meshConfig(width, height), 1, length, {axis, 0, 3});
        }
      }
    }
  }

  // The segments are like the heads of a query, several to a PE.
  void headsAreNormedInSegments() {
    runNorm(test::meshConfig(8, 3), 3, 4, {Axis::kX, 4, 2});
    runNorm(test::meshConfig(8, 3), 5, 6, {Axis::kX, 1, 2});
  }

  // d = 4096 of 30 squared is 3.7 million, beyond FP16.
  void sumsOfSquaresGoBeyondHalves() {
    const Config config = test::meshConfig(1, 4);
    SramLayout sram;
    RmsNorm op{.vectors = 1, .length = 1024, .elements = 4096, .epsilon = kEpsilon};
    op.in = op.out = sram.vector(1024).address;
    op.gain = sram.vector(1024).address;
    op.sums = sram.vector(1, Type::F32).address;
    Builder builder(config);
    done(rmsNorm(builder, op, {Axis::kY, 0, 2}));
    Mesh mesh = taken(Mesh::make(taken(builder.finish())));
    for (int y = 0; y < 4; ++y) {
      test::writeVector(mesh, 0, y, op.in, Eigen::VectorXf::Constant(1024, 30));
      test::writeVector(mesh, 0, y, op.gain, Eigen::VectorXf::Constant(1024, 2));
    }
    taken(mesh.run());
    QCOMPARE(taken(mesh.readHalves(0, 3, op.out, 1))[0], 2.0f);
  }

  void softmaxIsThatOfTheReference() {
    for (int vectors : {1, 3}) {
      for (const std::vector<int>& counts :
           {std::vector<int>{9}, {5, 4}, {1, 0, 0, 0}, {12, 12, 11, 11, 11}}) {
        const int pes = static_cast<int>(counts.size());
        for (float scale : {1.0f, 0.25f, 0.088388346f}) {
          runSoftmax(test::meshConfig(3, pes), vectors, counts, scale, {Axis::kY, 0, 2});
          runSoftmax(test::meshConfig(pes, 2), vectors, counts, scale, {Axis::kX, 0, 3});
        }
      }
    }
  }

  void sharesAddUpToOne() {
    const Parts parts = {test::randomHalves(30, 1, 1, 4), test::randomHalves(30, 1, 2, 4)};
    const Parts shares = test::softmax(parts, 0.5f, 2);
    QVERIFY(std::abs(shares[0].sum() + shares[1].sum() - 1) < 60 * 0x1p-12f);
    const Eigen::ArrayXf exact = (parts[0].array() * 0.5f).exp();
    const float total = exact.sum() + (parts[1].array() * 0.5f).exp().sum();
    QVERIFY((shares[0].array() - exact / total).abs().maxCoeff() < 0x1p-9f);
  }

  // The closed forms of the profiles count the all-reduces and nothing else.
  void cyclesAreThoseOfTheirParts() {
    std::printf(
        "\n| op | P | elements of a PE | simulated | of them all-reduces (published form) | on a "
        "PE |"
        "\n|---|---|---|---|---|---|\n");
    for (int p : {8, 16, 32, 64}) {
      const int g = static_cast<int>(std::lround(std::sqrt(p)));
      for (int length : {4, 16, 64}) {
        const Along along{Axis::kY, 0, g};
        const Config config = test::meshConfig(2, p);
        const auto row = [&](const char* op, int times, const Cycles& cycles) {
          const double reduce = times * wafer::refined::kTreeAllReduceCycles(p, 1, g, 2);
          const double own = cycles.work + static_cast<double>(cycles.conflicts);
          const double simulated = static_cast<double>(cycles.report.cycles);
          std::printf("| %s | %d | %d | %.0f | %.0f (%.0f) | %.0f |\n", op, p, length, simulated,
                      reduce, times * wafer::kTreeAllReduceCycles(p, 1, g, 2), own);
          QVERIFY2(std::abs(simulated / (reduce + own) - 1) <= 0.04,
                   qPrintable(QString("%1 of %2 + %3").arg(simulated).arg(reduce).arg(own)));
        };
        row("RMS norm", 1, runNorm(config, 1, length, along));
        row("softmax", 2,
            runSoftmax(config, 1, std::vector<int>(static_cast<std::size_t>(p), length), 0.5f,
                       along));
      }
    }
  }

  void whatMakesNoSenseIsNamed() {
    Builder builder(test::meshConfig(2, 3));
    const auto norm = [&](const RmsNorm& op) {
      return test::text(rmsNorm(builder, op, {}).error());
    };
    QVERIFY(norm({.vectors = 0, .length = 1, .elements = 1}).contains("vectors is 0"));
    QVERIFY(norm({.vectors = 1, .length = 0, .elements = 1}).contains("length is 0"));
    QVERIFY(norm({.vectors = 1, .length = 1, .elements = 0}).contains("elements is 0"));
    const auto refused = [&](const Softmax& op, const Along& along) {
      return test::text(softmax(builder, op, along).error());
    };
    QVERIFY(refused({.vectors = 1, .counts = {1, 1}}, {}).contains("PEs with a count is 2"));
    QVERIFY(refused({.vectors = 1, .counts = {1, 1, -1}}, {}).contains("count is -1"));
    QVERIFY(refused({.vectors = 1, .counts = {1, 1, 1}}, {Axis::kY, 1}).contains("segment is 1"));
  }
};

QTEST_GUILESS_MAIN(TestNormalize)
#include "test_normalize.moc"
