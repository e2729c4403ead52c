// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels on the mesh: Eigen's numbers, and cycles against the closed forms of the kernel profiles.
#include <Eigen/Core>
#include <QtTest>
#include <cstdio>
#include <random>

#include "runtime/mesh/kernels.h"
#include "tests/runtime/mesh/mesh_fixtures.h"

using namespace waferpair;
using namespace waferpair::mesh;
using test::done;
using test::taken;

namespace {

int ceilDiv(int a, int b) { return (a + b - 1) / b; }

struct Outcome {
  Report report;
  GemvLayout layout;
};

// Multiplies on the mesh, and fails the test where a PE's part of the result is not Eigen's.
Outcome runGemv(const Config& config, const GemvShape& shape, int softwareCycles) {
  std::mt19937 random(static_cast<unsigned>(shape.rows * 1000 + shape.columns));
  // Small integers: exact in FP16 in any order, as no sum goes beyond 2048.
  const auto integer = [&](int most) {
    return static_cast<float>(int(random() % (2 * most + 1)) - most);
  };
  const Eigen::MatrixXf w =
      Eigen::MatrixXf::NullaryExpr(shape.rows, shape.columns, [&] { return integer(2); });
  const Eigen::VectorXf v = Eigen::VectorXf::NullaryExpr(shape.rows, [&] { return integer(1); });
  const Eigen::VectorXf expected = w.transpose() * v;

  Builder builder(config, softwareCycles);
  const GemvLayout layout = taken(gemv(builder, shape));
  Mesh mesh = taken(Mesh::make(taken(builder.finish())));
  for (int y = 0; y < config.height; ++y) {
    for (int x = 0; x < config.width; ++x) {
      for (int k = 0; k < layout.kt && y * layout.kt + k < shape.rows; ++k) {
        const int row = y * layout.kt + k;
        done(mesh.writeHalves(x, y, layout.in + 2 * k, std::vector<float>{v[row]}));
        std::vector<float> tile;
        for (int n = 0; n < layout.nt && x * layout.nt + n < shape.columns; ++n) {
          tile.push_back(w(row, x * layout.nt + n));
        }
        done(mesh.writeHalves(x, y, layout.tile + layout.pitch * k, tile));
      }
    }
  }
  const Outcome outcome{taken(mesh.run()), layout};
  for (int y = 0; y < config.height; ++y) {
    for (int x = 0; x < config.width; ++x) {
      const auto got = taken(mesh.readHalves(x, y, layout.out, layout.nt));
      for (int n = 0; n < layout.nt; ++n) {
        const int column = x * layout.nt + n;
        const float want = column < shape.columns ? expected[column] : 0;
        if (got[n] != want) qFatal("PE (%d, %d), element %d: %g, not %g", x, y, n, got[n], want);
      }
    }
  }
  return outcome;
}

}  // namespace

class TestKernels : public QObject {
  Q_OBJECT

 private slots:
  void gemvGivesEigensNumbers() {
    for (auto [width, height] : {std::pair{1, 1}, {4, 4}, {5, 3}, {1, 9}, {8, 16}}) {
      for (auto [rows, columns] : {std::pair{1, 1}, {7, 30}, {64, 64}, {100, 129}}) {
        runGemv(test::meshConfig(width, height), {rows, columns, 0, 3}, 0);
      }
    }
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
        const auto [report, layout] = runGemv(config, {d, d, kIssue, g}, kTau - 2 * kRamp - 1);
        const int kt = ceilDiv(d, p), nt = ceilDiv(d, p);
        const int gemvCycles = kt * (ceilDiv(nt, lanes) + kIssue);
        const auto allReduce = [=, nt = nt](int stages) {
          return p + kTau * stages + 3 * ceilDiv(nt, 2);
        };
        const int stages = ceilDiv(p, 2 * g) + ceilDiv(g, 2);
        const int closed = gemvCycles + allReduce(stages),
                  counted = gemvCycles + allReduce(stages + 3);
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
    Builder builder(test::meshConfig(2, 2));
    QVERIFY(test::text(gemv(builder, {1000, 1000}).error()).contains("500 x 500"));
    QVERIFY(test::text(gemv(builder, {0, 5}).error()).contains("rows 0"));
    QVERIFY(test::text(gemv(builder, {2000000000, 5}).error()).contains("rows 2000000000"));
  }
};

QTEST_GUILESS_MAIN(TestKernels)
#include "test_kernels.moc"
