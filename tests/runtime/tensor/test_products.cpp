// SPDX-License-Identifier: GPL-3.0-or-later
// Products with weights of every format, by every instruction set, against Eigen in double.
#include <QtTest>

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <vector>

#include "runtime/tensor/kernels.h"
#include "runtime/tensor/tile_choice.h"
#include "tests/runtime/tensor/random_blocks.h"

Q_DECLARE_METATYPE(const waferpair::tensor::Kernels*)
Q_DECLARE_METATYPE(waferpair::tensor::Activations)

namespace waferpair::tensor {

const char* inBits(Activations activations) {
  return activations == Activations::k8Bits ? "" : " by 16 bits";
}

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class TestProducts : public QObject {
  Q_OBJECT

 private slots:
  void agreeWithEigen_data();
  void agreeWithEigen();
  void extremeQuantsDoNotOverflow_data() { everyTableAndFormat(); }
  void extremeQuantsDoNotOverflow();
  void doNotDependOnTheTile_data() { everyTableAndFormat(); }
  void doNotDependOnTheTile();
  void aFactorIsOfAllSums_data() { everyTableAndFormat(); }
  void aFactorIsOfAllSums();
  void wideRegistersGiveWhatAvx2Gives();
  void tilesTakeAnyNumberOfRows_data();
  void tilesTakeAnyNumberOfRows();
  void theWayThatWasMeasuredGivesTheSame();

 private:
  static void everyTableAndFormat() {
    QTest::addColumn<const Kernels*>("kernels");
    QTest::addColumn<int>("format");
    QTest::addColumn<Activations>("activations");
    for (const Kernels* kernels : availableKernels()) {
      for (const Format format : allFormats()) {
        for (const Activations activations : {Activations::k8Bits, Activations::k16Bits}) {
          QTest::addRow("%s %s%s", kernels->name, formatName(format), inBits(activations))
              << kernels << static_cast<int>(format) << activations;
        }
      }
    }
  }
};

std::vector<float> randomRow(std::mt19937& random, std::size_t size) {
  std::normal_distribution<float> normal;
  std::vector<float> row(size);
  for (float& value : row) value = normal(random);
  return row;
}

// The weights as packed, and the values that the file says.
struct Weights {
  Weights(Format format, int rows, int cols, const std::vector<std::byte>& data)
      : packed(*PackedMatrix::pack("w", format, rows, cols, data)), values(rows, cols) {
    std::vector<float> row(static_cast<std::size_t>(cols));
    for (int r = 0; r < rows; ++r) {
      dequantizeRow(format, data.data() + static_cast<std::size_t>(r) * rowBytes(format, cols),
                    row);
      for (int c = 0; c < cols; ++c) values(r, c) = row[static_cast<std::size_t>(c)];
    }
  }
  PackedMatrix packed;
  Matrix values;
};

struct QuantizedRows {
  QuantizedRows(const Kernels& kernels, std::vector<float> v, int count, int cols,
                Activations activations)
      : planes(planesOf(activations)),
        values(std::move(v)),
        quants(values.size() * static_cast<std::size_t>(planes)),
        scales(values.size() / kBlock + 1),
        sums(quants.size() / kSumGroup + 1) {
    const auto quantize = planes == 1 ? kernels.quantize : kernels.quantizeFinely;
    for (int t = 0; cols % kBlock == 0 && t < count; ++t) {
      quantize(values.data() + t * cols, cols, quants.data() + t * cols * planes,
               scales.data() + t * cols / kBlock, sums.data() + t * cols / kSumGroup * planes);
    }
    rows = {.count = count,
            .cols = cols,
            .values = values.data(),
            .quants = quants.data(),
            .scales = scales.data(),
            .sums = sums.data(),
            .planes = planes};
  }
  Matrix exact() const {
    return Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>(values.data(),
                                                                           rows.count, rows.cols)
        .cast<double>();
  }
  // The activations as quantized weights see them.
  Matrix rounded() const {
    Matrix m(rows.count, rows.cols);
    for (int t = 0; t < rows.count; ++t) {
      const Rows row = rows.part(t, 1);
      for (int c = 0; c < rows.cols; ++c) {
        const int quant =
            planes == 1 ? row.quants[c] : kFineSteps * row.quants[c] + row.quants[rows.cols + c];
        m(t, c) = static_cast<double>(row.scales[c / kBlock]) * quant;
      }
    }
    return m;
  }
  int planes;
  std::vector<float> values;
  std::vector<std::int8_t> quants;
  std::vector<float> scales;
  std::vector<std::int16_t> sums;
  Rows rows;
};

// Returns what F32 may lose in a sum of `cols` products with row `w`. An offset or minimum is
// summed apart from the quants, and either sum may be larger than their difference: by what the
// largest quant and the largest minimum come to, which is a few times the largest value at most
// here.
double rounding(const FormatInfo& info, const Eigen::RowVectorXd& w, const Eigen::RowVectorXd& x) {
  const bool apart = info.minimum || info.offset != 0;
  const double terms =
      apart ? 8 * w.cwiseAbs().maxCoeff() * x.cwiseAbs().sum() : w.cwiseAbs().dot(x.cwiseAbs());
  return terms * static_cast<double>(w.size()) * 0x1p-24;
}

QString differs(Eigen::Index t, Eigen::Index r, double got, double expected, double tolerance) {
  return QString("token %1 row %2: %3, not %4 +- %5")
      .arg(t)
      .arg(r)
      .arg(got)
      .arg(expected)
      .arg(tolerance);
}

void TestProducts::agreeWithEigen_data() {
  QTest::addColumn<const Kernels*>("kernels");
  QTest::addColumn<int>("format");
  QTest::addColumn<int>("rows");
  QTest::addColumn<int>("cols");
  QTest::addColumn<int>("count");
  QTest::addColumn<Activations>("activations");
  for (const Kernels* kernels : availableKernels()) {
    for (const Format format : allFormats()) {
      const int unit = std::max(infoOf(format).block, kBlock);
      for (const auto& [rows, blocks] : {std::pair{1, 1}, {8, 2}, {37, 3}, {100, 10}}) {
        for (const int count : {1, 2, 3, 4, 5, 11}) {
          const int cols = std::min(unit * blocks, 3 * kSuperBlock);
          for (const Activations activations : {Activations::k8Bits, Activations::k16Bits}) {
            QTest::addRow("%s %s %dx%d by %d%s", kernels->name, formatName(format), rows, cols,
                          count, inBits(activations))
                << kernels << static_cast<int>(format) << rows << cols << count << activations;
          }
        }
      }
    }
    for (const Format format : {Format::kF32, Format::kF16, Format::kBF16}) {
      QTest::addRow("%s %s odd columns", kernels->name, formatName(format))
          << kernels << static_cast<int>(format) << 9 << 33 << 2 << Activations::k8Bits;
    }
  }
}

void TestProducts::agreeWithEigen() {
  QFETCH(const Kernels*, kernels);
  QFETCH(int, format);
  QFETCH(int, rows);
  QFETCH(int, cols);
  QFETCH(int, count);
  QFETCH(Activations, activations);
  const auto kFormat = static_cast<Format>(format);
  const FormatInfo& info = infoOf(kFormat);
  std::mt19937 random(3);
  const Weights w(kFormat, rows, cols, randomRows(kFormat, random, rows, cols));
  const QuantizedRows x(*kernels, randomRow(random, static_cast<std::size_t>(count * cols)), count,
                        cols, activations);
  const bool quantized = w.packed.quantized();
  const Matrix exactX = x.exact(), roundedX = quantized ? x.rounded() : exactX;
  const Matrix exact = exactX * w.values.transpose(), expected = roundedX * w.values.transpose();

  // A wider stride than needed, and old contents that `add` keeps.
  const int stride = rows + 3;
  std::vector<float> out(static_cast<std::size_t>(count * stride), 7.0f), sum = out;
  kernels->matmul(w.packed, {0, w.packed.panels()}, x.rows, out.data(), stride, false);
  kernels->matmul(w.packed, {0, w.packed.panels()}, x.rows, sum.data(), stride, true);
  for (int t = 0; t < count; ++t) {
    for (int r = 0; r < rows; ++r) {
      const float got = out[static_cast<std::size_t>(t * stride + r)];
      double tolerance = rounding(info, w.values.row(r), roundedX.row(t));
      QVERIFY2(std::abs(got - expected(t, r)) <= tolerance,
               qPrintable(differs(t, r, got, expected(t, r), tolerance)));
      // Quantizing rounds each activation by half a step of its block, which a sum of independent
      // errors exceeds five times over about once in two million.
      double variance = 0;
      for (int c = 0; quantized && c < cols; ++c) {
        const double step = x.scales[static_cast<std::size_t>((t * cols + c) / kBlock)];
        variance += std::pow(w.values(r, c) * step, 2) / 12;
      }
      tolerance += 5 * std::sqrt(variance);
      QVERIFY2(std::abs(got - exact(t, r)) <= tolerance,
               qPrintable(differs(t, r, got, exact(t, r), tolerance)));
      QCOMPARE(sum[static_cast<std::size_t>(t * stride + r)], 7.0f + got);
    }
    for (int r = rows; r < stride; ++r) {
      QCOMPARE(out[static_cast<std::size_t>(t * stride + r)], 7.0f);  // nothing past the rows
    }
  }
}

// The largest quants of one sign, or of both in turn, by activations that are all 127 or -127: the
// sums that come nearest to the edge of an integer.
void TestProducts::extremeQuantsDoNotOverflow() {
  QFETCH(const Kernels*, kernels);
  QFETCH(int, format);
  QFETCH(Activations, activations);
  const auto kFormat = static_cast<Format>(format);
  constexpr int kRows = 8, kCols = 512, kCount = 4;
  std::vector<float> signs(kCount * kCols);
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const bool negative =
        i / kCols == 1 || (i / kCols == 2 && i % 2 == 0) || (i / kCols == 3 && i / 2 % 2 == 0);
    signs[i] = negative ? -1.0f : 1.0f;
  }
  std::mt19937 random(5);
  // 0x7f and 0x81 are the largest of Q8_0; 0xff, 0x00, 0x88 and 0x77 the ends of the others.
  for (const int byte : {0x7f, 0x81, 0xff, 0x00, 0x88, 0x77, 0x0f, 0xf0}) {
    const Weights w(kFormat, kRows, kCols, randomRows(kFormat, random, kRows, kCols, byte));
    for (const int count : {1, kCount}) {
      for (int first = 0; first < kCount; first += count) {
        const QuantizedRows x(
            *kernels, {signs.begin() + first * kCols, signs.begin() + (first + count) * kCols},
            count, kCols, activations);
        const Matrix seen = w.packed.quantized() ? x.rounded() : x.exact();
        const Matrix expected = seen * w.values.transpose();
        std::vector<float> out(static_cast<std::size_t>(count * kRows));
        kernels->matmul(w.packed, {0, 1}, x.rows, out.data(), kRows, false);
        for (int t = 0; t < count; ++t) {
          for (int r = 0; r < kRows; ++r) {
            const float got = out[static_cast<std::size_t>(t * kRows + r)];
            const double tolerance =
                rounding(infoOf(kFormat), w.values.row(r), seen.row(t)) + 1e-30;
            QVERIFY2(std::abs(got - expected(t, r)) <= tolerance,
                     qPrintable(differs(t, r, got, expected(t, r), tolerance)));
          }
        }
      }
    }
  }
}

