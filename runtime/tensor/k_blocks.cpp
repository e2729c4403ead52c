// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of 256 values in groups whose scales are small integers: Q2_K, Q3_K, Q4_K, Q5_K, Q6_K,
// IQ4_XS.
#include <algorithm>
#include <cmath>

#include "runtime/tensor/blocks.h"
#include "runtime/tensor/fit.h"
#include "runtime/tensor/rounding.h"

namespace waferpair::tensor {

static_assert(sizeof(BlockQ2_K) == 84 && sizeof(BlockQ3_K) == 110 && sizeof(BlockQ4_K) == 144);
static_assert(sizeof(BlockQ5_K) == 176 && sizeof(BlockQ6_K) == 210 && sizeof(BlockIQ4_XS) == 136);

namespace {

constexpr Half kHalfSign = 0x8000;

std::int8_t small(int value) { return static_cast<std::int8_t>(value); }
std::uint8_t byte(int value) { return static_cast<std::uint8_t>(value); }

// The byte and shift of the bits of element i in Q2_K and Q3_K, and of the upper bits in Q6_K.
constexpr int pairByte(int i) { return i / 128 * 32 + i % 32; }
constexpr int pairShift(int i) { return i % 128 / 32 * 2; }
// The four bits of element i in Q4_K and Q5_K.
constexpr int nibbleByte(int i) { return i / 64 * 32 + i % 32; }
constexpr int nibbleShift(int i) { return i % 64 / 32 * 4; }
// The lower four bits of element i in Q6_K.
constexpr int lowByte(int i) { return i / 128 * 64 + i % 64; }
constexpr int lowShift(int i) { return i % 128 / 64 * 4; }

// Sets each of 32 elements from the bits, `bits` of them, at one place of as many bytes; those of a
// second call come above them. So written compilers work on several at a time.
void readRun(const std::uint8_t* from, int shift, int bits, std::int8_t* to) {
  const int mask = (1 << bits) - 1;
  for (int i = 0; i < kBlock; ++i) to[i] = small((from[i] >> shift) & mask);
}
void readAbove(const std::uint8_t* from, int shift, int bits, int place, std::int8_t* to) {
  const int mask = (1 << bits) - 1;
  for (int i = 0; i < kBlock; ++i) to[i] = small(to[i] | ((from[i] >> shift) & mask) << place);
}

// Groups 0..3 have the lower six bits of bytes g and g + 4; those after them four bits of byte
// g + 4, and above these the upper two of the bytes of groups g - 4.
void readScales(const std::uint8_t (&from)[12], BlockCodes& out) {
  for (int g = 0; g < 4; ++g) {
    out.scales[g] = small(from[g] & 63);
    out.minimums[g] = small(from[g + 4] & 63);
    out.scales[g + 4] = small((from[g + 8] & 15) | ((from[g] >> 6) << 4));
    out.minimums[g + 4] = small((from[g + 8] >> 4) | ((from[g + 4] >> 6) << 4));
  }
}

void writeScales(const int (&scales)[8], const int (&minimums)[8], std::uint8_t (&to)[12]) {
  for (int g = 0; g < 4; ++g) {
    to[g] = byte(scales[g] | ((scales[g + 4] >> 4) << 6));
    to[g + 4] = byte(minimums[g] | ((minimums[g + 4] >> 4) << 6));
    to[g + 8] = byte((scales[g + 4] & 15) | ((minimums[g + 4] & 15) << 4));
  }
}

// The integer beside `guess`, within least..most, with the smallest error(integer).
template <typename Error>
int bestNear(int guess, int least, int most, Error&& error) {
  int best = guess;
  auto bestError = error(guess);
  for (const int other : {guess - 1, guess + 1}) {
    if (other < least || other > most) continue;
    if (const auto found = error(other); found < bestError) {
      best = other;
      bestError = found;
    }
  }
  return best;
}

// Sum of (value - step * quant + taken)^2 with the nearest quants.
float squaredError(const float* values, int n, float step, float taken, int least, int most) {
  float error = 0;
  for (int i = 0; i < n; ++i) {
    const float off =
        values[i] + taken - step * static_cast<float>(steps(values[i] + taken, step, least, most));
    error += off * off;
  }
  return error;
}

// Groups with a minimum, N of them, each fitted alone; then both numbers are rounded to at most
// `mostScale` steps that all groups share, and the integers around these tried.
template <int N>
struct Ranges {
  int scales[N], minimums[N], quants[kSuperBlock];
  Half scale, minimum;

