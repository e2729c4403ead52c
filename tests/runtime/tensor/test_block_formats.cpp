// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "runtime/tensor/block_formats.h"
#include "runtime/tensor/grids.h"
#include "runtime/tensor/kernels.h"
#include "runtime/tensor/packed_matrix.h"
#include "tests/runtime/tensor/random_blocks.h"

namespace waferpair::tensor {

class TestBlockFormats : public QObject {
  Q_OBJECT

 private slots:
  void everyHalfSurvivesTheWayThroughFloat();
  void halvesAgreeWithTheProcessor();
  void floatsRoundToTheNearestHalf();
  void bfloatsAreRoundedUpperHalves();
  void namesAndNumbersAreUnique();
  void blocksAreReadAsTheirLayoutSays_data() { everyFormat(); }
  void blocksAreReadAsTheirLayoutSays();
  void quantizedRowsAreCloseToTheirValues_data();
  void quantizedRowsAreCloseToTheirValues();
  void quantizingSurvivesOddRows_data() { everyWrittenFormat(); }
  void quantizingSurvivesOddRows();
  void gridsHaveTheirPoints();
  void blocksOfGridsAreRead_data();
  void blocksOfGridsAreRead();
  void formatsThatAreOnlyReadAreNotWritten();
  void rowsThatAreNoWholeBlocksHaveNoSize();

