// SPDX-License-Identifier: GPL-3.0-or-later
// The facts of a wafer-scale machine, as data. Each machine is one JSON file under
// resources/wafer/machines, compiled into the program; every number there names its source.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace waferpair::wafer {

// Limits of what a machine may be.
inline constexpr int kMostFabric = 1 << 14;  // PEs in a row, and in a column
inline constexpr int kLeastSram = 1024, kMostSram = 1 << 28;
inline constexpr int kMostLanes = 1 << 10;
inline constexpr int kMostHopCycles = 1000;
inline constexpr double kLeastClockGhz = 0.01, kMostClockGhz = 100;

struct Machine {
  std::string name;   // "wse3", what --wafer takes
  std::string title;  // "Cerebras WSE-3"

  int fabricWidth = 0;   // PEs in a row that a program can use (x)
  int fabricHeight = 0;  // PEs in a column (y)
  int diesX = 0;         // reticle-sized dies over the width, for drawing
  int diesY = 0;

  int sramBytes = 0;  // of one PE, code and data together
  int sramBanks = 0;
  int sramBytesPerCycle = 0;  // two 64-bit reads and one 64-bit write
  int lanes = 0;              // FP16 lanes of the vector unit of one PE

  int hopCycles = 0;   // router to neighboring router
  int rampCycles = 0;  // T_R: between a core and its own router, one way
  int colors = 0;      // routable colors (virtual channels)

  double powerWatts = 0;          // of the whole system, as published
  double ioBitsPerSecond = 0;     // off the wafer
  double waferHopSeconds = 0;     // latency from one wafer to the next
  std::vector<double> clocksGhz;  // presets: no vendor clock is published for every machine

  // What the vendor says of the wafer as a whole (aggregates.h); 0: nothing.
  double vendorCores = 0;
  double vendorSramBytes = 0;
  double vendorMemoryBytesPerSecond = 0;
  double vendorFabricBitsPerSecond = 0;
  double vendorFlops = 0;  // FP16, sparse

  // The source of each number, by its key in the JSON file ("sram_bytes").
  std::map<std::string, std::string> sources;

  // The changes that make it a machine that nobody has built (what_if.h), in words; empty for one
  // that exists.
  std::vector<std::string> changes = {};

  std::int64_t peCount() const { return std::int64_t{fabricWidth} * fabricHeight; }
};

// The error names the field that is missing or out of range.
base::Result<Machine> parseMachine(std::string_view json);

// A machine that is compiled in, by name; the error lists the names there are.
base::Result<Machine> findMachine(std::string_view name);
std::vector<std::string> machineNames();

}  // namespace waferpair::wafer