  Ranges(const float* values, int most, int mostScale) {
    constexpr int kGroup = kSuperBlock / N;
    float each[N], taken[N], weights[N], equal[N];
    for (int g = 0; g < N; ++g) {
      const float* group = values + g * kGroup;
      const Range range = fitRange(group, kGroup, most, true);
      each[g] = range.scale;
      taken[g] = -range.minimum;
      // An error of the scale counts with the quants' squares.
      weights[g] = 0;
      equal[g] = 1;
      for (int i = 0; i < kGroup; ++i) {
        const float quant = range.scale > 0 ? (group[i] + taken[g]) / range.scale : 0;
        weights[g] += quant * quant;
      }
    }
    scale = fitStep(each, weights, N, mostScale);
    minimum = fitStep(taken, equal, N, mostScale);
    for (int g = 0; g < N; ++g) {
      const float* group = values + g * kGroup;
      const auto errorOf = [&](int scaleSteps, int minimumSteps) {
        return squaredError(group, kGroup, toFloat(scale) * static_cast<float>(scaleSteps),
                            toFloat(minimum) * static_cast<float>(minimumSteps), 0, most);
      };
      minimums[g] = steps(taken[g], toFloat(minimum), 0, mostScale);
      scales[g] = bestNear(steps(each[g], toFloat(scale), 0, mostScale), 0, mostScale,
                           [&](int n) { return errorOf(n, minimums[g]); });
      minimums[g] =
          bestNear(minimums[g], 0, mostScale, [&](int n) { return errorOf(scales[g], n); });
      const float step = toFloat(scale) * static_cast<float>(scales[g]);
      const float added = toFloat(minimum) * static_cast<float>(minimums[g]);
      for (int i = g * kGroup; i < (g + 1) * kGroup; ++i) {
        quants[i] = steps(values[i] + added, step, 0, most);
      }
    }
  }
};

// 16 groups around zero, with quants less `offset`, likewise.
struct Centered {
  int scales[16], quants[kSuperBlock];
  Half scale;

