// SPDX-License-Identifier: GPL-3.0-or-later
// Every kernel but products and attention (test_products.cpp, test_attention.cpp) of every
// instruction set against Eigen in double.
#include <QtTest>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "runtime/tensor/kernels.h"

Q_DECLARE_METATYPE(const waferpair::tensor::Kernels*)

namespace waferpair::tensor {

using Eigen::VectorXd;

class TestKernels : public QObject {
  Q_OBJECT

 private slots:
  void quantizedRowsAreWithinHalfAStep_data() { everyTable(); }
  void quantizedRowsAreWithinHalfAStep();
  void twoPlanesAreWithinHalfAFineStep_data() { everyTable(); }
  void twoPlanesAreWithinHalfAFineStep();
  void quantizingSurvivesAnyFloat_data() { everyTable(); }
  void quantizingSurvivesAnyFloat();
  void rmsNormAgreesWithEigen_data() { everyTable(); }
  void rmsNormAgreesWithEigen();
  void ropeTurnsPairs_data() { everyTable(); }
  void ropeTurnsPairs();
  void theDeltaRuleAgreesWithItsFormula_data() { everyTable(); }
  void theDeltaRuleAgreesWithItsFormula();
  void siluMulAgreesWithItsFormula_data() { everyTable(); }
  void siluMulAgreesWithItsFormula();
  void argmaxIsTheFirstOfTheLargest_data() { everyTable(); }
  void argmaxIsTheFirstOfTheLargest();
  void sumExpAgreesWithItsFormula_data() { everyTable(); }
  void sumExpAgreesWithItsFormula();
  void softmaxSumsToOne();
  void tablesAreFoundByName();

 private:
  static void everyTable() {
    QTest::addColumn<const Kernels*>("kernels");
    for (const Kernels* kernels : availableKernels()) QTest::addRow("%s", kernels->name) << kernels;
  }
};

std::vector<float> randomRow(std::mt19937& random, std::size_t size, float deviation = 1) {
  std::normal_distribution<float> normal(0, deviation);
  std::vector<float> row(size);
  for (float& value : row) value = normal(random);
  return row;
}

void TestKernels::quantizedRowsAreWithinHalfAStep() {
  QFETCH(const Kernels*, kernels);
  std::mt19937 random(5);
  auto row = randomRow(random, 256, 3);
  std::fill(row.begin() + 32, row.begin() + 64, 0.0f);
  std::vector<std::int8_t> quants(256);
  std::vector<float> scales(8);
  std::vector<std::int16_t> sums(16);
  kernels->quantize(row.data(), 256, quants.data(), scales.data(), sums.data());
  for (std::size_t i = 0; i < row.size(); ++i) {
    const float step = scales[i / 32];
    QVERIFY(quants[i] >= -127);
    QVERIFY(std::abs(row[i] - step * static_cast<float>(quants[i])) <= 0.5001f * step);
  }
  for (std::size_t g = 0; g < sums.size(); ++g) {
    const auto from = quants.begin() + static_cast<std::ptrdiff_t>(g * kSumGroup);
    QCOMPARE(sums[g], std::accumulate(from, from + kSumGroup, 0));
  }
}

void TestKernels::twoPlanesAreWithinHalfAFineStep() {
  QFETCH(const Kernels*, kernels);
  std::mt19937 random(15);
  auto row = randomRow(random, 256, 3);
  std::fill(row.begin() + 32, row.begin() + 64, 0.0f);
  for (std::size_t i = 64; i < 96; ++i) row[i] = 1 - static_cast<float>(i - 64) / 254;  // halves
  std::vector<std::int8_t> quants(512), coarse(256);
  std::vector<float> scales(8), coarseScales(8);
  std::vector<std::int16_t> sums(32), coarseSums(16);
  kernels->quantizeFinely(row.data(), 256, quants.data(), scales.data(), sums.data());
  kernels->quantize(row.data(), 256, coarse.data(), coarseScales.data(), coarseSums.data());
  QVERIFY(std::equal(coarse.begin(), coarse.end(), quants.begin()));
  QVERIFY(std::equal(coarseSums.begin(), coarseSums.end(), sums.begin()));
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double step = scales[i / 32];
    QVERIFY(quants[256 + i] >= -127);
    // Behind the first rounding a step of F32 is left, of which there are 2^23 in 127.
    const double exact = row[i] / (step > 0 ? step : 1);
    QVERIFY(std::abs(exact - (kFineSteps * quants[i] + quants[256 + i])) <= 0.51);
  }
  for (std::size_t g = 0; g < sums.size(); ++g) {
    const auto from = quants.begin() + static_cast<std::ptrdiff_t>(g * kSumGroup);
    QCOMPARE(sums[g], std::accumulate(from, from + kSumGroup, 0));
  }
}

