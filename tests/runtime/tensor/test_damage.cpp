// SPDX-License-Identifier: GPL-3.0-or-later
// Flipped bits in the scales of blocks and in floats are found; sound weights are left alone.
#include <QtTest>

#include "runtime/tensor/damage.h"
#include "tests/runtime/tensor/random_blocks.h"

namespace waferpair::tensor {

class TestDamage : public QObject {
  Q_OBJECT

  static constexpr int kRows = 8, kCols = 16 * kSuperBlock;
  static constexpr std::size_t kSpoiled = 70;  // block, or value

  static std::vector<std::byte> weights(Format format) {
    std::mt19937 random(static_cast<unsigned>(format));
    return randomRows(format, random, kRows, kCols);
  }
  // Changes the exponent of a block's scale, or minimum, or of a value.
  template <typename Change>
  static void spoil(Format format, bool minimum, std::vector<std::byte>& data, Change change) {
    std::byte* at = &data[kSpoiled * static_cast<std::size_t>(infoOf(format).bytes)];
    const auto changed = [&](auto bits, int mantissa, int exponentBits) {
      using Bits = decltype(bits);
      const Bits mask = static_cast<Bits>(((1u << exponentBits) - 1) << mantissa);
      const auto exponent = change((bits & mask) >> mantissa, exponentBits);
      return static_cast<Bits>((bits & ~mask) | (static_cast<Bits>(exponent) << mantissa));
    };
    const auto inPlace = [&](auto bits, int mantissa, int exponentBits) {
      std::memcpy(&bits, at, sizeof(bits));
      bits = changed(bits, mantissa, exponentBits);
      std::memcpy(at, &bits, sizeof(bits));
    };
    if (format == Format::kF32) return inPlace(std::uint32_t{}, 23, 8);
    if (format == Format::kF16) return inPlace(std::uint16_t{}, 10, 5);
    if (format == Format::kBF16) return inPlace(std::uint16_t{}, 7, 8);
    withBlockType(format, [&](auto block) {
      std::memcpy(&block, at, sizeof(block));
      if constexpr (requires { block.exponent; }) {
        block.exponent = changed(block.exponent, 0, 8);
      } else if constexpr (requires { block.scale; }) {
        if (!minimum) block.scale = changed(block.scale, 10, 5);
      }
      if constexpr (requires { block.minimum; }) {
        if (minimum) block.minimum = changed(block.minimum, 10, 5);
      }
      std::memcpy(at, &block, sizeof(block));
    });
  }

 private slots:
  void damageIsFound_data() {
    QTest::addColumn<int>("format");
    QTest::addColumn<bool>("minimum");
    for (const Format format : allFormats()) {
      if (format == Format::kNVFP4) continue;  // has no scale that cannot be
      QTest::addRow("%s", formatName(format)) << static_cast<int>(format) << false;
      if (infoOf(format).minimum)
        QTest::addRow("%s minimum", formatName(format)) << static_cast<int>(format) << true;
    }
  }
  void damageIsFound() {
    QFETCH(int, format);
    QFETCH(bool, minimum);
    const auto of = static_cast<Format>(format);
    for (const int threads : {1, 3}) QVERIFY(!damageIn(of, weights(of), threads));
    for (const bool isFlip : {false, true}) {
      auto data = weights(of);
      spoil(of, minimum, data, [isFlip](unsigned exponent, int bits) {
        const unsigned infinite = (1u << bits) - 1;
        return isFlip ? std::min(exponent + 16, infinite - 1) : infinite;
      });
      const auto damage = damageIn(of, data, 2);
      QVERIFY(damage.has_value());
      QVERIFY2(damage->find(std::to_string(kSpoiled)) != damage->npos &&
                   (damage->find("minimum") != damage->npos) == minimum,
               damage->c_str());
    }
  }

  // Rows of zeros, a few large numbers beside many small ones, and tensors of a few numbers.
  void soundWeightsAreLeftAlone() {
    const auto bytes = [](const std::vector<float>& values) {
      return quantizeRow(Format::kF32, values);
    };
    std::vector<float> values(1000, 0.0f);
    QVERIFY(!damageIn(Format::kF32, bytes(values)));
    for (std::size_t i = 0; i < 32; ++i) values[i] = 900;
    QVERIFY(!damageIn(Format::kF32, bytes(values)));
    for (std::size_t i = 32; i < 900; ++i) values[i] = 0.5f;
    QVERIFY(!damageIn(Format::kF32, bytes(values)));  // factors, half of which are large
    std::fill_n(values.begin(), 32, 60.0f);
    values[3] = 7000;
    QVERIFY(!damageIn(Format::kF32, bytes(values)));
    values[3] = 70000;
    QVERIFY(damageIn(Format::kF32, bytes(values)).has_value());
    QVERIFY(!damageIn(Format::kF32, bytes({1, 2, 1e30f})));
  }
};

}  // namespace waferpair::tensor

QTEST_APPLESS_MAIN(waferpair::tensor::TestDamage)
#include "test_damage.moc"
