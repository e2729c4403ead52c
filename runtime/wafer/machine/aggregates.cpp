// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/machine/aggregates.h"

namespace waferpair::wafer {
namespace {

constexpr double kLinks = 4, kBothWays = 2, kWaveletBits = 32, kFlopsOfMultiplyAdd = 2;

struct Figure {
  const char* key;  // of the machine's file
  std::string name, label, unit;
  double unitSize = 1;
  double modelled = 0, published = 0;  // of no unit
  bool byClock = false;                // the two are of the same thing, and go by the clock
  std::string remark = {};
};

}  // namespace

std::vector<Aggregate> aggregatesOf(const Machine& m, double clockGhz) {
  const auto pes = static_cast<double>(m.peCount());
  const double hertz = pes * clockGhz * 1e9;  // of all PEs together
  const Figure figures[] = {
      {.key = "vendor_cores",
       .name = "cores",
       .label = "Cores",
       .unit = "",
       .modelled = pes,
       .published = m.vendorCores,
       .remark = "a program can use those that the SDK exposes"},
      {.key = "vendor_sram_bytes",
       .name = "sram",
       .label = "SRAM",
       .unit = "GB",
       .unitSize = 1e9,
       .modelled = pes * m.sramBytes,
       .published = m.vendorSramBytes},
      {.key = "vendor_memory_bytes_per_second",
       .name = "memory",
       .label = "Memory, " + std::to_string(m.sramBytesPerCycle) + " B a cycle and PE",
       .unit = "PB/s",
       .unitSize = 1e15,
       .modelled = hertz * m.sramBytesPerCycle,
       .published = m.vendorMemoryBytesPerSecond,
       .byClock = true},
      {.key = "vendor_fabric_bits_per_second",
       .name = "fabric",
       .label = "Fabric, 32 bits a cycle, 4 links both ways",
       .unit = "Pb/s",
       .unitSize = 1e15,
       .modelled = hertz * kLinks * kBothWays * kWaveletBits,
       .published = m.vendorFabricBitsPerSecond,
       .byClock = true},
      {.key = "vendor_flops",
       .name = "arithmetic",
       .label = "FP16, dense, " + std::to_string(m.lanes) + " multiply-adds a cycle and PE",
       .unit = "PFLOP/s",
       .unitSize = 1e15,
       .modelled = hertz * m.lanes * kFlopsOfMultiplyAdd,
       .published = m.vendorFlops,
       .remark = "the vendor counts sparse products: not comparable"},
  };
  std::vector<Aggregate> all;
  for (const Figure& f : figures) {
    Aggregate a{
        .name = f.name, .label = f.label, .unit = f.unit, .modelled = f.modelled / f.unitSize};
    if (f.published > 0) {
      a.published = f.published / f.unitSize;
      if (f.byClock) a.impliedGhz = clockGhz * f.published / f.modelled;
      a.remark = f.remark;
    }
    if (const auto source = m.sources.find(f.key); source != m.sources.end())
      a.source = source->second;
    all.push_back(std::move(a));
  }
  return all;
}

}  // namespace waferpair::wafer
