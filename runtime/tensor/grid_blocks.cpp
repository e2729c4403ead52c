// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of 256 values whose magnitudes are points of a grid: IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS,
// IQ3_S.
#include <bit>
#include <cstring>

#include "runtime/tensor/blocks.h"
#include "runtime/tensor/grids.h"

namespace waferpair::tensor {

static_assert(sizeof(BlockIQ2_XXS) == 66 && sizeof(BlockIQ2_XS) == 74 && sizeof(BlockIQ2_S) == 82);
static_assert(sizeof(BlockIQ3_XXS) == 98 && sizeof(BlockIQ3_S) == 110);

namespace {

constexpr int kPoints = kSuperBlock / 8;  // of eight values

// The signs of eight values of which seven are stored: the eighth makes the minuses even.
int allSigns(unsigned seven) {
  seven &= 127;
  return static_cast<int>(seven | static_cast<unsigned>(std::popcount(seven) & 1) << 7);
}

std::int8_t groupScale(unsigned four) { return static_cast<std::int8_t>(2 * (four & 15) + 1); }

// Values [8 at, 8 at + 8) as numbers in the format's table.
void put(const GridPoint& levels, int signs, int at, BlockCodes& out) {
  for (int i = 0; i < 8; ++i) {
    const int minus = (signs >> i & 1) << 3;
    out.quants[8 * at + i] = static_cast<std::int8_t>(levels[static_cast<std::size_t>(i)] | minus);
  }
}

GridPoint joined(const GridPoint& first, const GridPoint& second) {
  return {first[0], first[1], first[2], first[3], second[0], second[1], second[2], second[3]};
}

std::uint32_t wordAt(const std::uint8_t* bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

}  // namespace

void decode(const BlockIQ2_XXS& block, BlockCodes& out) {
  const auto grid = gridOf(Format::kIQ2_XXS);
  for (int g = 0; g < kSuperBlock / 32; ++g) {
    const std::uint32_t word = wordAt(block.groups[g] + 4);
    for (int i = 0; i < 4; ++i) {
      put(grid[block.groups[g][i]], allSigns(word >> (7 * i)), 4 * g + i, out);
    }
    out.scales[g] = groupScale(word >> 28);
  }
  out.scale[0] = block.scale;
}

void decode(const BlockIQ2_XS& block, BlockCodes& out) {
  const auto grid = gridOf(Format::kIQ2_XS);
  for (int i = 0; i < kPoints; ++i) {
    put(grid[block.points[i] & 511u], allSigns(block.points[i] >> 9), i, out);
  }
  for (int g = 0; g < kSuperBlock / 16; ++g) {
    out.scales[g] = groupScale(static_cast<unsigned>(block.scales[g / 2] >> (g % 2 * 4)));
  }
  out.scale[0] = block.scale;
}

void decode(const BlockIQ2_S& block, BlockCodes& out) {
  const auto grid = gridOf(Format::kIQ2_S);
  for (int i = 0; i < kPoints; ++i) {
    const int high = block.high[i / 4] >> (i % 4 * 2) & 3;
    put(grid[static_cast<std::size_t>(block.points[i] | high << 8)], block.signs[i], i, out);
  }
  for (int g = 0; g < kSuperBlock / 16; ++g) {
    out.scales[g] = groupScale(static_cast<unsigned>(block.scales[g / 2] >> (g % 2 * 4)));
  }
  out.scale[0] = block.scale;
}

void decode(const BlockIQ3_XXS& block, BlockCodes& out) {
  const auto grid = gridOf(Format::kIQ3_XXS);
  for (int g = 0; g < kSuperBlock / 32; ++g) {
    const std::uint32_t word = wordAt(block.groups[g]);
    for (int i = 4 * g; i < 4 * g + 4; ++i) {
      put(joined(grid[block.points[2 * i]], grid[block.points[2 * i + 1]]),
          allSigns(word >> (7 * (i % 4))), i, out);
    }
    out.scales[g] = groupScale(word >> 28);
  }
  out.scale[0] = block.scale;
}

void decode(const BlockIQ3_S& block, BlockCodes& out) {
  const auto grid = gridOf(Format::kIQ3_S);
  const auto point = [&](int i) {
    const int high = block.high[i / 8] >> (i % 8) & 1;
    return grid[static_cast<std::size_t>(block.points[i] | high << 8)];
  };
  for (int i = 0; i < kPoints; ++i) {
    put(joined(point(2 * i), point(2 * i + 1)), block.signs[i], i, out);
  }
  for (int g = 0; g < kSuperBlock / 32; ++g) {
    out.scales[g] = groupScale(static_cast<unsigned>(block.scales[g / 2] >> (g % 2 * 4)));
  }
  out.scale[0] = block.scale;
}

}  // namespace waferpair::tensor
