// SPDX-License-Identifier: GPL-3.0-or-later
// MeshGEMM: the reference's numbers, and cycles against the closed form of the kernel profiles.
#include <QtTest>
#include <cstdio>
#include <set>

#include "runtime/mesh/gemm.h"
#include "runtime/wafer/cost/cost.h"
#include "tests/runtime/mesh/mesh_reference.h"

using namespace waferpair;
using namespace waferpair::mesh;
using test::done;
using test::taken;

namespace {

// The operands of one product, and its result in the stated order of sums.
class Product {
 public:
  Product(const GemmTile& tile, int pes, const GemmShape& shape, unsigned seed)
      : tile_(tile),
        pes_(pes),
        a_(test::randomHalves(shape.m, shape.k, 1)),
        b_(test::randomHalves(shape.k, shape.n, seed)) {}

  void writeLeft(Mesh& mesh) const {
    for (int y = 0; y < pes_; ++y) {
      for (int x = 0; x < pes_; ++x) {
        test::writeMatrix(mesh, x, y, tile_.left[0],
                          left(y, tile_.align ? x : gemmBlock(x, y, pes_)).transpose());
      }
    }
  }
  void writeRight(Mesh& mesh) const {
    for (int y = 0; y < pes_; ++y) {
      for (int x = 0; x < pes_; ++x) test::writeVector(mesh, x, y, tile_.right[0], rightOf(x, y));
    }
  }

  // Fails the test where C differs, or B is not back at its place.
  void check(const Mesh& mesh) const {
    for (int y = 0; y < pes_; ++y) {
      for (int x = 0; x < pes_; ++x) {
        Eigen::MatrixXf c = Eigen::MatrixXf::Zero(tile_.rows, tile_.columns);
        for (int step = 0; step < pes_; ++step) {
          const int block =
              ringPlace((ringIndex(x, pes_) + ringIndex(y, pes_) + step) % pes_, pes_);
          const Eigen::MatrixXf a = left(y, block), b = right(x, block);
          for (int k = 0; k < tile_.inner; ++k) {
            for (int n = 0; n < tile_.columns; ++n) {
              for (int m = 0; m < tile_.rows; ++m) {
                c(m, n) = test::fmacHalf(a(m, k), b(k, n), c(m, n));
              }
            }
          }
        }
        for (int n = 0; n < tile_.columns; ++n) {
          const auto at = tile_.out.address + static_cast<std::uint32_t>(n) * tile_.out.pitch;
          test::compare(test::readVector(mesh, x, y, at, tile_.rows), c.col(n), "GEMM", x, y);
        }
        const Eigen::VectorXf b = rightOf(x, y);
        test::compare(test::readVector(mesh, x, y, tile_.right[0], b.size()), b, "B", x, y);
      }
    }
  }

  // The order of the sums is the only difference to Eigen's own product.
  float farthestFromEigens(const Mesh& mesh) const {
    const Eigen::MatrixXf exact = a_ * b_;
    const Eigen::MatrixXf bound = a_.cwiseAbs() * b_.cwiseAbs();
    float farthest = 0;
    for (int m = 0; m < exact.rows(); ++m) {
      for (int n = 0; n < exact.cols(); ++n) {
        const auto at = tile_.out.address +
                        static_cast<std::uint32_t>(n % tile_.columns) * tile_.out.pitch +
                        static_cast<std::uint32_t>(2 * (m % tile_.rows));
        const float got = test::readVector(mesh, n / tile_.columns, m / tile_.rows, at, 1)[0];
        farthest = std::max(farthest, std::abs(got - exact(m, n)) / bound(m, n));
      }
    }
    return farthest;
  }

 private:
  Eigen::MatrixXf left(int y, int block) const {
    return test::part(a_, y * tile_.rows, block * tile_.inner, tile_.rows, tile_.inner);
  }
  Eigen::MatrixXf right(int x, int block) const {
    return test::part(b_, block * tile_.inner, x * tile_.columns, tile_.inner, tile_.columns);
  }
  Eigen::VectorXf rightOf(int x, int y) const {
    const Eigen::MatrixXf rows = right(x, gemmBlock(x, y, pes_)).transpose();  // row after row
    return Eigen::Map<const Eigen::VectorXf>(rows.data(), rows.size());
  }

  const GemmTile tile_;
  const int pes_;
  const Eigen::MatrixXf a_, b_;
};

GemmTile tileFor(const Config& config, const GemmShape& shape) {
  SramLayout sram;
  return taken(gemmTile(config, shape, sram));
}

}  // namespace

class TestGemm : public QObject {
  Q_OBJECT

 private slots:
  void theRingGoesRoundInStepsOfTwo() {
    for (int pes : {1, 2, 3, 4, 7, 8, 33}) {
      std::set<int> places;
      for (int i = 0; i < pes; ++i) {
        const int place = ringPlace(i, pes);
        places.insert(place);
        QCOMPARE(ringIndex(place, pes), i);
        QVERIFY(std::abs(place - ringPlace((i + 1) % pes, pes)) <= 2);
      }
      QCOMPARE(static_cast<int>(places.size()), pes);
      QCOMPARE(*places.rbegin(), pes - 1);
    }
  }

