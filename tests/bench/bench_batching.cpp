// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the gain of several sequences in a step: tokens/s of 1, 2, 4 and 8 together, beside
// those of one alone in the same round, by the processor time of the thread that leads the team.
// bench_batching [FILE.gguf]
//
// The file's own context bounds the depth; all sequences stand at the same.
#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "runtime/inference/model/compiled_model.h"
#include "tests/bench/bench_model.h"
#include "tests/bench/read_bandwidth.h"

namespace {

using namespace waferpair;

constexpr std::array kTogether = {1, 2, 4, 8};
constexpr int kRounds = 25;
constexpr int kSteps = 24;  // a round is short beside what disturbs a machine

class Sequences {
 public:
  // Fills each sequence with `depth` tokens.
  Sequences(inference::CompiledModel& model, int depth) : model_(model), depth_(depth) {
    for (int i = 0; i < kTogether.back(); ++i) {
      caches_.push_back(*transformer::KvCache::make(model.config(), depth + kSteps));
      std::vector<std::int32_t> prompt(static_cast<std::size_t>(model.chunk()), 65 + i);
      while (caches_.back().length() < depth) {
        const int rows = std::min(model.chunk(), depth - caches_.back().length());
        const auto some = std::span(prompt).first(static_cast<std::size_t>(rows));
        if (!model.step(some, caches_.back(), nullptr)) std::exit(1);
      }
      samplers_.emplace_back(inference::SamplingOptions{});
    }
  }

  // Tokens a second of the first `count`.
  double rate(int count) {
    std::vector<std::int32_t> tokens(static_cast<std::size_t>(count), 65);
    std::vector<inference::CompiledModel::SequenceStep> steps;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      caches_[i].truncate(depth_);
      steps.push_back({.tokens = {&tokens[i], 1}, .kv = &caches_[i], .sampler = &samplers_[i]});
    }
    const double seconds = bench::cpuSecondsOf([&] {
      for (int step = 0; step < kSteps; ++step) {
        const auto results = model_.step(steps);
        if (!results) std::exit(1);
        for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = (*results)[i].token;
      }
    });
    return count * kSteps / seconds;
  }

 private:
  inference::CompiledModel& model_;
  const int depth_;
  std::vector<transformer::KvCache> caches_;
  std::vector<inference::Sampler> samplers_;
};

void measure(inference::CompiledModel& model, int depth) {
  Sequences sequences(model, depth);
  std::array<std::vector<double>, kTogether.size()> rates, gains;
  for (int round = -1; round < kRounds; ++round) {
    double alone = 0;
    for (std::size_t i = 0; i < kTogether.size(); ++i) {
      const double rate = sequences.rate(kTogether[i]);
      if (i == 0) alone = rate;
      if (round < 0) continue;  // to warm up
      rates[i].push_back(rate);
      gains[i].push_back(rate / alone);
    }
  }
  for (std::size_t i = 0; i < kTogether.size(); ++i) {
    const auto [least, most] = std::minmax_element(gains[i].begin(), gains[i].end());
    std::printf("%5d %9d %10.0f %9.0f %14.2f (%.2f to %.2f)\n", depth, kTogether[i],
                bench::median(rates[i]), bench::median(rates[i]) / kTogether[i],
                bench::median(gains[i]), *least, *most);
  }
}

}  // namespace

int main(int argc, char** argv) {
  auto model = inference::CompiledModel::load(bench::modelPath(argc, argv));
  if (!model) {
    std::fprintf(stderr, "%s\n", model.error().message().c_str());
    return 1;
  }
  std::printf("model %s, %d threads, %d rounds\n", (*model)->card().name.c_str(),
              (*model)->threads(), kRounds);
  std::printf("depth  together   tokens/s      each   beside one alone\n");
  const int deepest = std::min(2048, (*model)->card().context - kSteps);
  for (const int depth : {16, deepest}) measure(**model, depth);
  return 0;
}
