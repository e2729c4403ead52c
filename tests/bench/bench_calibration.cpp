// SPDX-License-Identifier: GPL-3.0-or-later
// Published speeds against estimated ones, row by row of every profile that has some. Exits 1 if a
// row of WaferLLM's is off by more than 1.5 %, or one of the cloud's by more than 8 %.
#include <cmath>
#include <cstdio>

#include "runtime/wafer/estimate/calibration.h"

using namespace waferpair;

namespace {

bool print(const wafer::Profile& profile, double limitPercent) {
  const auto data = wafer::findCalibration(profile.name);
  const auto machine = wafer::findMachine(profile.machine);
  if (!data || !machine) return false;
  std::printf("%s on %s at %.2f GHz, limit %.1f %%\n", profile.name.c_str(), machine->name.c_str(),
              profile.clockGhz, limitPercent);
  std::printf("%-8s %-14s %8s %10s %10s %8s\n", "phase", "model", "grid", "published", "estimated",
              "error");
  bool good = true;
  for (const auto& row : data->rows) {
    const auto speed = wafer::estimatedTokensPerSecond(*data, row, *machine, profile);
    if (!speed) {
      std::fprintf(stderr, "%s\n", speed.error().message().c_str());
      return false;
    }
    const double error = 100 * errorOf(row, *speed);
    good = good && std::abs(error) <= limitPercent;
    std::printf("%-8s %-14s %4dx%-3d %10.1f %10.1f %7.2f%%\n", phaseName(row.phase),
                row.shape.name.c_str(), row.grid.width, row.grid.height, row.tokensPerSecond,
                *speed, error);
  }
  return good;
}

}  // namespace

int main() {
  bool good = true;
  for (const auto& name : wafer::profileNames()) {
    const auto profile = wafer::findProfile(name);
    if (!profile) return 1;
    if (wafer::hasCalibration(name))
      good = print(*profile, name == "cloud-2024-08" ? 8 : 1.5) && good;
  }
  return good ? 0 : 1;
}