 private:
  static void everyWrittenFormat() {
    QTest::addColumn<int>("format");
    for (const Format format : allFormats()) {
      if (!infoOf(format).written()) continue;
      QTest::addRow("%s", formatName(format)) << static_cast<int>(format);
    }
  }
  static void everyFormat() {
    QTest::addColumn<int>("format");
    for (const Format format : allFormats()) {
      QTest::addRow("%s", formatName(format)) << static_cast<int>(format);
    }
  }
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

void TestBlockFormats::bfloatsAreRoundedUpperHalves() {
  QCOMPARE(toBFloat(1.0f).bits, std::uint16_t{0x3f80});
  QCOMPARE(toBFloat(1.0f + 0x1p-8f).bits, std::uint16_t{0x3f80});  // halfway: to even
  QCOMPARE(toBFloat(1.0f + 3 * 0x1p-8f).bits, std::uint16_t{0x3f82});
  QCOMPARE(toBFloat(-0x1p-133f).bits, std::uint16_t{0x8001});  // the smallest
  QCOMPARE(toBFloat(3.4e38f).bits, std::uint16_t{0x7f80});     // above the largest: infinity
  const std::uint32_t oddNan = 0x7f800001;
  float nan = 0;
  std::memcpy(&nan, &oddNan, sizeof(nan));
  QVERIFY(std::isnan(toFloat(toBFloat(nan))));
  for (int bits = 0; bits < 0x7f80; ++bits) {
    const BFloat value{static_cast<std::uint16_t>(bits)};
    QCOMPARE(toBFloat(toFloat(value)).bits, value.bits);
  }
}

void TestBlockFormats::namesAndNumbersAreUnique() {
  QCOMPARE(allFormats().size(), kFormats.size());
  for (const Format format : allFormats()) {
    QVERIFY(findFormat(infoOf(format).ggmlType) == format);
    QVERIFY(formatNames().find(formatName(format)) != std::string::npos);
  }
  for (const std::uint32_t unknown : {4u, 5u, 9u, 15u, 19u, 24u, 31u, 41u, ~0u}) {
    QVERIFY(!findFormat(unknown).has_value());
  }
}

// A value of a grid's point, as ggml lists them.
double level(Format format, int point, int value) {
  const int level =
      gridOf(format)[static_cast<std::size_t>(point)][static_cast<std::size_t>(value)];
  if (format == Format::kIQ3_S) return 2 * level + 1;
  if (format == Format::kIQ3_XXS) return level == 7 ? 62 : 8 * level + 4;
  return level == 0 ? 8 : level == 1 ? 25 : 43;
}

// Sign of a value by seven bits: the last is that of which the minuses are even.
int sign(int seven, int value) {
  int minuses = 0;
  for (int i = 0; i < 7; ++i) minuses += (seven >> i) & 1;
  return (value < 7 ? (seven >> value) & 1 : minuses % 2) != 0 ? -1 : 1;
}

// Element i of a block, straight from its bytes: the layouts of ggml stated a second time.
double element(Format format, const std::uint8_t* b, int i) {
  const auto half = [b](int at) {
    return static_cast<double>(toFloat(static_cast<Half>(b[at] | (b[at + 1] << 8))));
  };
  const auto word = [b](int at) {
    return b[at] | (b[at + 1] << 8) | (b[at + 2] << 16) | (std::uint32_t{b[at + 3]} << 24);
  };
  const auto nibble = [i, b](int at) { return (b[at + i % 16] >> (i < 16 ? 0 : 4)) & 15; };
  const auto fifth = [&](int at) { return static_cast<int>((word(at) >> i) & 1) << 4; };
  const auto pair = [i, b](int at) {
    return (b[at + i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2)) & 3;
  };
  // The six-bit scale and minimum of group j, in 12 bytes.
  const auto scale = [b](int at, int j) {
    return j < 4 ? b[at + j] & 63 : (b[at + j + 4] & 15) | ((b[at + j - 4] >> 6) << 4);
  };
  const auto minimum = [b](int at, int j) {
    return j < 4 ? b[at + j + 4] & 63 : (b[at + j + 4] >> 4) | ((b[at + j] >> 6) << 4);
  };
  switch (format) {
    case Format::kQ4_0:
      return half(0) * (nibble(2) - 8);
    case Format::kQ4_1:
      return half(0) * nibble(4) + half(2);
    case Format::kQ5_0:
      return half(0) * ((nibble(6) | fifth(2)) - 16);
    case Format::kQ5_1:
      return half(0) * (nibble(8) | fifth(4)) + half(2);
    case Format::kQ8_0:
      return half(0) * static_cast<std::int8_t>(b[2 + i]);
    case Format::kQ2_K:
      return half(80) * (b[i / 16] & 15) * pair(16) - half(82) * (b[i / 16] >> 4);
    case Format::kQ3_K: {
      const int j = i / 16;
      const int low = j < 8 ? b[96 + j] & 15 : b[96 + j - 8] >> 4;
      const int high = (b[104 + j % 4] >> (2 * (j / 4))) & 3;
      const int less = (b[i % 32] >> (i / 32)) & 1 ? 0 : 4;
      return half(108) * ((low | (high << 4)) - 32) * (pair(32) - less);
    }
    case Format::kQ4_K: {
      const int quant = (b[16 + i / 64 * 32 + i % 32] >> (i % 64 < 32 ? 0 : 4)) & 15;
      return half(0) * scale(4, i / 32) * quant - half(2) * minimum(4, i / 32);
    }
    case Format::kQ5_K: {
      const int low = (b[48 + i / 64 * 32 + i % 32] >> (i % 64 < 32 ? 0 : 4)) & 15;
      const int quant = low + 16 * ((b[16 + i % 32] >> (i / 32)) & 1);
      return half(0) * scale(4, i / 32) * quant - half(2) * minimum(4, i / 32);
    }
    case Format::kQ6_K: {
      const int low = (b[i / 128 * 64 + i % 64] >> (i % 128 < 64 ? 0 : 4)) & 15;
      const int quant = low + 16 * ((b[128 + i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2)) & 3);
      return half(208) * static_cast<std::int8_t>(b[192 + i / 16]) * (quant - 32);
    }
    case Format::kIQ4_NL: {
      constexpr int kValues[] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                 1,    13,   25,  38,  53,  69,  89,  113};
      return half(0) * kValues[nibble(2)];
    }
    case Format::kIQ4_XS: {
      constexpr int kValues[] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                 1,    13,   25,  38,  53,  69,  89,  113};
      const int g = i / 32;
      const int low = (b[4 + g / 2] >> (g % 2 == 0 ? 0 : 4)) & 15;
      const int high = ((b[2] | (b[3] << 8)) >> (2 * g)) & 3;
      const int code = (b[8 + 16 * g + i % 16] >> (i % 32 < 16 ? 0 : 4)) & 15;
      return half(0) * (low + 16 * high - 32) * kValues[code];
    }
    case Format::kMXFP4: {
      constexpr double kValues[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
      const int code = nibble(1);
      return std::ldexp(code < 8 ? kValues[code] : -kValues[code - 8], b[0] - 127);
    }
    case Format::kNVFP4: {
      constexpr double kValues[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
      const int code = (b[4 + i / 16 * 8 + i % 8] >> (i % 16 < 8 ? 0 : 4)) & 15;
      const int exponent = (b[i / 16] >> 3) & 15, mantissa = b[i / 16] & 7;
      const double scale = exponent == 15 && mantissa == 7 ? 0  // no number
                           : exponent > 0                  ? std::ldexp(8 + mantissa, exponent - 10)
                                                           : std::ldexp(mantissa, -9);
      return scale * (code < 8 ? kValues[code] : -kValues[code - 8]);
    }
    case Format::kIQ2_XXS: {
      const std::uint8_t* group = b + 2 + i / 32 * 8;
      const int point = i % 32 / 8;
      const double times = 0.5 + (group[7] >> 4);
      const std::uint64_t bits = word(static_cast<int>(group + 4 - b));
      const int signs = static_cast<int>(bits >> (7 * point)) & 127;
      return half(0) * times * 0.25 * level(format, group[point], i % 8) * sign(signs, i % 8);
    }
    case Format::kIQ2_XS: {
      const int point = b[2 + i / 8 * 2] | (b[3 + i / 8 * 2] << 8);
      const double times = 0.5 + ((b[66 + i / 32] >> (i % 32 < 16 ? 0 : 4)) & 15);
      return half(0) * times * 0.25 * level(format, point & 511, i % 8) * sign(point >> 9, i % 8);
    }
    case Format::kIQ2_S: {
      const int high = (b[66 + i / 32] >> (i % 32 / 8 * 2)) & 3;
      const double times = 0.5 + ((b[74 + i / 32] >> (i % 32 < 16 ? 0 : 4)) & 15);
      const int minus = (b[34 + i / 8] >> (i % 8)) & 1;
      return half(0) * times * 0.25 * level(format, b[2 + i / 8] + 256 * high, i % 8) *
             (1 - 2 * minus);
    }
    case Format::kIQ3_XXS: {
      const std::uint64_t bits = word(66 + i / 32 * 4);
      const double times = 0.5 + static_cast<double>(bits >> 28);
      const int signs = static_cast<int>(bits >> (7 * (i % 32 / 8))) & 127;
      return half(0) * times * 0.5 * level(format, b[2 + i / 4], i % 4) * sign(signs, i % 8);
    }
    case Format::kIQ3_S: {
      const int high = (b[66 + i / 32] >> (i % 32 / 4)) & 1;
      const int times = 1 + 2 * ((b[106 + i / 64] >> (i % 64 < 32 ? 0 : 4)) & 15);
      const int minus = (b[74 + i / 8] >> (i % 8)) & 1;
      return half(0) * times * level(format, b[2 + i / 4] + 256 * high, i % 4) * (1 - 2 * minus);
    }
    case Format::kF32: {
      float value = 0;
      std::memcpy(&value, b, sizeof(value));
      return value;
    }
    case Format::kF16:
      return half(0);
    case Format::kBF16:
      return toFloat(BFloat{static_cast<std::uint16_t>(b[0] | (b[1] << 8))});
  }
  return 0;
}

void TestBlockFormats::blocksAreReadAsTheirLayoutSays() {
  QFETCH(int, format);
  const auto kFormat = static_cast<Format>(format);
  const FormatInfo& info = infoOf(kFormat);
  std::mt19937 random(11);
  constexpr int kRows = 20;
  const auto data = randomRows(kFormat, random, kRows, info.block);
  std::vector<float> values(static_cast<std::size_t>(info.block));
  for (int r = 0; r < kRows; ++r) {
    const std::byte* row = data.data() + r * info.bytes;
    dequantizeRow(kFormat, row, values);
    for (int i = 0; i < info.block; ++i) {
      const double expected = element(kFormat, reinterpret_cast<const std::uint8_t*>(row), i);
      QCOMPARE(values[static_cast<std::size_t>(i)], static_cast<float>(expected));
    }
  }
  if (kFormat == Format::kNVFP4) {  // each scale, with a code of 6 and one of -0.5
    std::vector<std::byte> block(36, std::byte{0x97});
    for (int bits = 0; bits < 256; ++bits) {
      for (std::size_t g = 0; g < 4; ++g)
        block[g] = static_cast<std::byte>(bits ^ (g == 2 ? 1 : 0));
      dequantizeRow(kFormat, block.data(), values);
      for (const int i : {0, 8, 32, 40, 63}) {
        const double expected =
            element(kFormat, reinterpret_cast<const std::uint8_t*>(block.data()), i);
        QCOMPARE(values[static_cast<std::size_t>(i)], static_cast<float>(expected));
      }
    }
    QCOMPARE(values[0], 0.0f);  // 255: no number, as is 127
    block[0] = std::byte{0x7e};
    dequantizeRow(kFormat, block.data(), values);
    QCOMPARE(values[0], 6 * 448.0f);
    block[0] = std::byte{0x01};
    dequantizeRow(kFormat, block.data(), values);
    QCOMPARE(values[8], -0.5f * 0x1p-9f);
  }
  if (kFormat == Format::kMXFP4) {  // exponents at both ends of what a float holds
    std::vector<std::byte> block(17, std::byte{0x57});
    for (const int exponent : {0, 1, 2, 3, 127, 250, 251}) {
      block[0] = static_cast<std::byte>(exponent);
      dequantizeRow(kFormat, block.data(), values);
      QCOMPARE(values[0], std::ldexp(6.0f, exponent - 127));
      QCOMPARE(values[31], std::ldexp(3.0f, exponent - 127));
    }
  }
}

void TestBlockFormats::quantizedRowsAreCloseToTheirValues_data() {
  QTest::addColumn<int>("format");
  QTest::addColumn<double>("relative");  // error over values, root mean square
  // A step of a normal row is about 4 deviations over the number of steps in a block of 32, less in
  // a group of 16; rounding is off by 0.29 steps. test_encoders has the bounds from below.
  const std::pair<Format, double> rows[] = {
      {Format::kF32, 0},        {Format::kF16, 0x1p-11}, {Format::kBF16, 0x1p-8},
      {Format::kQ8_0, 0.007},   {Format::kQ6_K, 0.018},  {Format::kQ5_0, 0.042},
      {Format::kQ5_1, 0.036},   {Format::kQ5_K, 0.037},  {Format::kQ4_0, 0.085},
      {Format::kQ4_1, 0.074},   {Format::kQ4_K, 0.074},  {Format::kIQ4_NL, 0.077},
      {Format::kIQ4_XS, 0.077}, {Format::kMXFP4, 0.116}, {Format::kQ3_K, 0.15},
      {Format::kQ2_K, 0.28}};
  QCOMPARE(std::size(rows), kFormats.size() - 6);  // but for those that are read only
  for (const auto& [format, relative] : rows) {
    QTest::addRow("%s", formatName(format)) << static_cast<int>(format) << relative;
  }
}

void TestBlockFormats::quantizedRowsAreCloseToTheirValues() {
  QFETCH(int, format);
  QFETCH(double, relative);
  const auto kFormat = static_cast<Format>(format);
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  std::vector<float> row(2560), back(2560);
  for (float& value : row) value = normal(random);
  std::fill(row.begin() + 256, row.begin() + 512, 0.0f);  // blocks of zeros
  const auto bytes = quantizeRow(kFormat, row);
  QCOMPARE(bytes.size(), rowBytes(kFormat, 2560));
  dequantizeRow(kFormat, bytes.data(), back);
  double errors = 0, values = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    errors += std::pow(static_cast<double>(row[i]) - back[i], 2);
    values += std::pow(static_cast<double>(row[i]), 2);
    if (row[i] == 0) QCOMPARE(back[i], 0.0f);
  }
  const double got = std::sqrt(errors / values);
  QVERIFY2(got <= relative, qPrintable(QString::number(got)));
  // A row that came back is kept as it is but for the rounding of scales: no quant is off by one.
  std::vector<float> again(back.size());
  dequantizeRow(kFormat, quantizeRow(kFormat, back).data(), again);
  double moved = 0;
  for (std::size_t i = 0; i < back.size(); ++i) moved += std::pow(again[i] - back[i], 2);
  QVERIFY2(std::sqrt(moved / values) <= relative, qPrintable(QString::number(moved)));
}

void TestBlockFormats::quantizingSurvivesOddRows() {
  QFETCH(int, format);
  const auto kFormat = static_cast<Format>(format);
  for (const float odd : {0.0f, 1e-45f, -1e-38f, 60000.0f, -60000.0f}) {
    std::vector<float> row(256, odd), back(256);
    row[100] = -odd / 2;
    const auto bytes = quantizeRow(kFormat, row);
    QCOMPARE(bytes.size(), rowBytes(kFormat, 256));
    dequantizeRow(kFormat, bytes.data(), back);
    for (std::size_t i = 0; i < row.size(); ++i) {
      // Scales below the least F16 are 0.
      QVERIFY(std::abs(back[i] - row[i]) <= 0.51f * std::abs(odd) + 1e-6f);
    }
  }
  // A value that no format can hold spoils its own block, and no other.
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const float odd : {kInf, -kInf, std::nanf(""), 3e38f}) {
    std::vector<float> row(512, 0.5f), back(512);
    row[100] = odd;
    dequantizeRow(kFormat, quantizeRow(kFormat, row).data(), back);
    for (std::size_t i = 256; i < row.size(); ++i) QVERIFY(std::abs(back[i] - 0.5f) < 0.1f);
  }
}

