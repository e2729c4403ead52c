// SPDX-License-Identifier: GPL-3.0-or-later
// The configuration of the simulator that counts every cycle: a rectangle of PEs of a machine.
#pragma once

#include <cstdint>

#include "runtime/base/result.h"
#include "runtime/wafer/machine/machine.h"

namespace waferpair::mesh {

struct Config {
  int width = 1;   // PEs in a row (x)
  int height = 1;  // PEs in a column (y)

  int colors = 24;        // routable colors
  int lanes = 8;          // FP16 elements a vector operation does in a cycle; FP32 takes two lanes
  int sramBytes = 49152;  // of one PE
  int sramBanks = 8;      // eight bytes wide, interleaved: byte a lies in bank (a / 8) % banks
  int rampCycles = 2;     // T_R, between a core and its router, one way

  // Wavelets of one color that wait at a router for each of its ports, and at a core. Not
  // published; anything from 2 (links) and T_R + 2 (ramp) on runs a link at its full rate.
  int linkDepth = 4;
  int rampDepth = 8;

  // Cycles of one element of exp, 1 / x and 1 / sqrt(x), which are library code. Assumed.
  int specialCycles = 16;

  int peCount() const { return width * height; }
  int peAt(int x, int y) const { return y * width + x; }
};

// A rectangle of `machine`, with its lanes, SRAM, banks, ramp and colors.
base::Result<Config> configFor(const wafer::Machine& machine, int width, int height);

// Checks that a simulator can be built of it; the error names the field and its range.
base::Result<void> check(const Config& config);

}  // namespace waferpair::mesh
