// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "runtime/tensor/block_formats.h"
#include "runtime/tensor/kernels.h"
#include "runtime/tensor/packed_matrix.h"

namespace waferpair::tensor {

class TestBlockFormats : public QObject {
  Q_OBJECT

 private slots:
  void everyHalfSurvivesTheWayThroughFloat();
  void halvesAgreeWithTheProcessor();
  void floatsRoundToTheNearestHalf();
  void quantizedRowsAreCloseToTheirValues_data();
  void quantizedRowsAreCloseToTheirValues();
  void rowsThatAreNoWholeBlocksHaveNoSize();
  void packingRefusesTheWrongSize();
  void packingTakesTheValueNoQuantizerWrites();
  void panelSharesCoverEveryPanelOnce();
};

void TestBlockFormats::everyHalfSurvivesTheWayThroughFloat() {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<Half>(bits);
    const float value = toFloat(half);
    if (std::isnan(value)) {
      QVERIFY(std::isnan(toFloat(toHalf(value))));
    } else if (toHalf(value) != half) {
      QFAIL(qPrintable(QString("half %1 came back as %2").arg(bits).arg(toHalf(value))));
    }
  }
}

// The generic conversions are ours, those of other tables the processor's.
void TestBlockFormats::halvesAgreeWithTheProcessor() {
  std::mt19937 random(1);
  std::uniform_int_distribution<std::uint32_t> bits;
  std::vector<float> values(100000);
  for (float& value : values) {
    const std::uint32_t pattern = bits(random);
    std::memcpy(&value, &pattern, sizeof(value));
    if (std::isnan(value)) value = 0;
  }
  const auto n = static_cast<int>(values.size());
  std::vector<Half> expected(values.size()), got(values.size());
  availableKernels().front()->toHalves(values.data(), n, expected.data());
  std::vector<float> wide(values.size()), gotWide(values.size());
  availableKernels().front()->toFloats(expected.data(), n, wide.data());
  for (const Kernels* kernels : availableKernels()) {
    kernels->toHalves(values.data(), n, got.data());
    QVERIFY2(got == expected, kernels->name);
    kernels->toFloats(expected.data(), n, gotWide.data());
    QVERIFY2(gotWide == wide, kernels->name);
  }
}

void TestBlockFormats::floatsRoundToTheNearestHalf() {
  QCOMPARE(toHalf(1.0f), Half{0x3c00});
  QCOMPARE(toHalf(-2.0f), Half{0xc000});
  QCOMPARE(toHalf(65504.0f), Half{0x7bff});  // the largest
  QCOMPARE(toHalf(65519.9f), Half{0x7bff});
  QCOMPARE(toHalf(65520.0f), Half{0x7c00});         // halfway to 65536: even is infinity
  QCOMPARE(toHalf(1.0f + 0x1p-11f), Half{0x3c00});  // halfway: to even
  QCOMPARE(toHalf(1.0f + 3 * 0x1p-11f), Half{0x3c02});
  QCOMPARE(toHalf(0x1p-24f), Half{0x0001});  // the smallest
  QCOMPARE(toHalf(0x1p-25f), Half{0x0000});  // halfway to zero: to even
  QCOMPARE(toHalf(-0.0f), Half{0x8000});
  QCOMPARE(toHalf(std::numeric_limits<float>::infinity()), Half{0x7c00});
}

void TestBlockFormats::quantizedRowsAreCloseToTheirValues_data() {
  QTest::addColumn<int>("format");
  QTest::addColumn<double>("relative");  // of the largest value in a block
  QTest::addRow("F32") << static_cast<int>(Format::kF32) << 0.0;
  QTest::addRow("F16") << static_cast<int>(Format::kF16) << 0x1p-11;
  // Half a step of 1/127, and the rounding of the scale to F16 times 127 steps.
  QTest::addRow("Q8_0") << static_cast<int>(Format::kQ8_0) << 0.5 / 127 + 0x1p-11;
}