// The grids of ggml-common.h, by a sum over all levels in its order (FNV-1a), and points of each
// that were read there.
void TestBlockFormats::gridsHaveTheirPoints() {
  struct Expected {
    Format format;
    std::size_t count;
    std::uint64_t sum;
    std::vector<std::pair<std::size_t, const char*>> points;
  };
  const Expected grids[] = {
      {Format::kIQ2_XXS,
       256,
       0xab05d880babe6823,
       {{1, "20000000"}, {17, "00020000"}, {99, "10000210"}, {200, "00001021"}, {255, "01001222"}}},
      {Format::kIQ2_XS,
       512,
       0x6853eeeddb7ea013,
       {{1, "20000000"}, {17, "00110000"}, {99, "10002100"}, {200, "00001210"}, {511, "22222222"}}},
      {Format::kIQ2_S,
       1024,
       0x2c1955b62f3d75bd,
       {{17, "00110000"}, {99, "01110100"}, {200, "01102200"}, {1023, "22222222"}}},
      {Format::kIQ3_XXS,
       256,
       0xe94d0633d4024cd5,
       {{1, "2000"}, {17, "5210"}, {99, "1102"}, {200, "0705"}, {255, "0367"}}},
      {Format::kIQ3_S,
       512,
       0x5d10ecbdf51ec43b,
       {{1, "1000"}, {17, "7400"}, {99, "1760"}, {200, "7002"}, {511, "0077"}}}};
  for (const auto& [format, count, sum, points] : grids) {
    const auto grid = gridOf(format);
    QCOMPARE(grid.size(), count);
    const std::size_t values = std::strlen(points.front().second);
    std::uint64_t got = 0xcbf29ce484222325;
    for (const GridPoint& point : grid) {
      for (std::size_t i = 0; i < values; ++i) got = (got ^ point[i]) * 0x100000001b3;
    }
    QCOMPARE(got, sum);
    for (const auto& [number, levels] : points) {
      for (std::size_t i = 0; i < values; ++i) QCOMPARE(grid[number][i], levels[i] - '0');
    }
  }
}

