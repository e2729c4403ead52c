// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what charging the emulated wafer costs the host: for the programs of several models and
// of large shadows, in steps of decode, of a draft and of prefill, beside a step of the default
// model, which takes 1 / 600 s; and by how much it lengthens the decode steps of a real model, on
// and off by turns. bench_charging [FILE.gguf]
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "runtime/inference/model/compiled_model.h"
#include "runtime/wafer/plan/program.h"
#include "tests/bench/bench_model.h"

namespace {

using namespace waferpair;

constexpr double kStepNanoseconds = 1e9 / 600;
constexpr int kContext = 1024;  // of the default model

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The processor time of this thread, so that other work on the machine does not count.
double cpuNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

double nanosecondsPerCharge(wafer::Program& program, wafer::StepContext step) {
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
  return median(rounds);
}

bool printCharges(const wafer::ModelShape& shape, const wafer::Machine& machine,
                  const wafer::Profile& profile) {
  const double start = cpuNanoseconds();
  auto plan = wafer::plan(shape, machine, profile, {.context = std::max(kContext, 8192)});
  const double planned = 1e-9 * (cpuNanoseconds() - start);
  if (!plan) return false;
  wafer::Program program = wafer::Program::shadow(std::move(*plan));
  const double decode = nanosecondsPerCharge(program, {.tokens = 1});
  const double draft = nanosecondsPerCharge(program, {.tokens = 5, .logits = 5, .drafted = 4});
  const double chunk = nanosecondsPerCharge(program, {.tokens = 32, .logits = 0});
  std::printf("%-20s %6zu %7d %9.2f %9.1f %6.2f%% %9.1f %6.2f%% %9.1f\n", shape.name.c_str(),
              program.plan().ops.size(), program.plan().placement.wafers, planned, 1e-3 * decode,
              100 * decode / kStepNanoseconds, 1e-3 * draft, 100 * draft / kStepNanoseconds,
              1e-3 * chunk);
  return true;
}

bool printTable() {
  const auto machine = wafer::findMachine("wse3");
  const auto profile = wafer::defaultProfile("wse3");
  if (!machine || !profile) return false;
  std::printf("%-20s %6s %7s %9s %9s %7s %9s %7s %9s\n", "shape", "ops", "wafers", "plan s",
              "decode us", "", "draft us", "", "chunk us");
  for (int layers : {5, 7, 12, 32}) {
    const wafer::ModelShape shape{
        std::to_string(layers) + " layers", 256, 768, layers, 8, 4, 32, 8192, kContext, true};
    if (!printCharges(shape, *machine, *profile)) return false;
  }
  for (const std::string& name : wafer::shapeNames()) {
    const auto shape = wafer::findShape(name);
    if (!shape || !printCharges(*shape, *machine, *profile)) return false;
  }
  return true;
}

// Microseconds of each step; a round is short beside what disturbs a machine.
void decode(inference::CompiledModel& model, transformer::KvCache& kv, std::vector<double>& steps) {
  using Clock = std::chrono::steady_clock;
  inference::Sampler greedy({});
  kv.truncate(0);
  std::int32_t token = 65;
  for (int i = 0; i < 24; ++i) {
    const auto before = Clock::now();
    const auto result = model.step(std::span(&token, 1), kv, &greedy);
    steps.push_back(std::chrono::duration<double, std::micro>(Clock::now() - before).count());
    if (!result) bench::giveUp(result.error());
    token = result->token;
  }
}

void printSteps(inference::CompiledModel& model) {
  auto kv = *transformer::KvCache::make(model.config(), model.card().context);
  std::vector<double> on, off, warm;
  decode(model, kv, warm);
  for (int round = 0; round < 60; ++round) {
    for (const bool charging : {round % 2 == 0, round % 2 != 0}) {
      model.setCharging(charging);
      decode(model, kv, charging ? on : off);
    }
  }
  std::printf("model                 %s, %d threads\n", model.card().name.c_str(), model.threads());
  std::printf("decode step, off      %.1f us (median of %zu)\n", median(off), off.size());
  std::printf("decode step, charging %.1f us\n", median(on));
  std::printf("ratio                 %.4f (limit 1.03)\n", median(on) / median(off));
}

}  // namespace

int main(int argc, char** argv) {
  auto model = inference::CompiledModel::load(bench::modelPath(argc, argv));
  if (!model) bench::giveUp(model.error());
  if (!printTable()) return 1;
  printSteps(**model);
  return 0;
}