void TestProducts::doNotDependOnTheTile() {
  QFETCH(const Kernels*, kernels);
  QFETCH(int, format);
  QFETCH(Activations, activations);
  const auto kFormat = static_cast<Format>(format);
  constexpr int kRows = 77, kCols = 512, kCount = 27;
  std::mt19937 random(4);
  const Weights w(kFormat, kRows, kCols, randomRows(kFormat, random, kRows, kCols));
  const QuantizedRows x(*kernels, randomRow(random, kCount * kCols), kCount, kCols, activations);
  std::vector<float> whole(kCount * kRows);
  kernels->matmul(w.packed, {0, w.packed.panels()}, x.rows, whole.data(), kRows, false);
  for (const int tokens : {1, 3, 8}) {
    std::vector<float> parts(kCount * kRows);
    for (int t = 0; t < kCount; t += tokens) {
      for (int p = 0; p < w.packed.panels(); p += 3) {
        const Rows some = x.rows.part(t, std::min(tokens, kCount - t));
        kernels->matmul(w.packed, {p, std::min(p + 3, w.packed.panels())}, some,
                        parts.data() + t * kRows, kRows, false);
      }
    }
    QVERIFY2(parts == whole, qPrintable(QString::number(tokens)));
  }
}

// A power of two, so that nothing is rounded.
void TestProducts::aFactorIsOfAllSums() {
  QFETCH(const Kernels*, kernels);
  QFETCH(int, format);
  QFETCH(Activations, activations);
  const auto kFormat = static_cast<Format>(format);
  constexpr int kRows = 21, kCols = 256, kCount = 19;
  std::mt19937 random(7);
  const auto data = randomRows(kFormat, random, kRows, kCols);
  const auto plain = *PackedMatrix::pack("w", kFormat, kRows, kCols, data);
  const auto packed = *PackedMatrix::pack("w", kFormat, kRows, kCols, data, {.factor = -0.25f});
  const QuantizedRows x(*kernels, randomRow(random, kCount * kCols), kCount, kCols, activations);
  for (const int count : {1, 4, kCount}) {
    std::vector<float> expected(static_cast<std::size_t>(count * kRows)), got(expected.size(), 3);
    const Rows some = x.rows.part(0, count);
    kernels->matmul(plain, {0, plain.panels()}, some, expected.data(), kRows, false);
    kernels->matmul(packed, {0, packed.panels()}, some, got.data(), kRows, true);
    for (std::size_t i = 0; i < got.size(); ++i) QCOMPARE(got[i], 3 - 0.25f * expected[i]);
  }
}

