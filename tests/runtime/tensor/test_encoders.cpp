// SPDX-License-Identifier: GPL-3.0-or-later
// Tests how near a stored row is to the best that the format could do, found by trying thousands of
// scales with Eigen, and that a row that was stored once comes back.
#include <QtTest>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "runtime/tensor/block_formats.h"
#include "tests/runtime/tensor/random_blocks.h"

namespace waferpair::tensor {

using Eigen::ArrayXd;

// Weights as trained ones are: most small, some far out.
std::vector<float> heavyRow(std::size_t size, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::student_t_distribution<float> values(5);
  std::vector<float> row(size);
  for (float& value : row) value = 0.02f * values(random);
  return row;
}

ArrayXd asArray(const float* values, int n) {
  return Eigen::Map<const Eigen::ArrayXf>(values, n).cast<double>();
}

std::vector<float> there(Format format, std::span<const float> row) {
  std::vector<float> back(row.size());
  dequantizeRow(format, quantizeRow(format, row).data(), back);
  return back;
}

double squaredDistance(const std::vector<float>& a, const std::vector<float>& b) {
  const auto n = static_cast<int>(a.size());
  return (asArray(a.data(), n) - asArray(b.data(), n)).square().sum();
}

// The least squared error of a block with quants from a sorted list, any float as scale.
double leastError(const ArrayXd& block, const std::vector<double>& quants) {
  const double top = block.abs().maxCoeff();
  double best = block.square().sum();
  for (int i = 1; i <= 4000; ++i) {
    for (const double sign : {-1.0, 1.0}) {
      const double inverse = sign * 1.6 * quants.back() * i / 4000 / top;
      const ArrayXd nearest = (block * inverse).unaryExpr([&](double ratio) {
        const auto above = std::lower_bound(quants.begin(), quants.end(), ratio);
        if (above == quants.begin()) return quants.front();
        if (above == quants.end()) return quants.back();
        return *above - ratio < ratio - above[-1] ? *above : above[-1];
      });
      const double squares = nearest.square().sum();
      if (squares == 0) continue;
      best = std::min(best, (block - nearest * ((block * nearest).sum() / squares)).square().sum());
    }
  }
  return best;
}

class TestEncoders : public QObject {
  Q_OBJECT

 private slots:
  void shortBlocksComeNearTheBestScale_data() {
    QTest::addColumn<int>("format");
    for (const Format format : {Format::kQ4_0, Format::kQ5_0, Format::kIQ4_NL, Format::kQ8_0}) {
      QTest::addRow("%s", formatName(format)) << static_cast<int>(format);
    }
  }
  void shortBlocksComeNearTheBestScale() {
    QFETCH(int, format);
    const auto kFormat = static_cast<Format>(format);
    std::vector<double> quants;
    if (kFormat == Format::kIQ4_NL) {
      quants.assign(kIq4Values.begin(), kIq4Values.end());
    } else {
      const int steps = kFormat == Format::kQ4_0 ? 8 : kFormat == Format::kQ5_0 ? 16 : 127;
      for (int q = -steps; q < steps + (steps == 127); ++q) quants.push_back(q);
    }
    const auto row = heavyRow(32 * 40, 3);
    const auto back = there(kFormat, row);
    double ours = 0, best = 0;
    for (std::size_t at = 0; at < row.size(); at += 32) {
      const ArrayXd block = asArray(&row[at], 32);
      ours += (block - asArray(&back[at], 32)).square().sum();
      best += leastError(block, quants);
    }
    // Scales are rounded to F16. Q8_0 is not searched for: 13 % of a step's error are nothing.
    QVERIFY2(ours < best * (kFormat == Format::kQ8_0 ? 1.3 : 1.03),
             qPrintable(QString("%1 times the least").arg(ours / best)));
  }

  // Halves go away from zero, what is no number becomes 0, and nothing leaves the range.
  void bytesAreRoundedAsDefined() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<std::vector<float>> blocks;
    std::mt19937 random(8);
    const auto block = [&](auto&& value) {
      std::vector<float>& values = blocks.emplace_back(32);
      for (std::size_t j = 0; j < 32; ++j) values[j] = value(static_cast<int>(j));
    };
    for (int step = 0; step < 127; ++step) {  // the scale is 1
      const auto half = static_cast<float>(step) + 0.5f;
      block([&](int j) {
        const float near = j % 3 == 0   ? half
                           : j % 3 == 1 ? std::nextafter(half, 0.0f)
                                        : std::nextafter(half, 200.0f);
        return j == 31 ? 127 : j % 2 == 0 ? near : -near;
      });
    }
    for (int i = 0; i < 200; ++i) {
      std::normal_distribution<float> normal(0, std::ldexp(1.0f, i - 150));
      block([&](int) { return normal(random); });
    }
    for (const float odd : {0.0f, -0.0f, std::nanf(""), kInfinity, -kInfinity, 1e-44f, 3e38f}) {
      block([&](int j) { return j == 7 ? odd : static_cast<float>(j) - 9; });
      block([&](int) { return odd; });
    }
    for (const std::vector<float>& values : blocks) {
      float largest = 0;
      for (const float value : values)
        if (std::abs(value) > largest) largest = std::abs(value);
      const float inverse = largest > 0 ? 127 / largest : 0;
      const auto stored = quantizeRow(Format::kQ8_0, values);
      QCOMPARE(stored.size(), std::size_t{34});
      std::uint16_t scale;
      std::memcpy(&scale, stored.data(), sizeof(scale));
      QCOMPARE(scale, toHalf(largest / 127));
      for (std::size_t j = 0; j < 32; ++j) {
        const float ratio = values[j] * inverse;
        const float rounded = std::isnan(ratio) ? 0 : std::clamp(std::round(ratio), -127.f, 127.f);
        QCOMPARE(static_cast<int>(static_cast<std::int8_t>(stored[2 + j])),
                 static_cast<int>(rounded));
      }
    }
  }