  Centered(const float* values, int offset, int mostScale) {
    float each[16], weights[16];
    for (int g = 0; g < 16; ++g) {
      each[g] = fitScale(values + g * 16, 16, -offset, offset - 1);
      weights[g] = 0;
      for (int i = g * 16; i < (g + 1) * 16; ++i) {
        const float quant = each[g] != 0 ? values[i] / each[g] : 0;
        weights[g] += quant * quant;
      }
    }
    scale = fitStep(each, weights, 16, mostScale);
    for (int g = 0; g < 16; ++g) {
      scales[g] = bestNear(
          steps(each[g], toFloat(scale), -mostScale, mostScale), -mostScale, mostScale, [&](int n) {
            return squaredError(values + g * 16, 16, toFloat(scale) * static_cast<float>(n), 0,
                                -offset, offset - 1);
          });
      const float step = toFloat(scale) * static_cast<float>(scales[g]);
      for (int i = g * 16; i < (g + 1) * 16; ++i) {
        quants[i] = steps(values[i], step, -offset, offset - 1) + offset;
      }
    }
  }
};

}  // namespace

void decode(const BlockQ2_K& block, BlockCodes& out) {
  for (int i = 0; i < kSuperBlock; i += kBlock) {
    readRun(block.quants + pairByte(i), pairShift(i), 2, out.quants + i);
  }
  for (int g = 0; g < 16; ++g) {
    out.scales[g] = small(block.scales[g] & 15);
    out.minimums[g] = small(block.scales[g] >> 4);
  }
  out.scale[0] = block.scale;
  out.minimum = block.minimum ^ kHalfSign;
}

void decode(const BlockQ3_K& block, BlockCodes& out) {
  for (int i = 0; i < kSuperBlock; i += kBlock) {
    readRun(block.quants + pairByte(i), pairShift(i), 2, out.quants + i);
    readAbove(block.high, i / kBlock, 1, 2, out.quants + i);
  }
  for (int g = 0; g < 16; ++g) {
    const int low = (block.scales[g % 8] >> (g / 8 * 4)) & 15;
    const int high = (block.scales[8 + g % 4] >> (g / 4 * 2)) & 3;
    out.scales[g] = small((low | (high << 4)) - 32);
  }
  out.scale[0] = block.scale;
}

void decode(const BlockQ4_K& block, BlockCodes& out) {
  for (int i = 0; i < kSuperBlock; i += kBlock) {
    readRun(block.quants + nibbleByte(i), nibbleShift(i), 4, out.quants + i);
  }
  readScales(block.scales, out);
  out.scale[0] = block.scale;
  out.minimum = block.minimum ^ kHalfSign;
}

void decode(const BlockQ5_K& block, BlockCodes& out) {
  for (int i = 0; i < kSuperBlock; i += kBlock) {
    readRun(block.quants + nibbleByte(i), nibbleShift(i), 4, out.quants + i);
    readAbove(block.high, i / kBlock, 1, 4, out.quants + i);
  }
  readScales(block.scales, out);
  out.scale[0] = block.scale;
  out.minimum = block.minimum ^ kHalfSign;
}

void decode(const BlockQ6_K& block, BlockCodes& out) {
  for (int i = 0; i < kSuperBlock; i += kBlock) {
    readRun(block.quants + lowByte(i), lowShift(i), 4, out.quants + i);
    readAbove(block.high + pairByte(i), pairShift(i), 2, 4, out.quants + i);
  }
  std::copy_n(block.scales, 16, out.scales);
  out.scale[0] = block.scale;
}

void decode(const BlockIQ4_XS& block, BlockCodes& out) {
  for (int g = 0; g < kSuperBlock / kBlock; ++g) {
    const int low = (block.scalesLow[g / 2] >> (g % 2 * 4)) & 15;
    const int high = (block.scalesHigh >> (2 * g)) & 3;
    out.scales[g] = small((low | (high << 4)) - 32);
    for (int i = 0; i < kBlock; ++i) {
      out.quants[g * kBlock + i] =
          small((block.quants[g * kBlock / 2 + i % 16] >> (i / 16 * 4)) & 15);
    }
  }
  out.scale[0] = block.scale;
}

void encode(const float* values, BlockQ2_K& out) {
  const Ranges<16> r(values, 3, 15);
  out = {};
  for (int i = 0; i < kSuperBlock; ++i) {
    out.quants[pairByte(i)] |= byte(r.quants[i] << pairShift(i));
  }
  for (int g = 0; g < 16; ++g) out.scales[g] = byte(r.scales[g] | (r.minimums[g] << 4));
  out.scale = r.scale;
  out.minimum = r.minimum;
}

void encode(const float* values, BlockQ3_K& out) {
  const Centered c(values, 4, 31);
  out = {};
  for (int i = 0; i < kSuperBlock; ++i) {
    out.quants[pairByte(i)] |= byte((c.quants[i] & 3) << pairShift(i));
    out.high[i % 32] |= byte((c.quants[i] >> 2) << (i / 32));
  }
  for (int g = 0; g < 16; ++g) {
    const int stored = c.scales[g] + 32;
    out.scales[g % 8] |= byte((stored & 15) << (g / 8 * 4));
    out.scales[8 + g % 4] |= byte((stored >> 4) << (g / 4 * 2));
  }
  out.scale = c.scale;
}

void encode(const float* values, BlockQ4_K& out) {
  const Ranges<8> r(values, 15, 63);
  out = {};
  for (int i = 0; i < kSuperBlock; ++i) {
    out.quants[nibbleByte(i)] |= byte(r.quants[i] << nibbleShift(i));
  }
  writeScales(r.scales, r.minimums, out.scales);
  out.scale = r.scale;
  out.minimum = r.minimum;
}

void encode(const float* values, BlockQ5_K& out) {
  const Ranges<8> r(values, 31, 63);
  out = {};
  for (int i = 0; i < kSuperBlock; ++i) {
    out.quants[nibbleByte(i)] |= byte((r.quants[i] & 15) << nibbleShift(i));
    out.high[i % 32] |= byte((r.quants[i] >> 4) << (i / 32));
  }
  writeScales(r.scales, r.minimums, out.scales);
  out.scale = r.scale;
  out.minimum = r.minimum;
}

void encode(const float* values, BlockQ6_K& out) {
  const Centered c(values, 32, 127);
  out = {};
  for (int i = 0; i < kSuperBlock; ++i) {
    out.quants[lowByte(i)] |= byte((c.quants[i] & 15) << lowShift(i));
    out.high[pairByte(i)] |= byte((c.quants[i] >> 4) << pairShift(i));
  }
  for (int g = 0; g < 16; ++g) out.scales[g] = small(c.scales[g]);
  out.scale = c.scale;
}

void encode(const float* values, BlockIQ4_XS& out) {
  constexpr int kGroups = kSuperBlock / kBlock;
  float each[kGroups], weights[kGroups];
  for (int g = 0; g < kGroups; ++g) {
    each[g] = fitScale(values + g * kBlock, kBlock, kIq4Values);
    weights[g] = 0;
    for (int i = g * kBlock; i < (g + 1) * kBlock; ++i) {
      const float quant = each[g] != 0 ? values[i] / each[g] : 0;
      weights[g] += quant * quant;
    }
  }
  out = {};
  out.scale = fitStep(each, weights, kGroups, 31);
  for (int g = 0; g < kGroups; ++g) {
    const float* group = values + g * kBlock;
    int quants[kBlock];
    const auto error = [&](int scale) {
      return encodeByTable(group, toFloat(out.scale) * static_cast<float>(scale), kIq4Values,
                           quants);
    };
    const int scale = bestNear(steps(each[g], toFloat(out.scale), -32, 31), -32, 31, error);
    error(scale);
    out.scalesLow[g / 2] |= byte(((scale + 32) & 15) << (g % 2 * 4));
    out.scalesHigh = static_cast<std::uint16_t>(out.scalesHigh | ((scale + 32) >> 4) << (2 * g));
    for (int i = 0; i < kBlock; ++i) {
      out.quants[g * kBlock / 2 + i % 16] |= byte(quants[i] << (i / 16 * 4));
    }
  }
}

}  // namespace waferpair::tensor
