// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/stored_row.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace waferpair::test {
namespace {

double meanSquare(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

// Four scales stand first in each block, of 36 bytes: numbers that grow by an eighth to a sixteenth
// from one to the next. Among them are some with which random codes, whose root mean square is 2.9,
// come near to `size`.
void setNvScales(double size, std::mt19937& random, std::vector<std::byte>& bytes) {
  constexpr double kOfCodes = 2.9;
  int code = 1;
  const auto scale = [](int bits) {
    return bits < 8 ? std::ldexp(bits, -9) : std::ldexp(8 + bits % 8, bits / 8 - 10);
  };
  while (code < 120 && scale(code) * kOfCodes < size) ++code;
  for (std::size_t at = 0; at < bytes.size(); at += 36) {
    for (std::size_t g = 0; g < 4; ++g) {
      bytes[at + g] =
          static_cast<std::byte>(std::max(1, code - 3 + static_cast<int>(random() % 6)));
    }
  }
}

}  // namespace

std::vector<std::byte> storedRow(tensor::Format format, std::span<const float> row) {
  const tensor::FormatInfo& info = tensor::infoOf(format);
  if (info.written()) return tensor::quantizeRow(format, row);
  std::mt19937 random(std::bit_cast<std::uint32_t>(row.front()));
  std::vector<std::byte> bytes(tensor::rowBytes(format, static_cast<std::int64_t>(row.size())));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xff);
  if (format == tensor::Format::kNVFP4) {
    setNvScales(std::sqrt(meanSquare(row)), random, bytes);
    return bytes;
  }
  // The scale of 256 values stands first in all of these.
  const auto setScales = [&](float scale) {
    const tensor::Half half = tensor::toHalf(scale);
    for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(info.bytes)) {
      std::memcpy(&bytes[at], &half, sizeof(half));
    }
  };
  setScales(1);
  std::vector<float> values(row.size());
  tensor::dequantizeRow(format, bytes.data(), values);
  setScales(static_cast<float>(std::sqrt(meanSquare(row) / meanSquare(values))));
  return bytes;
}

}  // namespace waferpair::test