void TestProducts::wideRegistersGiveWhatAvx2Gives() {
  if (!findKernels("avx512")) QSKIP("This CPU has no AVX-512 with VNNI.");
  const Kernels& narrow = **findKernels("avx2");
  constexpr int kRows = 45, kCols = 512, kCount = 17;
  std::mt19937 random(6);
  for (const Format format : allFormats()) {
    for (const Activations activations : {Activations::k8Bits, Activations::k16Bits}) {
      const Weights w(format, kRows, kCols, randomRows(format, random, kRows, kCols));
      const QuantizedRows x(narrow, randomRow(random, kCount * kCols), kCount, kCols, activations);
      const auto product = [&](const Kernels& kernels) {
        std::vector<float> out(kCount * kRows);
        kernels.matmul(w.packed, {0, w.packed.panels()}, x.rows, out.data(), kRows, false);
        return out;
      };
      const auto expected = product(narrow);
      for (const char* name : {"avx512", "amx", "avx512+amx"}) {
        if (const auto wide = findKernels(name))
          QVERIFY2(product(**wide) == expected, formatName(format));
      }
    }
  }
}

void TestProducts::tilesTakeAnyNumberOfRows_data() {
  QTest::addColumn<int>("format");
  QTest::addColumn<Activations>("activations");
  for (const Format format : allFormats()) {
    if (infoOf(format).quants == Quants::kNone) continue;
    for (const Activations activations : {Activations::k8Bits, Activations::k16Bits}) {
      QTest::addRow("%s%s", formatName(format), inBits(activations))
          << static_cast<int>(format) << activations;
    }
  }
}

