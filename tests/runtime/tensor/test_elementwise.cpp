// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic that only some architectures have, against Eigen in double.
#include <QtTest>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "runtime/tensor/elementwise.h"

namespace waferpair::tensor {

using Eigen::VectorXd;

std::vector<float> randomFloats(int n, std::uint32_t seed, float deviation = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.3f, deviation);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& value : values) value = normal(random);
  return values;
}

VectorXd asDouble(const std::vector<float>& v) {
  return Eigen::Map<const Eigen::VectorXf>(v.data(), static_cast<Eigen::Index>(v.size()))
      .cast<double>();
}

double gelu(double z) {
  return 0.5 * z * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (z + 0.044715 * z * z * z)));
}

class TestElementwise : public QObject {
  Q_OBJECT

 private slots:
  void layerNormTakesTheMeanAway() {
    for (const int n : {1, 7, 64, 1001}) {
      const auto x = randomFloats(n, 1, 3), gain = randomFloats(n, 2), bias = randomFloats(n, 3);
      std::vector<float> out(x.size());
      layerNorm(x.data(), gain.data(), bias.data(), n, 1e-5f, out.data());
      VectorXd want = asDouble(x);
      want.array() -= want.mean();
      want /= std::sqrt(want.squaredNorm() / n + 1e-5);
      want = want.cwiseProduct(asDouble(gain)) + asDouble(bias);
      QVERIFY((asDouble(out) - want).norm() < 1e-5 * (1 + want.norm()));
    }
  }

  void sumsAndFactors() {
    const auto x = randomFloats(101, 4), y = randomFloats(101, 5);
    auto sum = x, scaled = x, both = x;
    add(sum.data(), y.data(), 100);
    scale(scaled.data(), 2.5f, 100);
    addScaled(both.data(), y.data(), -0.5f, 100);
    for (std::size_t i = 0; i < 100; ++i) {
      QCOMPARE(sum[i], x[i] + y[i]);
      QCOMPARE(scaled[i], x[i] * 2.5f);
      QVERIFY(std::abs(both[i] - (x[i] - 0.5f * y[i])) < 1e-6f);
    }
    QVERIFY(sum[100] == x[100] && scaled[100] == x[100] && both[100] == x[100]);
  }

  void geluFollowsItsFormulaToTheEnds() {
    std::vector<float> z{-1e30f, -100, -9, -5, -1, -1e-4f, 0, 1e-4f, 0.5f, 1, 5, 9, 100, 1e30f};
    auto alone = z, gated = z;
    const std::vector<float> up(z.size(), -2.0f);
    tensor::gelu(alone.data(), static_cast<int>(z.size()));
    geluMul(gated.data(), up.data(), static_cast<int>(z.size()));
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double want = std::abs(z[i]) > 1e3f ? std::max(0.0, double(z[i])) : gelu(z[i]);
      QVERIFY(std::abs(alone[i] - want) <= 1e-6 * (1 + std::abs(want)));
      QVERIFY(std::abs(gated[i] + 2 * want) <= 2e-6 * (1 + std::abs(want)));
    }
  }

  void softCapsBound() {
    std::vector<float> x{-1e30f, -60, -1, 0, 1e-3f, 3, 60, 1e30f};
    const auto before = x;
    softCap(x.data(), 30, static_cast<int>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      QVERIFY(std::abs(x[i] - 30 * std::tanh(double(before[i]) / 30)) < 1e-5);
    }
  }

  void clampedSiluFollowsItsFormulaBeyondTheLimits() {
    const std::vector<float> z{-1e30f, -50, -7.5f, -7, -2, -1e-3f, 0, 0.3f, 2, 7, 7.5f, 50, 1e30f};
    for (const float up : z) {
      auto gate = z;
      const std::vector<float> ups(z.size(), up);
      clampedSiluMul(gate.data(), ups.data(), static_cast<int>(z.size()));
      for (std::size_t i = 0; i < z.size(); ++i) {
        const double g = z[i] < 7 ? z[i] : 7, u = up < -7 ? -7 : up > 7 ? 7 : up;
        const double want = g / (1 + std::exp(-1.702 * g)) * (u + 1);
        QVERIFY(std::abs(gate[i] - want) <= 2e-6 * (1 + std::abs(want)));
      }
    }
  }
};

}  // namespace waferpair::tensor

QTEST_APPLESS_MAIN(waferpair::tensor::TestElementwise)
#include "test_elementwise.moc"