void TestKernels::quantizingSurvivesAnyFloat() {
  QFETCH(const Kernels*, kernels);
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const float odd : {kInf, -kInf, std::nanf(""), 1e-45f, 3e38f, -3e38f, 1e-31f}) {
    std::vector<float> row(32);
    std::vector<std::int8_t> quants(64);
    float scale = 0;
    std::int16_t sums[4];
    for (const auto quantize : {kernels->quantize, kernels->quantizeFinely}) {
      std::fill(row.begin(), row.end(), 0.5f);
      row[7] = odd;
      quantize(row.data(), 32, quants.data(), &scale, sums);
      if (std::abs(odd) < kInf) QVERIFY(std::isfinite(scale));
      std::fill(row.begin(), row.end(), odd);
      quantize(row.data(), 32, quants.data(), &scale, sums);
    }
  }
}

void TestKernels::rmsNormAgreesWithEigen() {
  QFETCH(const Kernels*, kernels);
  std::mt19937 random(6);
  for (const int n : {1, 7, 8, 64, 321}) {
    const auto x = randomRow(random, static_cast<std::size_t>(n), 4);
    const auto gain = randomRow(random, static_cast<std::size_t>(n));
    std::vector<float> out(static_cast<std::size_t>(n));
    kernels->rmsNorm(x.data(), gain.data(), n, 1e-5f, out.data());
    const VectorXd exact = Eigen::Map<const Eigen::VectorXf>(x.data(), n).cast<double>();
    const double inverse = 1 / std::sqrt(exact.squaredNorm() / n + 1e-5);
    for (int i = 0; i < n; ++i) {
      const double expected = gain[static_cast<std::size_t>(i)] * exact[i] * inverse;
      QVERIFY(std::abs(out[static_cast<std::size_t>(i)] - expected) <=
              1e-6 * std::abs(expected) + 1e-12);
    }
  }
}

void TestKernels::ropeTurnsPairs() {
  QFETCH(const Kernels*, kernels);
  std::mt19937 random(7);
  for (const int n : {2, 6, 8, 14, 64}) {
    auto x = randomRow(random, static_cast<std::size_t>(n) + 1);
    const auto before = x;
    std::vector<float> cosSin(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < cosSin.size(); i += 2) {
      const double angle = 0.7 * static_cast<double>(i) + 0.1;
      cosSin[i] = static_cast<float>(std::cos(angle));
      cosSin[i + 1] = static_cast<float>(std::sin(angle));
    }
    kernels->rope(x.data(), cosSin.data(), n);
    for (std::size_t i = 0; i < cosSin.size(); i += 2) {
      const Eigen::Rotation2Dd turn(std::atan2(cosSin[i + 1], cosSin[i]));
      const Eigen::Vector2d expected = turn * Eigen::Vector2d(before[i], before[i + 1]);
      QVERIFY(std::abs(x[i] - expected[0]) < 1e-6 * expected.norm() + 1e-7);
      QVERIFY(std::abs(x[i + 1] - expected[1]) < 1e-6 * expected.norm() + 1e-7);
    }
    QCOMPARE(x.back(), before.back());
  }
}

// S <- decay S (1 - beta key key^T) + beta value key^T as the paper writes it, values by keys.
void TestKernels::theDeltaRuleAgreesWithItsFormula() {
  QFETCH(const Kernels*, kernels);
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (const int dim : {1, 7, 16, 20, 64, 128}) {
    const auto some = [&] {
      std::vector<float> x(static_cast<std::size_t>(dim));
      for (float& each : x) each = normal(random) / std::sqrt(static_cast<float>(dim));
      return x;
    };
    std::vector<float> state(static_cast<std::size_t>(dim * dim)), added(some()), out(some());
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(dim, dim);
    for (int round = 0; round < 20; ++round) {
      const auto query = some(), key = some(), value = some();
      const float decay = 0.9f + 0.005f * static_cast<float>(round), beta = 0.3f;
      kernels->deltaRule({.dim = dim,
                          .query = query.data(),
                          .key = key.data(),
                          .value = value.data(),
                          .decay = decay,
                          .beta = beta},
                         state.data(), added.data(), out.data());
      const auto vectorOf = [&](const std::vector<float>& x) -> Eigen::VectorXd {
        return Eigen::Map<const Eigen::VectorXf>(x.data(), dim).cast<double>();
      };
      const Eigen::VectorXd k = vectorOf(key);
      expected = double{decay} * expected *
                     (Eigen::MatrixXd::Identity(dim, dim) - double{beta} * k * k.transpose()) +
                 double{beta} * vectorOf(value) * k.transpose();
      QVERIFY((vectorOf(out) - expected * vectorOf(query)).norm() <= 1e-6 * (1 + expected.norm()));
    }
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        QVERIFY(std::abs(double{state[static_cast<std::size_t>(i * dim + j)]} - expected(j, i)) <
                1e-6 * (1 + expected.norm()));
  }
}

