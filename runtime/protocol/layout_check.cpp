// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/protocol/layout_check.h"

#include <cmath>

namespace waferpair::protocol {
namespace {

// Remembers the first thing that is wrong.
class Check {
 public:
  void range(const std::string& field, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value < low || value > high)
      fail(field,
           std::to_string(value) + ", not " + std::to_string(low) + " to " + std::to_string(high));
  }
  void name(const std::string& field, const std::string& value) {
    if (value.size() > kMaxNameBytes) fail(field, "longer than any name");
  }
  void fail(const std::string& field, const std::string& what) {
    if (problem_.empty()) problem_ = field + " is " + what + ".";
  }
  bool ok() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }

 private:
  std::string problem_;
};

void checkRegion(const WaferLayout& layout, std::size_t index, Check& check) {
  const RegionLayout& region = layout.regions[index];
  const std::string at = "regions[" + std::to_string(index) + "].";
  check.name(at + "name", region.name);
  check.range(at + "wafer", region.wafer, 0, layout.wafers - 1);
  check.range(at + "x", region.rect.x, 0, layout.fabricWidth - 1);
  check.range(at + "y", region.rect.y, 0, layout.fabricHeight - 1);
  if (!check.ok()) return;
  check.range(at + "width", region.rect.width, 1, layout.fabricWidth - region.rect.x);
  check.range(at + "height", region.rect.height, 1, layout.fabricHeight - region.rect.y);
  std::uint64_t sum = 0;
  for (const std::uint32_t bytes : region.sramPerPe) sum += bytes;
  if (sum > layout.sramPerPe)
    check.fail(at + "sram", std::to_string(sum) + " bytes in all, more than a PE's " +
                                std::to_string(layout.sramPerPe));
}

}  // namespace

std::string problemOf(const WaferLayout& layout) {
  Check check;
  check.name("machine", layout.machine);
  check.name("profile", layout.profile);
  check.name("model", layout.model);
  check.name("shadow_of", layout.shadowOf);
  if (!(layout.clockHz > 0 && std::isfinite(layout.clockHz)))
    check.fail("clock_hz", "not a positive number");
  check.range("wafers", layout.wafers, 1, kMaxWafers);
  check.range("fabric_width", layout.fabricWidth, 1, kMaxFabric);
  check.range("fabric_height", layout.fabricHeight, 1, kMaxFabric);
  check.range("die_columns", layout.dieColumns, 1, layout.fabricWidth);
  check.range("die_rows", layout.dieRows, 1, layout.fabricHeight);
  check.range("sram_per_pe", layout.sramPerPe, 1, 1 << 30);
  const auto isAmount = [](double value) { return value >= 0 && std::isfinite(value); };
  if (!isAmount(layout.loadBytes)) check.fail("load_bytes", "not a number of bytes");
  if (!isAmount(layout.loadSeconds)) check.fail("load_seconds", "not a number of seconds");
  if (layout.regions.size() > kMaxParts) check.fail("regions", "a list of too many");
  if (layout.ops.size() > kMaxParts) check.fail("ops", "a list of too many");
  for (std::size_t i = 0; i < layout.regions.size() && check.ok(); ++i)
    checkRegion(layout, i, check);
  const auto regions = static_cast<std::int64_t>(layout.regions.size());
  for (std::size_t i = 0; i < layout.ops.size() && check.ok(); ++i) {
    const std::string at = "ops[" + std::to_string(i) + "].";
    check.name(at + "name", layout.ops[i].name);
    check.range(at + "region", layout.ops[i].region, 0, regions - 1);
    check.range(at + "layer", layout.ops[i].layer, -1, 1 << 20);
  }
  return check.problem();
}

}  // namespace waferpair::protocol