// One tile of any height, several, and more than share what is unpacked; columns that are unpacked
// in several parts, the last of them an odd number of groups where a block may be one, and one
// block alone.
void TestProducts::tilesTakeAnyNumberOfRows() {
  const auto amx = findKernels("amx");
  if (!amx) QSKIP("This CPU has no AMX.");
  const Kernels& expected = **findKernels("avx512");
  QFETCH(int, format);
  QFETCH(Activations, activations);
  const auto kFormat = static_cast<Format>(format);
  std::mt19937 random(9);
  std::vector<int> counts{31, 32, 33, 47, 65, 131};
  for (int count = 1; count <= 21; ++count) counts.push_back(count);
  const int block = infoOf(kFormat).block;
  const int many = block == kSuperBlock ? 5 : 33;
  for (const int cols : {many * block, block}) {
    constexpr int kRows = 43;  // the last pair has one panel, the last panel three rows
    const Weights w(kFormat, kRows, cols, randomRows(kFormat, random, kRows, cols));
    for (const int count : counts) {
      const QuantizedRows x(expected, randomRow(random, static_cast<std::size_t>(count * cols)),
                            count, cols, activations);
      for (const bool add : {false, true}) {
        std::vector<float> out(static_cast<std::size_t>(count * kRows), 3.0f), wanted = out;
        (*amx)->matmul(w.packed, {1, w.packed.panels()}, x.rows, out.data(), kRows, add);
        expected.matmul(w.packed, {1, w.packed.panels()}, x.rows, wanted.data(), kRows, add);
        QVERIFY2(out == wanted, qPrintable(QString("%1 rows, %2 columns").arg(count).arg(cols)));
      }
    }
  }
}

