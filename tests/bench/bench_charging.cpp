// SPDX-License-Identifier: GPL-3.0-or-later
// What charging the wafer's costs adds to the time of a decode step: the same steps with it on and
// off, by turns, so that both see the same machine. bench_charging [FILE.gguf]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "runtime/inference/compiled_model.h"
#include "tests/bench/bench_model.h"

namespace {

using namespace waferpair;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 60;
constexpr int kSteps = 24;  // a round is short beside what disturbs a machine

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// Microseconds of each step.
void decode(inference::CompiledModel& model, transformer::KvCache& kv, std::vector<double>& steps) {
  inference::Sampler greedy({});
  kv.truncate(0);
  std::int32_t token = 65;
  for (int i = 0; i < kSteps; ++i) {
    const auto before = Clock::now();
    const auto result = model.step(std::span(&token, 1), kv, &greedy);
    steps.push_back(std::chrono::duration<double, std::micro>(Clock::now() - before).count());
    if (!result) std::exit(1);
    token = result->token;
  }
}

}  // namespace

int main(int argc, char** argv) {
  auto model = inference::CompiledModel::load(bench::modelPath(argc, argv));
  if (!model) {
    std::fprintf(stderr, "%s\n", model.error().message().c_str());
    return 1;
  }
  auto kv = *transformer::KvCache::make((*model)->config(), (*model)->card().context);
  std::vector<double> on, off, warm;
  decode(**model, kv, warm);
  for (int round = 0; round < kRounds; ++round) {
    for (const bool charging : {round % 2 == 0, round % 2 != 0}) {
      (*model)->setCharging(charging);
      decode(**model, kv, charging ? on : off);
    }
  }
  std::printf("model                 %s, %d threads\n", (*model)->card().name.c_str(),
              (*model)->threads());
  std::printf("decode step, off      %.1f us (median of %zu)\n", median(off), off.size());
  std::printf("decode step, charging %.1f us\n", median(on));
  std::printf("ratio                 %.4f (limit 1.03)\n", median(on) / median(off));
  return 0;
}