void TestBlockFormats::blocksOfGridsAreRead_data() {
  QTest::addColumn<int>("format");
  QTest::addColumn<double>("relative");
  QTest::addRow("IQ3_S") << static_cast<int>(Format::kIQ3_S) << 0.14;
  QTest::addRow("IQ3_XXS") << static_cast<int>(Format::kIQ3_XXS) << 0.2;
  QTest::addRow("IQ2_S") << static_cast<int>(Format::kIQ2_S) << 0.27;
  QTest::addRow("IQ2_XS") << static_cast<int>(Format::kIQ2_XS) << 0.33;
  QTest::addRow("IQ2_XXS") << static_cast<int>(Format::kIQ2_XXS) << 0.38;
}

// What an encoder of the tests' own chooses, point by point, is what is read of its blocks.
void TestBlockFormats::blocksOfGridsAreRead() {
  QFETCH(int, format);
  QFETCH(double, relative);
  const auto kFormat = static_cast<Format>(format);
  const bool threeBits = kFormat == Format::kIQ3_S || kFormat == Format::kIQ3_XXS;
  const bool freeSigns = kFormat == Format::kIQ3_S || kFormat == Format::kIQ2_S;
  const int size = threeBits ? 4 : 8, group = infoOf(kFormat).group;
  const double unit = kFormat == Format::kIQ3_S ? 1 : threeBits ? 0.25 : 0.125;
  const double top = kFormat == Format::kIQ3_S ? 15 : threeBits ? 62 : 43;
  const int points = static_cast<int>(gridOf(kFormat).size());
  std::mt19937 random(21);
  std::normal_distribution<float> normal;
  double errors = 0, squares = 0;
  for (int round = 0; round < 6; ++round) {
    float x[256];
    for (float& value : x) value = normal(random);
    // Signs first: of seven stored ones the least value gives way.
    double wanted[256];
    int minus[256];
    for (int i = 0; i < 256; ++i) minus[i] = x[i] < 0;
    for (int at = 0; !freeSigns && at < 256; at += 8) {
      int odd = 0, least = at;
      for (int i = at; i < at + 8; ++i) {
        odd += minus[i];
        if (std::abs(x[i]) < std::abs(x[least])) least = i;
      }
      if (odd % 2 != 0) minus[least] = !minus[least];
    }
    double largest = 0;
    for (int i = 0; i < 256; ++i) {
      wanted[i] = minus[i] ? -x[i] : x[i];
      largest = std::max(largest, wanted[i]);
    }
    const Half scale = toHalf(static_cast<float>(largest / (top * unit * 25)));
    const auto d = static_cast<double>(toFloat(scale));
    int scales[16] = {}, numbers[64] = {};
    double chosen[256];
    for (int g = 0; g < 256 / group; ++g) {
      double best = std::numeric_limits<double>::infinity();
      for (int s = 0; s < 16; ++s) {
        int some[16];
        double error = 0;
        for (int p = 0; p < group / size; ++p) {
          double least = std::numeric_limits<double>::infinity();
          for (int n = 0; n < points; ++n) {
            double off = 0;
            for (int i = 0; i < size && off < least; ++i) {
              const double value = d * (2 * s + 1) * unit * level(kFormat, n, i);
              off += std::pow(wanted[g * group + p * size + i] - value, 2);
            }
            if (off >= least) continue;
            least = off;
            some[p] = n;
          }
          error += least;
        }
        if (error >= best) continue;
        best = error;
        scales[g] = s;
        std::copy_n(some, group / size, numbers + g * group / size);
      }
      errors += best;
    }
    for (int i = 0; i < 256; ++i) {
      const double value =
          d * (2 * scales[i / group] + 1) * unit * level(kFormat, numbers[i / size], i % size);
      chosen[i] = minus[i] ? -value : value;
      squares += std::pow(x[i], 2);
    }
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(infoOf(kFormat).bytes));
    bytes[0] = static_cast<std::uint8_t>(scale & 255);
    bytes[1] = static_cast<std::uint8_t>(scale >> 8);
    // Sets `count` bits from bit `bit` behind byte `at` on.
    const auto put = [&](int at, int bit, int count, int value) {
      for (int i = 0; i < count; ++i, ++bit) {
        const auto byte = static_cast<std::size_t>(at + bit / 8);
        bytes[byte] = static_cast<std::uint8_t>(bytes[byte] | ((value >> i) & 1) << (bit % 8));
      }
    };
    for (int i = 0; i < 256; ++i) {
      if (kFormat == Format::kIQ2_XXS && i % 8 < 7)
        put(2 + i / 32 * 8 + 4, i % 32 / 8 * 7 + i % 8, 1, minus[i]);
      if (kFormat == Format::kIQ2_XS && i % 8 < 7) put(2, i / 8 * 16 + 9 + i % 8, 1, minus[i]);
      if (kFormat == Format::kIQ2_S) put(34, i, 1, minus[i]);
      if (kFormat == Format::kIQ3_XXS && i % 8 < 7)
        put(66 + i / 32 * 4, i % 32 / 8 * 7 + i % 8, 1, minus[i]);
      if (kFormat == Format::kIQ3_S) put(74, i, 1, minus[i]);
    }
    for (int p = 0; p < 256 / size; ++p) {
      const int number = numbers[p];
      if (kFormat == Format::kIQ2_XXS) put(2 + p / 4 * 8, p % 4 * 8, 8, number);
      if (kFormat == Format::kIQ2_XS) put(2, 16 * p, 9, number);
      if (kFormat != Format::kIQ2_XXS && kFormat != Format::kIQ2_XS) put(2, 8 * p, 8, number);
      if (kFormat == Format::kIQ2_S) put(66, 2 * p, 2, number >> 8);
      if (kFormat == Format::kIQ3_S) put(66, p, 1, number >> 8);
    }
    for (int g = 0; g < 256 / group; ++g) {
      if (kFormat == Format::kIQ2_XXS) put(2 + 8 * g + 4, 28, 4, scales[g]);
      if (kFormat == Format::kIQ3_XXS) put(66 + 4 * g, 28, 4, scales[g]);
      if (kFormat == Format::kIQ2_XS) put(66, 4 * g, 4, scales[g]);
      if (kFormat == Format::kIQ2_S) put(74, 4 * g, 4, scales[g]);
      if (kFormat == Format::kIQ3_S) put(106, 4 * g, 4, scales[g]);
    }
    std::vector<float> read(256);
    dequantizeRow(kFormat, reinterpret_cast<const std::byte*>(bytes.data()), read);
    for (int i = 0; i < 256; ++i) {
      QCOMPARE(read[static_cast<std::size_t>(i)], static_cast<float>(chosen[i]));
    }
  }
  const double got = std::sqrt(errors / squares);
  QVERIFY2(got <= relative && got > relative / 2, qPrintable(QString::number(got)));
}

