// SPDX-License-Identifier: GPL-3.0-or-later
// MeshGEMV: Eigen's numbers, and cycles against the closed form of the kernel profiles.
#include <QtTest>
#include <cstdio>

#include "runtime/mesh/gemv.h"
#include "tests/runtime/mesh/mesh_reference.h"

using namespace waferpair;
using namespace waferpair::mesh;
using test::done;
using test::taken;
using wafer::Axis;

namespace {

int ceilDiv(int a, int b) { return (a + b - 1) / b; }

// Multiplies on the mesh, and fails the test where a PE's part of the result is not the
// reference's, bit by bit.
Report runGemv(const Config& config, const GemvShape& shape, const Along& along,
               int softwareCycles) {
  const Eigen::MatrixXf w = test::randomHalves(shape.rows, shape.columns, 1);
  const Eigen::VectorXf v = test::randomHalves(shape.rows, 1, 2);

  Builder builder(config, softwareCycles);
  SramLayout sram;
  const GemvTile tile = taken(gemvTile(config, shape, sram));
  done(gemv(builder, tile, along));
  Mesh mesh = taken(Mesh::make(taken(builder.finish())));
  const bool down = shape.reduce == Axis::kY;  // the sums' direction
  const auto k = [&](int x, int y) { return (down ? y : x) * tile.rows; };
  const auto n = [&](int x, int y) { return (down ? x : y) * tile.columns; };
  const auto partOf = [&](int x, int y) {
    return test::part(w, k(x, y), n(x, y), tile.rows, tile.columns);
  };
  for (int y = 0; y < config.height; ++y) {
    for (int x = 0; x < config.width; ++x) {
      test::writeVector(mesh, x, y, tile.in, test::part(v, k(x, y), 0, tile.rows, 1));
      test::writeMatrix(mesh, x, y, tile.tile, partOf(x, y));
    }
  }
  const Report report = taken(mesh.run());
  for (const Line& line : lines(config, along)) {
    const auto at = [&](int i) {
      return std::pair{line.pe(i) % config.width, line.pe(i) / config.width};
    };
    Eigen::MatrixXf parts(tile.columns, line.count);
    for (int i = 0; i < line.count; ++i) {
      const auto [x, y] = at(i);
      parts.col(i) = test::productOfTile(test::part(v, k(x, y), 0, tile.rows, 1), partOf(x, y));
    }
    const Eigen::VectorXf sum = test::kTreeSum(parts, along.group, Type::F16);
    for (int i = 0; i < line.count; ++i) {
      const auto [x, y] = at(i);
      test::compare(test::readVector(mesh, x, y, tile.out, tile.columns), sum, "GEMV", x, y);
    }
  }
  return report;
}

}  // namespace

class TestGemv : public QObject {
  Q_OBJECT

 private slots:
  void numbersAreThoseOfTheReference() {
    for (auto [width, height] : {std::pair{1, 1}, {4, 4}, {5, 3}, {1, 9}, {8, 16}}) {
      for (auto [rows, columns] : {std::pair{1, 1}, {7, 30}, {64, 64}, {100, 129}}) {
        for (Axis axis : {Axis::kX, Axis::kY}) {
          runGemv(test::meshConfig(width, height), {rows, columns, axis}, {axis, 0, 3}, 0);
        }
      }
    }
  }

  // The segments are like the scores of several heads that lie side by side.
  void segmentsOfALineAreSummedApart() {
    for (int segment : {1, 2, 4, 5, 8}) {
      runGemv(test::meshConfig(8, 4), {64, 30, Axis::kX}, {Axis::kX, segment, 2}, 0);
    }
  }

  // The order of the sums is the only difference to Eigen's own product.
  void theReferenceIsEigensProductUpToRounding() {
    const Eigen::MatrixXf w = test::randomHalves(40, 20, 3);
    const Eigen::VectorXf v = test::randomHalves(40, 1, 4);
    const Eigen::VectorXf bound = (w.cwiseAbs().transpose() * v.cwiseAbs()) * (40 * 0x1p-11f);
    const Eigen::VectorXf off = test::productOfTile(v, w) - w.transpose() * v;
    QVERIFY((off.cwiseAbs().array() <= bound.array()).all());
  }

  // T_gemv + T_allreduce of the profiles, with the issue overhead h given to the tile's rows and
  // what tau has beyond the fabric's 2 T_R + 1 to each message. The profiles count "about" as many
  // stages as there are messages one after another; the middle of a group, and that of the line,
  // get one from either side and handle them in turn, and all get the broadcast: three stages more.
  void gemvTakesTheCyclesOfTheClosedForm() {
    constexpr int kIssue = 22, kTau = 25, kRamp = 2;
    std::printf(
        "\nGEMV, d x d on P x P, groups of g: simulated cycles and closed form\n"
        "| P | d | g | lanes | simulated | closed form | and 3 stages |\n");
    for (int lanes : {4, 8}) {
      for (auto [p, d, g] : {std::tuple{8, 256, 2},
                             {16, 256, 4},
                             {16, 512, 4},
                             {32, 512, 4},
                             {32, 1024, 6},
                             {64, 1024, 8}}) {
        Config config = test::meshConfig(p, p);
        config.lanes = lanes;
        const Report report =
            runGemv(config, {d, d, Axis::kY, kIssue}, {Axis::kY, 0, g}, kTau - 2 * kRamp - 1);
        const int kt = ceilDiv(d, p), nt = ceilDiv(d, p);
        const int gemvCycles = kt * (ceilDiv(nt, lanes) + kIssue);
        const auto allReduceCycles = [=](int stages) {
          return p + kTau * stages + 3 * ceilDiv(nt, 2);
        };
        const int stages = ceilDiv(p, 2 * g) + ceilDiv(g, 2);
        const int closed = gemvCycles + allReduceCycles(stages),
                  counted = gemvCycles + allReduceCycles(stages + 3);
        const auto off = [&](int form) { return static_cast<double>(report.cycles) / form - 1; };
        std::printf("| %d | %d | %d | %d | %d | %d (%+.1f %%) | %d (%+.1f %%) |\n", p, d, g, lanes,
                    static_cast<int>(report.cycles), closed, 100 * off(closed), counted,
                    100 * off(counted));
        QVERIFY2(std::abs(off(counted)) <= 0.04, qPrintable(QString::number(off(counted))));
        QCOMPARE(report.cores.bankConflict, std::uint64_t{0});
      }
    }
  }

  void whatDoesNotFitIsNamed() {
    const Config config = test::meshConfig(2, 2);
    const auto error = [&](const GemvShape& shape) {
      SramLayout sram;
      return test::text(gemvTile(config, shape, sram).error());
    };
    QVERIFY(error({1000, 1000}).contains("500 x 500"));
    QVERIFY(error({0, 5}).contains("rows is 0"));
    QVERIFY(error({2000000000, 5}).contains("rows is 2000000000"));
    Builder builder(config);
    const auto refused = [&](const GemvTile& tile, const Along& along) {
      return test::text(gemv(builder, tile, along).error());
    };
    QVERIFY(refused({.rows = 0, .columns = 1}, {}).contains("rows of a tile is 0"));
    QVERIFY(refused({.rows = 1, .columns = 1}, {Axis::kX, 3}).contains("segment is 3"));
    QVERIFY(refused({.rows = 1, .columns = 1}, {Axis::kX, 0, 0}).contains("group is 0"));
  }
};

QTEST_GUILESS_MAIN(TestGemv)
#include "test_gemv.moc"
