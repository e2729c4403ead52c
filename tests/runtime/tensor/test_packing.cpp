// SPDX-License-Identifier: GPL-3.0-or-later
// A packed matrix has the values of the file, whatever the format, the order and the threads.
#include <QtTest>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "runtime/tensor/block_formats.h"
#include "runtime/tensor/blocks.h"
#include "runtime/tensor/kernels.h"
#include "runtime/tensor/packed_matrix.h"
#include "tests/runtime/tensor/random_blocks.h"

namespace waferpair::tensor {

class TestPacking : public QObject {
  Q_OBJECT

 private slots:
  void packedRowsAreTheFilesValues_data() { everyFormat(); }
  void packedRowsAreTheFilesValues();
  void aFactorIsOfAllValues_data() { everyFormat(); }
  void aFactorIsOfAllValues();
  void rowsComeInTheOrderAskedFor_data() { everyFormat(); }
  void rowsComeInTheOrderAskedFor();
  void packingRefusesTheWrongSize_data() { everyFormat(); }
  void packingRefusesTheWrongSize();
  void packingTakesTheValueNoQuantizerWrites();
  void panelSharesCoverEveryPanelOnce();

 private:
  static void everyFormat() {
    QTest::addColumn<int>("format");
    for (const Format format : allFormats()) {
      QTest::addRow("%s", formatName(format)) << static_cast<int>(format);
    }
  }
};

void TestPacking::packedRowsAreTheFilesValues() {
  QFETCH(int, format);
  const auto kFormat = static_cast<Format>(format);
  std::mt19937 random(12);
  for (const auto& [rows, blocks] : {std::pair{1, 1}, {13, 3}, {16, 8}}) {
    const int cols = blocks * std::max(infoOf(kFormat).block, 11);
    const auto data = randomRows(kFormat, random, rows, cols);
    const auto packed = PackedMatrix::pack("w", kFormat, rows, cols, data);
    QVERIFY(packed.has_value());
    std::vector<float> expected(static_cast<std::size_t>(cols)), got(expected.size());
    for (int r = 0; r < rows; ++r) {
      dequantizeRow(kFormat, data.data() + static_cast<std::size_t>(r) * rowBytes(kFormat, cols),
                    expected);
      packed->row(r, got);
      QCOMPARE(got, expected);
    }
    QCOMPARE(packed->bytes(),
             packedBytes(kFormat, static_cast<std::size_t>(packed->panels() * kPanel * cols)));
    // Four-bit formats stay so in memory: 4.3 to 5 bits a weight with what belongs to a group.
    const double bits = 8.0 * static_cast<double>(packed->bytes()) / packed->panels() / 8 / cols;
    if (infoOf(kFormat).most <= 15 && infoOf(kFormat).quants != Quants::kUnsigned &&
        infoOf(kFormat).quants != Quants::kNone) {
      QVERIFY2(bits >= 4.3 && bits <= 5, qPrintable(QString::number(bits)));
    }
  }
}

// The factor of a matrix is of its values, and of what they are multiplied with.
void TestPacking::aFactorIsOfAllValues() {
  QFETCH(int, format);
  const auto kFormat = static_cast<Format>(format);
  std::mt19937 random(14);
  const int rows = 11, cols = std::max(infoOf(kFormat).block, 11);
  const auto data = randomRows(kFormat, random, rows, cols);
  const auto plain = PackedMatrix::pack("w", kFormat, rows, cols, data);
  const auto packed = PackedMatrix::pack("w", kFormat, rows, cols, data, {.factor = -0.375f});
  QVERIFY(plain.has_value() && packed.has_value());
  std::vector<float> expected(static_cast<std::size_t>(cols)), got(expected.size());
  for (int r = 0; r < rows; ++r) {
    plain->row(r, expected);
    for (float& value : expected) value *= -0.375f;
    packed->row(r, got);
    QCOMPARE(got, expected);
  }
}

// As heads whose pairs are halves apart are read, and by several threads.
void TestPacking::rowsComeInTheOrderAskedFor() {
  QFETCH(int, format);
  const auto kFormat = static_cast<Format>(format);
  std::mt19937 random(13);
  const int rows = 264, cols = 2 * std::max(infoOf(kFormat).block, 11);
  const auto data = randomRows(kFormat, random, rows, cols);
  const std::size_t row = rowBytes(kFormat, cols);
  std::vector<int> from(rows - 8);  // but for the last head
  for (std::size_t r = 0; r < from.size(); ++r) {
    constexpr int kOrder[] = {0, 4, 1, 5, 2, 6, 3, 7};
    from[r] = static_cast<int>(r / 8 * 8) + kOrder[r % 8];
  }
  std::vector<float> expected(static_cast<std::size_t>(cols)), got(expected.size());
  for (const int threads : {1, 2, 3, 64}) {
    const auto packed =
        PackedMatrix::pack("w", kFormat, rows - 8, cols, data, {.from = from, .threads = threads});
    QVERIFY(packed.has_value());
    QCOMPARE(packed->rows(), rows - 8);
    for (std::size_t r = 0; r < from.size(); ++r) {
      dequantizeRow(kFormat, data.data() + static_cast<std::size_t>(from[r]) * row, expected);
      packed->row(static_cast<int>(r), got);
      QCOMPARE(got, expected);
    }
  }
}

void TestPacking::packingRefusesTheWrongSize() {
  QFETCH(int, format);
  const auto kFormat = static_cast<Format>(format);
  const int block = infoOf(kFormat).block;
  const std::vector<std::byte> data(4 * rowBytes(kFormat, 2 * block));
  QVERIFY(PackedMatrix::pack("w", kFormat, 4, 2 * block, data).has_value());
  for (const auto& [rows, cols] : {std::pair{3, 2 * block},
                                   {5, 2 * block},
                                   {4, block},
                                   {4, 3 * block},
                                   {0, 2 * block},
                                   {-4, 2 * block},
                                   {4, -2 * block},
                                   {4, 2 * block - 1},
                                   {1 << 30, 2 * block}}) {
    const auto packed =
        PackedMatrix::pack("model.gguf: blk.0.attn_q.weight", kFormat, rows, cols, data);
    QVERIFY(!packed.has_value());
    const QString what = QString::fromStdString(packed.error().what);
    QVERIFY2(what.contains("blk.0.attn_q.weight") && what.contains(formatName(kFormat)),
             qPrintable(what));
    QVERIFY(!packed.error().remedy.empty());
  }
}

void TestPacking::packingTakesTheValueNoQuantizerWrites() {
  BlockQ8_0 block{.scale = toHalf(1), .quants = {}};
  for (std::int8_t& quant : block.quants) quant = -128;
  std::vector<std::byte> data(sizeof(block));
  std::memcpy(data.data(), &block, sizeof(block));
  const auto packed = PackedMatrix::pack("w", Format::kQ8_0, 1, 32, data);
  QVERIFY(packed.has_value());
  const std::vector<float> x(32, 1.0f);
  std::vector<std::int8_t> quants(32);
  float scale = 0, out = 0;
  std::int16_t sums[2];
  for (const Kernels* kernels : availableKernels()) {
    kernels->quantize(x.data(), 32, quants.data(), &scale, sums);
    const Rows rows{.count = 1,
                    .cols = 32,
                    .values = x.data(),
                    .quants = quants.data(),
                    .scales = &scale,
                    .sums = sums};
    kernels->matmul(*packed, {0, 1}, rows, &out, 1, false);
    QVERIFY2(std::abs(out + 127 * 32) < 0.01, kernels->name);
  }
}

void TestPacking::panelSharesCoverEveryPanelOnce() {
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

QTEST_APPLESS_MAIN(waferpair::tensor::TestPacking)
#include "test_packing.moc"
