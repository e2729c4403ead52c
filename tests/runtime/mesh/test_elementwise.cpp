// SPDX-License-Identifier: GPL-3.0-or-later
// Tests the kernels that every PE runs on its own against the reference's numbers, bit by bit.
#include <QtTest>
#include <cmath>
#include <functional>

#include "runtime/mesh/elementwise.h"
#include "tests/runtime/mesh/mesh_reference.h"

using namespace waferpair;
using namespace waferpair::mesh;
using test::done;
using test::taken;

namespace {

Mesh meshOf(const std::function<base::Result<void>(Builder&)>& op) {
  Builder builder(test::meshConfig(2, 1));
  done(op(builder));
  return taken(Mesh::make(taken(builder.finish())));
}

}  // namespace

class TestElementwise : public QObject {
  Q_OBJECT

 private slots:
  void sumsAreRoundedOnce() {
    for (int length : {1, 3, 8, 100}) {
      SramLayout sram;
      const Span to = sram.vector(length), of = sram.vector(length);
      Mesh mesh = meshOf([&](Builder& builder) { return add(builder, to, of); });
      const Eigen::VectorXf a = test::randomHalves(length, 1, 1),
                            b = test::randomHalves(length, 1, 2);
      test::writeVector(mesh, 1, 0, to.address, a);
      test::writeVector(mesh, 1, 0, of.address, b);
      taken(mesh.run());
      test::compare(test::readVector(mesh, 1, 0, to), test::sum(a, b), "Sum", 1, 0);
    }
  }

  void siluIsThatOfTheReference() {
    for (int length : {1, 5, 64}) {
      SramLayout sram;
      const Span gate = sram.vector(length), up = sram.vector(length);
      const Span work = sram.vector(length, Type::F32);
      Mesh mesh = meshOf([&](Builder& builder) {
        return siluMul(builder, {length, gate.address, up.address, work.address});
      });
      Eigen::VectorXf g = test::randomHalves(length, 1, 3, 6);
      g[0] = -200;  // its exponential is beyond FP32
      const Eigen::VectorXf u = test::randomHalves(length, 1, 4);
      test::writeVector(mesh, 0, 0, gate.address, g);
      test::writeVector(mesh, 0, 0, up.address, u);
      taken(mesh.run());
      const Eigen::VectorXf got = test::readVector(mesh, 0, 0, gate);
      test::compare(got, test::siluMul(g, u), "SiLU", 0, 0);
      const Eigen::ArrayXf exact = g.array() / (1 + (-g.array()).exp()) * u.array();
      QVERIFY(((got.array() - exact).abs() <= exact.abs() * 0x1p-10f + 0x1p-24f).all());
    }
  }

  void pairsTurn() {
    for (auto [vectors, pairs] : {std::pair{1, 1}, {1, 8}, {3, 5}, {4, 16}}) {
      SramLayout sram;
      const Span at = sram.vector(2 * vectors * pairs);
      const Span cosines = sram.vector(pairs), sines = sram.vector(pairs);
      const Span work = sram.vector(3 * vectors * pairs, Type::F32);
      Mesh mesh = meshOf([&, vectors = vectors, pairs = pairs](Builder& builder) {
        return rope(builder,
                    {vectors, pairs, at.address, cosines.address, sines.address, work.address});
      });
      const Eigen::ArrayXf angles = Eigen::ArrayXf::LinSpaced(pairs, 0, 3);
      const Eigen::VectorXf c = angles.cos().unaryExpr([](float v) { return test::roundHalf(v); });
      const Eigen::VectorXf s = angles.sin().unaryExpr([](float v) { return test::roundHalf(v); });
      const Eigen::VectorXf before = test::randomHalves(2 * vectors * pairs, 1, 5);
      test::writeVector(mesh, 0, 0, at.address, before);
      test::writeVector(mesh, 0, 0, cosines.address, c);
      test::writeVector(mesh, 0, 0, sines.address, s);
      taken(mesh.run());
      const Eigen::VectorXf got = test::readVector(mesh, 0, 0, at);
      test::compare(got, test::rope(before, c, s), "Rotary positions", 0, 0);
      // Turning keeps lengths, but for the rounding of angles and results.
      for (Eigen::Index i = 0; i < got.size(); i += 2) {
        const float length = before.segment(i, 2).norm();
        QVERIFY(std::abs(got.segment(i, 2).norm() - length) <= length * 0x1p-9f);
      }
    }
  }

  void whatMakesNoSenseIsNamed() {
    Builder builder(test::meshConfig(1, 1));
    QVERIFY(test::text(add(builder, {0, 0}, {0, 0}).error()).contains("length is 0"));
    QVERIFY(test::text(add(builder, {0, 4}, {8, 5}).error()).contains("length of both is 5"));
    QVERIFY(test::text(siluMul(builder, {}).error()).contains("length is 0"));
    QVERIFY(test::text(rope(builder, {}).error()).contains("pairs is 0"));
    QVERIFY(test::text(rope(builder, {.vectors = 0, .pairs = 1}).error()).contains("vectors is 0"));
  }
};

QTEST_GUILESS_MAIN(TestElementwise)
#include "test_elementwise.moc"
