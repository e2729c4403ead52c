// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/placement.h"

#include <charconv>

namespace waferpair::wafer {

base::Result<Grid> parseGrid(std::string_view text) {
  Grid grid;
  const char* end = text.data() + text.size();
  auto [x, widthError] = std::from_chars(text.data(), end, grid.width);
  if (widthError == std::errc() && x != end && *x == 'x') {
    auto [last, heightError] = std::from_chars(x + 1, end, grid.height);
    if (heightError == std::errc() && last == end && grid.width > 0 && grid.height > 0) {
      return grid;
    }
  }
  return base::fail(std::string("\"").append(text.substr(0, 40)) + "\" is not a grid.",
                    "Write columns x rows of PEs, like 420x420.");
}

const char* objectiveName(Objective objective) {
  static constexpr const char* kNames[] = {"latency", "replicas", "context"};
  return kNames[static_cast<int>(objective)];
}

base::Result<Objective> parseObjective(std::string_view name) {
  for (Objective o : {Objective::kLatency, Objective::kReplicas, Objective::kContext}) {
    if (name == objectiveName(o)) return o;
  }
  return base::fail("There is no objective \"" + std::string(name) + "\".",
                    "Known are: latency, replicas, context.");
}

std::int64_t Placement::usedPes() const {
  std::int64_t pes = 0;
  for (const Region& region : regions) pes += region.rect.area();
  return pes;
}

}  // namespace waferpair::wafer