void TestBlockFormats::formatsThatAreOnlyReadAreNotWritten() {
  const std::vector<float> row(256, 1.0f);
  for (const Format format : allFormats()) {
    QCOMPARE(quantizeRow(format, row).empty(), !infoOf(format).written());
    const bool isNamed = writtenFormatNames().find(formatName(format)) != std::string::npos;
    QCOMPARE(isNamed, infoOf(format).written());
  }
}

void TestBlockFormats::rowsThatAreNoWholeBlocksHaveNoSize() {
  for (const Format format : allFormats()) {
    const FormatInfo& info = infoOf(format);
    QCOMPARE(rowBytes(format, 0), std::size_t{0});
    QCOMPARE(rowBytes(format, -info.block), std::size_t{0});
    QCOMPARE(rowBytes(format, 3 * info.block), static_cast<std::size_t>(3 * info.bytes));
    if (info.block == 1) continue;
    QCOMPARE(rowBytes(format, info.block + 1), std::size_t{0});
    QCOMPARE(rowBytes(format, info.block / 2), std::size_t{0});
    QVERIFY(
        quantizeRow(format, std::vector<float>(static_cast<std::size_t>(info.block) + 1)).empty());
  }
  QCOMPARE(rowBytes(Format::kQ8_0, 64), std::size_t{68});
}

}  // namespace waferpair::tensor

QTEST_APPLESS_MAIN(waferpair::tensor::TestBlockFormats)
#include "test_block_formats.moc"
