// SPDX-License-Identifier: GPL-3.0-or-later
// Published speeds against estimated ones, row by row. Exits 1 if one is off by more than 1.5 %.
#include <cmath>
#include <cstdio>

#include "runtime/wafer/calibration.h"

using namespace waferpair;

int main() {
  constexpr double kLimitPercent = 1.5;
  const auto data = wafer::findCalibration("waferllm-2025");
  if (!data) return 1;
  const auto machine = wafer::findMachine(data->machine);
  const auto profile = wafer::findProfile(data->profile);
  if (!machine || !profile) return 1;
  std::printf("%s on %s at %.2f GHz, limit %.1f %%\n", profile->name.c_str(), machine->name.c_str(),
              profile->clockGhz, kLimitPercent);
  std::printf("%-8s %-10s %8s %10s %10s %8s\n", "phase", "model", "grid", "published", "estimated",
              "error");
  bool good = true;
  for (const auto& row : data->rows) {
    wafer::EstimateRequest request;
    request.shape = row.shape;
    request.machine = *machine;
    request.profile = *profile;
    request.phase = row.phase;
    request.grid = row.grid;
    request.context = row.context;
    const auto answer = wafer::estimate(request);
    if (!answer) {
      std::fprintf(stderr, "%s\n", answer.error().message().c_str());
      return 1;
    }
    const double error = 100 * (answer->tokensPerSecond / row.tokensPerSecond - 1);
    good = good && std::abs(error) <= kLimitPercent;
    std::printf("%-8s %-10s %4dx%-3d %10.1f %10.1f %7.2f%%\n", phaseName(row.phase),
                row.shape.name.c_str(), row.grid.width, row.grid.height, row.tokensPerSecond,
                answer->tokensPerSecond, error);
  }
  return good ? 0 : 1;
}
