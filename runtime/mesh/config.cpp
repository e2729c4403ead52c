// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/config.h"

#include <string>

#include "runtime/mesh/arithmetic.h"
#include "runtime/mesh/fabric.h"
#include "runtime/mesh/ranges.h"

namespace waferpair::mesh {

base::Result<Config> configFor(const wafer::Machine& machine, int width, int height) {
  if (width > machine.fabricWidth || height > machine.fabricHeight) {
    return base::fail("A region of " + std::to_string(width) + " x " + std::to_string(height) +
                          " PEs does not fit " + machine.title + ".",
                      "Take at most " + std::to_string(machine.fabricWidth) + " x " +
                          std::to_string(machine.fabricHeight) + ".");
  }
  if (machine.hopCycles != 1) {
    return base::fail(machine.title + ": hop_cycles is " + std::to_string(machine.hopCycles) + ".",
                      "The mesh is simulated with one cycle a hop.");
  }
  Config config;
  config.width = width;
  config.height = height;
  config.colors = machine.colors;
  config.lanes = machine.lanes;
  config.sramBytes = machine.sramBytes;
  config.sramBanks = machine.sramBanks;
  config.rampCycles = machine.rampCycles;
  if (auto checked = check(config); !checked) return tl::unexpected(checked.error());
  return config;
}

base::Result<void> check(const Config& config) {
  // A region of 1024 x 1024 would take 50 GB for its SRAM alone.
  const Range ranges[] = {
      {"width", config.width, 1, 1024},
      {"height", config.height, 1, 1024},
      {"colors", config.colors, 1, kMaxColors},
      {"lanes", config.lanes, 2, kMaxLanes},
      {"SRAM bytes", config.sramBytes, 8, 65536},
      {"SRAM banks", config.sramBanks, 1, 8},
      {"ramp cycles", config.rampCycles, 1, 4},
      {"link queue depth", config.linkDepth, 1, kQueueRoom},
      {"ramp queue depth", config.rampDepth, 1, kQueueRoom},
      {"cycles of a special function", config.specialCycles, 1, 1000},
  };
  if (auto checked = checkRanges("Mesh", ranges); !checked) return checked;
  constexpr std::int64_t kMostBytes = std::int64_t{4} << 30;
  const std::int64_t bytes = std::int64_t{config.peCount()} * config.sramBytes;
  if (bytes > kMostBytes) {
    return base::fail("Mesh: the SRAM of " + std::to_string(config.width) + " x " +
                          std::to_string(config.height) + " PEs is " + std::to_string(bytes >> 20) +
                          " MiB.",
                      "Simulate a region of at most " + std::to_string(kMostBytes >> 20) + " MiB.");
  }
  return {};
}

}  // namespace waferpair::mesh
