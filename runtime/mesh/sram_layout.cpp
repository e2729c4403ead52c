// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/sram_layout.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "runtime/wafer/cost/cost.h"

namespace waferpair::mesh {

namespace {

constexpr std::int64_t kLine = 64;
constexpr std::int64_t kMostTold = std::int64_t{1} << 31;
std::int64_t roundUp(std::int64_t bytes) { return wafer::ceilDiv(bytes, kLine) * kLine; }

}  // namespace

std::uint32_t SramLayout::take(std::int64_t bytes, std::int64_t behindLine) {
  assert(bytes >= 0 && behindLine >= 0 && behindLine < kLine);
  const std::int64_t begin = roundUp(end_) + behindLine;
  // Far beyond any SRAM all addresses are alike.
  end_ = std::min(begin + bytes, kMostTold);
  return static_cast<std::uint32_t>(begin);
}

Span SramLayout::vector(std::int64_t length, Type type) {
  return {take(length * bytesOf(type), 0), static_cast<std::uint32_t>(length), type};
}

Matrix SramLayout::matrix(std::int64_t rows, std::int64_t columns) {
  if (dense_) return packed(rows, columns);
  const std::int64_t pitch = roundUp(columns * bytesOf(Type::F16));
  return {take(rows * pitch, kLine / 2), static_cast<std::uint32_t>(pitch)};
}

Matrix SramLayout::table(std::int64_t rows, std::int64_t columns) { return packed(rows, columns); }

Matrix SramLayout::packed(std::int64_t rows, std::int64_t columns) {
  const std::int64_t pitch = wafer::ceilDiv(columns * bytesOf(Type::F16), 8) * 8;
  return {take(rows * pitch, kLine / 2), static_cast<std::uint32_t>(pitch)};
}

base::Result<void> SramLayout::check(const char* what, const Config& config) const {
  if (end_ <= config.sramBytes) return {};
  return base::fail(std::string(what) + " needs " + std::to_string(end_) +
                        (end_ == kMostTold ? " and more" : "") + " bytes of a PE's " +
                        std::to_string(config.sramBytes) + ".",
                    "Take a larger region, or a smaller model.");
}

}  // namespace waferpair::mesh