  void numbersAreThoseOfTheReference() {
    for (int pes : {1, 2, 3, 4, 5, 8}) {
      for (const GemmShape& shape :
           {GemmShape{1, 1, 1}, {pes * 3, pes * 2, pes * 5}, {40, 30, 20}}) {
        for (bool align : {true, false}) {
          const Config config = test::meshConfig(pes, pes);
          GemmTile tile = tileFor(config, shape);
          tile.align = align;
          Builder builder(config);
          done(gemm(builder, tile));
          Mesh mesh = taken(Mesh::make(taken(builder.finish())));
          const Product product(tile, pes, shape, 2);
          product.writeLeft(mesh);
          product.writeRight(mesh);
          taken(mesh.run());
          product.check(mesh);
          QVERIFY(product.farthestFromEigens(mesh) <= static_cast<float>(shape.k) * 0x1p-11f);
        }
      }
    }
  }

  // The products are like q, k and v: three of the same A, which is skewed once.
  void productsShareASkewedOperand() {
    for (int pes : {4, 5}) {
      const Config config = test::meshConfig(pes, pes);
      const GemmShape shape{4 * pes, 6 * pes, 8 * pes};
      SramLayout sram;
      GemmTile first = taken(gemmTile(config, shape, sram)), second = first;
      for (std::uint32_t& right : second.right) right = sram.vector(6 * 8).address;
      second.out.address = sram.vector(8 * second.out.pitch / 2).address;
      second.align = false;
      Builder builder(config);
      done(gemm(builder, first));
      done(gemm(builder, second));
      Mesh mesh = taken(Mesh::make(taken(builder.finish())));
      const Product one(first, pes, shape, 2), two(second, pes, shape, 3);
      one.writeLeft(mesh);
      one.writeRight(mesh);
      two.writeRight(mesh);
      taken(mesh.run());
      one.check(mesh);
      two.check(mesh);
    }
  }

  // The closed form of the cost model with the profile's constants, h' rounded to a whole cycle.
  // The fabric itself takes two cycles a wavelet, the rest of w is charged as software.
  void cyclesAreThoseOfTheClosedForm() {
    const wafer::Machine machine = taken(wafer::findMachine("wse3"));
    const wafer::PrefillConstants published = taken(wafer::findProfile("waferllm-2025")).prefill;
    std::printf(
        "\n| P | tiles m x k x n | lanes | simulated | closed form | no software: simulated | "
        "closed "
        "form |\n|---|---|---|---|---|---|---|\n");
    for (int lanes : {4, 8}) {
      for (auto [pes, m, k, n] : {std::tuple{4, 32, 16, 16},
                                  {8, 8, 8, 8},
                                  {8, 32, 8, 16},
                                  {8, 2, 16, 16},
                                  {8, 64, 4, 4},
                                  {16, 4, 4, 4},
                                  {16, 16, 8, 8},
                                  {32, 16, 4, 4},
                                  {32, 4, 4, 4}}) {
        const GemmShape shape{m * pes, k * pes, n * pes};
        const auto cycles = [&, pes = pes](const wafer::PrefillConstants& c) {
          Config config = test::meshConfig(pes, pes);
          config.lanes = c.lanes;
          GemmTile tile = tileFor(config, shape);
          tile.issueCycles = static_cast<int>(c.issue);
          tile.stepCycles = c.step;
          tile.waveletCycles = c.perWavelet - 2;
          Builder builder(config);
          done(gemm(builder, tile));
          Mesh mesh = taken(Mesh::make(taken(builder.finish())));
          const auto simulated = static_cast<double>(taken(mesh.run()).cycles);
          wafer::Profile profile;
          profile.prefill = c;
          const double closed =
              wafer::CostModel(machine, profile)
                  .gemm({.k = shape.k, .n = shape.n, .align = true}, shape.m, 0, {pes, pes})
                  .total();
          return std::pair{simulated, closed};
        };
        const auto [simulated, closed] =
            cycles({lanes, std::round(published.issue), published.step, published.perWavelet});
        const auto [bare, bareClosed] = cycles({lanes, 0, 0, 2});
        std::printf(
            "| %d | %d x %d x %d | %d | %.0f | %.0f (%+.1f %%) | %.0f | %.0f (%+.1f %%) |\n", pes,
            m, k, n, lanes, simulated, closed, 100 * (simulated / closed - 1), bare, bareClosed,
            100 * (bare / bareClosed - 1));
        QVERIFY2(std::abs(simulated / closed - 1) <= 0.1, qPrintable(QString::number(simulated)));
      }
    }
  }

  void whatDoesNotFitIsNamed() {
    const auto error = [&](int width, int height, const GemmShape& shape) {
      SramLayout sram;
      return test::text(gemmTile(test::meshConfig(width, height), shape, sram).error());
    };
    QVERIFY(error(2, 2, {0, 1, 1}).contains("m is 0"));
    QVERIFY(error(2, 2, {400, 400, 400}).contains("200 x 200"));
    Builder builder(test::meshConfig(2, 3));
    QVERIFY(test::text(gemm(builder, {.rows = 1, .inner = 1, .columns = 1}).error())
                .contains("height of the region is 3"));
    QVERIFY(test::text(gemm(builder, {}).error()).contains("rows of a tile is 0"));
  }
};

QTEST_GUILESS_MAIN(TestGemm)
#include "test_gemm.moc"
