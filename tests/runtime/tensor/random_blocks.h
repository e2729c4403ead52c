// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of weights as a file could hold them: every bit pattern of quants, with scales that make
// sense.
#pragma once

#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#include "runtime/tensor/blocks.h"

namespace waferpair::tensor {

// Makes the scales of the block at `at` of one block some 2^-6 and the minimum some 2^-5.
inline void setScales(Format format, std::mt19937& random, std::byte* at) {
  std::uniform_real_distribution<float> near(0.5f, 1.5f);
  withBlockType(format, [&](auto block) {
    std::memcpy(&block, at, sizeof(block));
    if constexpr (requires { block.exponent; }) {
      block.exponent = static_cast<std::uint8_t>(118 + random() % 8);
    } else if constexpr (std::is_same_v<decltype(block), BlockNVFP4>) {
      for (std::uint8_t& scale : block.scales) scale = static_cast<std::uint8_t>(4 + random() % 9);
    } else {
      block.scale = toHalf(near(random) * 0x1p-6f);
    }
    if constexpr (requires { block.minimum; }) block.minimum = toHalf(near(random) * 0x1p-5f);
    std::memcpy(at, &block, sizeof(block));
  });
}

// `count` rows of `cols` weights. With `byte` all quants, and the small scales of the K-formats,
// are made of that byte, else of random ones.
inline std::vector<std::byte> randomRows(Format format, std::mt19937& random, int count, int cols,
                                         int byte = -1) {
  const FormatInfo& info = infoOf(format);
  std::vector<std::byte> data(rowBytes(format, cols) * static_cast<std::size_t>(count));
  if (info.quants == Quants::kNone) {
    std::normal_distribution<float> normal;
    std::vector<float> row(static_cast<std::size_t>(cols));
    data.clear();
    for (int r = 0; r < count; ++r) {
      for (float& value : row) value = normal(random);
      const auto bytes = quantizeRow(format, row);
      data.insert(data.end(), bytes.begin(), bytes.end());
    }
    return data;
  }
  for (std::byte& b : data) {
    b = static_cast<std::byte>(byte >= 0 ? byte : random() & 0xff);
    // The one quant that is not taken as it is, as no quantizer writes it.
    if (format == Format::kQ8_0 && b == std::byte{0x80}) b = std::byte{0x81};
  }
  for (std::size_t at = 0; at < data.size(); at += static_cast<std::size_t>(info.bytes)) {
    setScales(format, random, &data[at]);
  }
  return data;
}

}  // namespace waferpair::tensor
