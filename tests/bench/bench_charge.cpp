// SPDX-License-Identifier: GPL-3.0-or-later
// What charging the emulated wafer costs the host: programs of several sizes, and shadows of large
// models, in steps of decode, of a draft and of prefill. Beside it the share of a step of the
// default model, which takes at most 1 / 600 s (a chunk of prefill several times that).
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "runtime/wafer/program.h"

using namespace waferpair;

namespace {

constexpr double kStepNanoseconds = 1e9 / 600;
constexpr int kContext = 1024;  // of the default model

// Of this thread, so that other work on the machine does not count.
double cpuNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

double nanosecondsPerStep(wafer::Program& program, wafer::StepContext step) {
  constexpr int kSteps = 200, kRounds = 15;
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const double start = cpuNanoseconds();
    for (int i = 0; i < kSteps; ++i) {
      step.context = i * 4;
      program.charge(step);
    }
    rounds.push_back((cpuNanoseconds() - start) / kSteps);
  }
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return rounds[kRounds / 2];
}

bool measure(const wafer::ModelShape& shape, const wafer::Machine& machine,
             const wafer::Profile& profile) {
  const double start = cpuNanoseconds();
  auto plan = wafer::plan(shape, machine, profile, {.context = std::max(kContext, 8192)});
  const double planned = 1e-9 * (cpuNanoseconds() - start);
  if (!plan) return false;
  wafer::Program program = wafer::Program::shadow(std::move(*plan));
  const double decode = nanosecondsPerStep(program, {.tokens = 1});
  const double draft = nanosecondsPerStep(program, {.tokens = 5, .logits = 5, .drafted = 4});
  const double chunk = nanosecondsPerStep(program, {.tokens = 32, .logits = 0});
  std::printf("%-20s %6zu %7d %9.2f %9.1f %6.2f%% %9.1f %6.2f%% %9.1f\n", shape.name.c_str(),
              program.plan().ops.size(), program.plan().placement.wafers, planned, 1e-3 * decode,
              100 * decode / kStepNanoseconds, 1e-3 * draft, 100 * draft / kStepNanoseconds,
              1e-3 * chunk);
  return true;
}

}  // namespace

int main() {
  const auto machine = wafer::findMachine("wse3");
  const auto profile = wafer::defaultProfile("wse3");
  if (!machine || !profile) return 1;
  std::printf("%-20s %6s %7s %9s %9s %7s %9s %7s %9s\n", "shape", "ops", "wafers", "plan s",
              "decode us", "", "draft us", "", "chunk us");
  for (int layers : {5, 7, 12, 32}) {
    const wafer::ModelShape shape{
        std::to_string(layers) + " layers", 256, 768, layers, 8, 4, 32, 8192, 1024, true};
    if (!measure(shape, *machine, *profile)) return 1;
  }
  for (const std::string& name : wafer::shapeNames()) {
    const auto shape = wafer::findShape(name);
    if (!shape || !measure(*shape, *machine, *profile)) return 1;
  }
  return 0;
}
