// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/machine/machine.h"

#include "runtime/base/json_fields.h"
#include "runtime/wafer/machine/data.h"

namespace waferpair::wafer {

base::Result<Machine> parseMachine(std::string_view text) {
  const auto json = base::parseJsonObject(text, "machine");
  if (!json) return tl::unexpected(json.error());
  base::JsonFields in(*json, "machine");
  Machine m;
  m.name = in.text("name");
  m.title = in.text("title");
  m.fabricWidth = in.integer("fabric_width", 1, kMostFabric);
  m.fabricHeight = in.integer("fabric_height", 1, kMostFabric);
  m.diesX = in.integer("dies_x", 1, 1 << 10);
  m.diesY = in.integer("dies_y", 1, 1 << 10);
  m.sramBytes = in.integer("sram_bytes", kLeastSram, kMostSram);
  m.sramBanks = in.integer("sram_banks", 1, 1 << 10);
  m.sramBytesPerCycle = in.integer("sram_bytes_per_cycle", 1, 1 << 12);
  m.lanes = in.integer("lanes", 1, kMostLanes);
  m.hopCycles = in.integer("hop_cycles", 1, kMostHopCycles);
  m.rampCycles = in.integer("ramp_cycles", 0, 1000);
  m.colors = in.integer("colors", 1, 1 << 10);
  m.powerWatts = in.number("power_watts", 1, 1e6);
  m.ioBitsPerSecond = in.number("io_bits_per_second", 1, 1e18);
  m.waferHopSeconds = in.number("wafer_hop_seconds", 0, 1);
  m.vendorCores = in.number("vendor_cores", 0, 1e12);
  m.vendorSramBytes = in.number("vendor_sram_bytes", 0, 1e18);
  m.vendorMemoryBytesPerSecond = in.number("vendor_memory_bytes_per_second", 0, 1e18);
  m.vendorFabricBitsPerSecond = in.number("vendor_fabric_bits_per_second", 0, 1e18);
  m.vendorFlops = in.number("vendor_flops", 0, 1e18);
  for (const auto& clock : in.list("clocks_ghz")) {
    if (!clock.is_number() || !(clock.get<double>() > 0 && clock.get<double>() < 100)) {
      in.fail("clocks_ghz", "holds something that is not a clock.",
              "Each should be a number of GHz.");
      break;
    }
    m.clocksGhz.push_back(clock.get<double>());
  }
  if (m.clocksGhz.empty()) in.fail("clocks_ghz", "is empty.", "Give one clock in GHz.");
  for (const auto& [key, source] : in.object("sources").items()) {
    if (source.is_string()) m.sources[key] = source.get<std::string>();
  }
  if (auto ok = in.check(); !ok) return tl::unexpected(ok.error());
  return m;
}

base::Result<Machine> findMachine(std::string_view name) {
  if (auto text = findData("machines", name)) return parseMachine(*text);
  return base::fail("There is no wafer \"" + std::string(name) + "\".",
                    "Known are: " + joinNames(machineNames()) + ".");
}

std::vector<std::string> machineNames() { return dataNames("machines"); }

}  // namespace waferpair::wafer