void TestProducts::theWayThatWasMeasuredGivesTheSame() {
  const auto quickest = findKernels("avx512+amx");
  if (!quickest) QSKIP("This CPU has no AMX.");
  const Kernels& expected = **findKernels("avx512");
  constexpr int kRows = 64, kCols = 512, kCount = 16;
  std::mt19937 random(10);
  const Weights w(Format::kQ8_0, kRows, kCols, randomRows(Format::kQ8_0, random, kRows, kCols));
  for (const Activations activations : {Activations::k8Bits, Activations::k16Bits}) {
    const QuantizedRows x(expected, randomRow(random, kCount * kCols), kCount, kCols, activations);
    (*quickest)->measure(w.packed, x.planes);
    const int fewest = fewestTileRows(Format::kQ8_0, x.planes);
    QVERIFY(fewest == kNeverTiles || (fewest >= 1 && fewest <= kCount));
    (*quickest)->measure(w.packed, x.planes);  // not once more
    QCOMPARE(fewestTileRows(Format::kQ8_0, x.planes), fewest);
    for (int count = 1; count <= kCount; ++count) {
      std::vector<float> out(static_cast<std::size_t>(count * kRows)), wanted = out;
      (*quickest)->matmul(w.packed, {0, w.packed.panels()}, x.rows.part(0, count), out.data(),
                          kRows, false);
      expected.matmul(w.packed, {0, w.packed.panels()}, x.rows.part(0, count), wanted.data(), kRows,
                      false);
      QVERIFY2(out == wanted, qPrintable(QString::number(count)));
    }
    const QString known = fewest == kNeverTiles
                              ? QString("avx512")
                              : QString("avx512, amx for Q8_0 from %1 rows").arg(fewest);
    const auto text = [&](const Kernels& of, Format format) {
      return QString::fromStdString(describe(of, {&format, 1}, activations));
    };
    QCOMPARE(text(**quickest, Format::kQ8_0), known);
    QCOMPARE(text(**quickest, Format::kF16), QString("avx512"));
    QCOMPARE(text(expected, Format::kQ8_0), QString("avx512"));
  }
}

}  // namespace waferpair::tensor

QTEST_APPLESS_MAIN(waferpair::tensor::TestProducts)
#include "test_products.moc"