  // A search must not be worse than what needs none.
  void searchingBeatsPlainRounding_data() {
    QTest::addColumn<int>("format");
    QTest::addColumn<double>("share");  // of plain rounding's error, root mean square
    QTest::newRow("Q4_0") << static_cast<int>(Format::kQ4_0) << 0.98;
    QTest::newRow("Q4_1") << static_cast<int>(Format::kQ4_1) << 0.93;
    QTest::newRow("Q5_1") << static_cast<int>(Format::kQ5_1) << 0.93;
    QTest::newRow("Q4_K") << static_cast<int>(Format::kQ4_K) << 0.93;
    QTest::newRow("Q2_K") << static_cast<int>(Format::kQ2_K) << 0.95;
  }
  void searchingBeatsPlainRounding() {
    QFETCH(int, format);
    QFETCH(double, share);
    const auto kFormat = static_cast<Format>(format);
    const FormatInfo& info = infoOf(kFormat);
    const auto row = heavyRow(256 * 20, 4);
    const double ours = std::sqrt(squaredDistance(row, there(kFormat, row)));
    // Steps from the least to the largest value of a group, nothing else rounded; around zero from
    // the extreme value.
    double plain = 0;
    for (std::size_t at = 0; at < row.size(); at += static_cast<std::size_t>(info.group)) {
      const ArrayXd group = asArray(&row[at], info.group);
      const double least = info.minimum ? std::min(group.minCoeff(), 0.0) : 0;
      Eigen::Index extreme = 0;
      group.abs().maxCoeff(&extreme);
      const double scale =
          info.minimum ? (group.maxCoeff() - least) / info.most : group[extreme] / -info.offset;
      ArrayXd quants = ((group - least) / scale).round();
      if (!info.minimum) quants = quants.min(info.offset - 1).max(-info.offset);
      plain += (group - least - quants * scale).square().sum();
    }
    QVERIFY2(ours < share * std::sqrt(plain),
             qPrintable(QString("%1 of plain rounding").arg(ours / std::sqrt(plain))));
  }

  // The formats with minimums shared by groups round both numbers of a group again, so that a few
  // values may move a little.
  void whatWasStoredComesBack_data() {
    QTest::addColumn<int>("format");
    for (const Format format : allFormats()) {
      if (!infoOf(format).written()) continue;
      QTest::addRow("%s", formatName(format)) << static_cast<int>(format);
    }
  }
  void whatWasStoredComesBack() {
    QFETCH(int, format);
    const auto kFormat = static_cast<Format>(format);
    const FormatInfo& info = infoOf(kFormat);
    const auto row = heavyRow(256 * 100, 5);
    const auto once = there(kFormat, row), twice = there(kFormat, once);
    const double error = squaredDistance(row, once), moved = squaredDistance(once, twice);
    if (info.scales == Scales::kSuper && info.minimum) {
      QVERIFY2(moved < 0.04 * error, qPrintable(QString::number(moved / error)));
    } else {
      QVERIFY2(once == twice, qPrintable(QString::number(moved / error)));
    }
  }

  // Blocks that other programs write come back, too, if there is no minimum to be rounded anew.
  void blocksOfOthersComeBack() {
    std::mt19937 random(6);
    for (const Format format : {Format::kQ4_0, Format::kQ5_0, Format::kMXFP4}) {
      const auto data = randomRows(format, random, 1, 32 * 200);
      std::vector<float> row(32 * 200);
      dequantizeRow(format, data.data(), row);
      const auto back = there(format, row);
      const double moved = std::sqrt(squaredDistance(row, back));
      const double size = std::sqrt(asArray(row.data(), 32 * 200).square().sum());
      QVERIFY2(moved < 1e-3 * size, formatName(format));
    }
  }
};

}  // namespace waferpair::tensor

QTEST_APPLESS_MAIN(waferpair::tensor::TestEncoders)
#include "test_encoders.moc"