void TestBlockFormats::quantizedRowsAreCloseToTheirValues() {
  QFETCH(int, format);
  QFETCH(double, relative);
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  std::vector<float> row(320), back(320);
  for (float& value : row) value = normal(random);
  std::fill(row.begin() + 64, row.begin() + 96, 0.0f);  // a block of zeros
  const auto bytes = quantizeRow(static_cast<Format>(format), row);
  QCOMPARE(bytes.size(), rowBytes(static_cast<Format>(format), 320));
  dequantizeRow(static_cast<Format>(format), bytes.data(), back);
  for (std::size_t i = 0; i < row.size(); ++i) {
    float largest = 0;
    for (std::size_t j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
      largest = std::max(largest, std::abs(row[j]));
    }
    QVERIFY(std::abs(static_cast<double>(row[i]) - back[i]) <= relative * largest);
  }
}

void TestBlockFormats::rowsThatAreNoWholeBlocksHaveNoSize() {
  QCOMPARE(rowBytes(Format::kQ8_0, 33), std::size_t{0});
  QCOMPARE(rowBytes(Format::kQ8_0, 64), std::size_t{68});
  QCOMPARE(rowBytes(Format::kF16, 33), std::size_t{66});
  QCOMPARE(rowBytes(Format::kF32, 0), std::size_t{0});
  QVERIFY(quantizeRow(Format::kQ8_0, std::vector<float>(33)).empty());
}

void TestBlockFormats::packingRefusesTheWrongSize() {
  const std::vector<std::byte> data(4 * 68);
  QVERIFY(PackedMatrix::pack("w", Format::kQ8_0, 4, 64, data).has_value());
  for (const auto& [rows, cols] :
       {std::pair{3, 64}, {5, 64}, {4, 32}, {4, 63}, {0, 64}, {4, -64}}) {
    const auto packed =
        PackedMatrix::pack("model.gguf: blk.0.attn_q.weight", Format::kQ8_0, rows, cols, data);
    QVERIFY(!packed.has_value());
    QVERIFY(packed.error().what.find("blk.0.attn_q.weight") != std::string::npos);
  }
}

void TestBlockFormats::packingTakesTheValueNoQuantizerWrites() {
  BlockQ8 block{.scale = toHalf(1), .quants = {}};
  for (std::int8_t& quant : block.quants) quant = -128;
  std::vector<std::byte> data(sizeof(block));
  std::memcpy(data.data(), &block, sizeof(block));
  const auto packed = PackedMatrix::pack("w", Format::kQ8_0, 1, 32, data);
  QVERIFY(packed.has_value());
  const std::vector<float> x(32, 1.0f);
  std::vector<std::int8_t> quants(32);
  float scale = 0, out = 0;
  for (const Kernels* kernels : availableKernels()) {
    kernels->quantize(x.data(), 32, quants.data(), &scale);
    const Rows rows{
        .count = 1, .cols = 32, .values = x.data(), .quants = quants.data(), .scales = &scale};
    kernels->matmul(*packed, {0, 1}, rows, &out, 1, false);
    QVERIFY2(std::abs(out + 127 * 32) < 0.01, kernels->name);
  }
}

void TestBlockFormats::panelSharesCoverEveryPanelOnce() {
  for (const int rows : {1, 8, 9, 64, 1000}) {
    const std::vector<std::byte> data(static_cast<std::size_t>(rows) * 4);
    const auto packed = PackedMatrix::pack("w", Format::kF32, rows, 1, data);
    QVERIFY(packed.has_value());
    for (const int threads : {1, 2, 3, 7}) {
      int next = 0;
      for (int thread = 0; thread < threads; ++thread) {
        const PanelRange share = panelShare(*packed, thread, threads);
        QCOMPARE(share.first, next);
        QVERIFY(share.last >= share.first);
        next = share.last;
      }
      QCOMPARE(next, packed->panels());
    }
  }
}

}  // namespace waferpair::tensor

QTEST_APPLESS_MAIN(waferpair::tensor::TestBlockFormats)
#include "test_block_formats.moc"
