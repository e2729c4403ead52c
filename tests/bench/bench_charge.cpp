// SPDX-License-Identifier: GPL-3.0-or-later
// What charging the emulated wafer costs the host, for programs of several sizes. The stages do
// nothing, so the difference between charging on and off is the charging.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "runtime/tensor/thread_team.h"
#include "runtime/wafer/program.h"

using namespace waferpair;

namespace {

// A step of the default model must take at most 1 / 600 s; charging may take 3 % of that.
constexpr double kLimitNanoseconds = 0.03 * 1e9 / 600;

double nanosecondsPerStep(wafer::Program& program, bool charging) {
  constexpr int kSteps = 2000, kRounds = 15;
  tensor::ThreadTeam team(1);
  program.setCharging(charging);
  const int room = program.plan().placement.context;
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kSteps; ++i) program.step({.tokens = 1, .context = i % room}, team);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    rounds.push_back(took.count() / kSteps);
  }
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return rounds[kRounds / 2];
}

}  // namespace

int main() {
  const auto machine = wafer::findMachine("wse3");
  const auto profile = wafer::findProfile("waferllm-2025-wse3");
  if (!machine || !profile) return 1;
  std::printf("charging one decode step; limit %.0f ns (3 %% of a step at 600 tokens/s)\n",
              kLimitNanoseconds);
  std::printf("%6s %6s %12s %12s %8s\n", "layers", "ops", "charged ns", "bare ns", "of limit");
  for (int layers : {5, 7, 12, 32}) {
    const wafer::ModelShape shape{"bench", 256, 768, layers, 8, 4, 32, 8192, 1024, true};
    auto plan = wafer::plan(shape, *machine, *profile);
    if (!plan) return 1;
    const int ops = static_cast<int>(plan->ops.size()), tail = plan->firstTailOp();
    auto nothing = [](const wafer::StepContext&, int, int) {};
    auto program = wafer::Program::make(
        std::move(*plan), {{"body", 0, tail, nothing}, {"tail", tail, ops - tail, nothing}});
    if (!program) return 1;
    const double charged = nanosecondsPerStep(*program, true);
    const double bare = nanosecondsPerStep(*program, false);
    std::printf("%6d %6d %12.0f %12.0f %7.1f%%\n", layers, ops, charged, bare,
                100 * (charged - bare) / kLimitNanoseconds);
  }
  return 0;
}