void TestKernels::siluMulAgreesWithItsFormula() {
  QFETCH(const Kernels*, kernels);
  std::vector<float> gate, up;
  for (float z = -120; z < 120; z += 0.37f) {
    gate.push_back(z);
    up.push_back(1.5f - z / 100);
  }
  for (const std::size_t n : {std::size_t{3}, gate.size()}) {
    std::vector<float> out(gate.begin(), gate.begin() + static_cast<std::ptrdiff_t>(n));
    kernels->siluMul(out.data(), up.data(), static_cast<int>(n));
    for (std::size_t i = 0; i < n; ++i) {
      const double z = gate[i];
      const double expected = z / (1 + std::exp(-z)) * up[i];
      // Below -87 exp stops growing, where the result is less than 1e-35 anyway.
      QVERIFY(std::abs(out[i] - expected) <= 1e-6 * std::abs(expected) + 1e-34);
    }
  }
}

void TestKernels::argmaxIsTheFirstOfTheLargest() {
  QFETCH(const Kernels*, kernels);
  constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::nanf("");
  const auto argmax = [&](const std::vector<float>& x) {
    return kernels->argmax(x.data(), static_cast<int>(x.size()));
  };
  QCOMPARE(argmax({kNan, 1, kNan, 2, kNan}), 3);
  QCOMPARE(argmax({-kInf, kNan, -kInf}), 0);
  QCOMPARE(argmax({kNan, kNan}), 0);
  QCOMPARE(argmax({-0.0f, 0.0f}), 0);
  QCOMPARE(argmax({kNan, -3e38f, kInf}), 2);
  std::mt19937 random(11);
  for (const std::size_t n : {1, 5, 8, 31, 32, 33, 71, 128, 1000}) {
    auto x = randomRow(random, n);
    for (std::size_t i = 0; i < n; i += 3) x[i] = i % 2 == 0 ? kNan : -kInf;
    for (std::size_t at = 0; at < n; ++at) {  // wherever it is, also twice
      auto with = x;
      with[at] = 100;
      with[std::min(n - 1, at + at % 13)] = 100;
      QCOMPARE(argmax(with), static_cast<int>(at));
    }
  }
}

void TestKernels::sumExpAgreesWithItsFormula() {
  QFETCH(const Kernels*, kernels);
  constexpr float kInf = std::numeric_limits<float>::infinity();
  std::mt19937 random(12);
  for (const std::size_t n : {1, 7, 8, 9, 16, 67, 5000}) {
    auto x = randomRow(random, n, 8);
    const float max = *std::max_element(x.begin(), x.end());
    for (std::size_t i = 0; i < n; ++i) {
      if (x[i] == max) continue;
      if (i % 5 == 0) x[i] = std::nanf("");
      if (i % 5 == 1) x[i] = -kInf;
      if (i % 5 == 2) x[i] = max - 100;
    }
    double expected = 0;
    for (const float value : x) {
      if (value > max - 87) expected += std::exp(static_cast<double>(value) - max);
    }
    const double got = kernels->sumExp(x.data(), static_cast<int>(n), max);
    QVERIFY(std::abs(got - expected) < 1e-6 * expected);
  }
}

void TestKernels::softmaxSumsToOne() {
  std::vector<float> x{1000, 999, -1000, 998.5f};
  softmax(x);
  const double whole = 1 + std::exp(-1.0) + std::exp(-1.5);
  QVERIFY(std::abs(x[0] - 1 / whole) < 1e-6);
  QVERIFY(std::abs(x[1] - std::exp(-1.0) / whole) < 1e-6);
  QCOMPARE(x[2], 0.0f);
  QVERIFY(std::abs(x[0] + x[1] + x[2] + x[3] - 1) < 1e-6);
  softmax(std::span<float>());
}

void TestKernels::tablesAreFoundByName() {
  for (const Kernels* table : availableKernels()) QCOMPARE(*findKernels(table->name), table);
  const auto none = findKernels("avx1024");
  QVERIFY(!none);
  const QString message = QString::fromStdString(none.error().message());
  QVERIFY(message.contains("avx1024") && message.contains("generic"));
}

}  // namespace waferpair::tensor

QTEST_APPLESS_MAIN(waferpair::tensor::TestKernels)
#include "test_kernels.moc"
