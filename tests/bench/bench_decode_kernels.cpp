// SPDX-License-Identifier: GPL-3.0-or-later
// Host tokens/s of decode and prefill, by threads and depth, beside the limit that memory sets: the
// bytes a token needs over the read bandwidth measured in the same run on a buffer of that size.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/forward.h"
#include "tests/bench/read_bandwidth.h"
#include "tests/support/tiny_model.h"

namespace {

using namespace waferpair;
using bench::median;
using bench::secondsOf;

struct Bench {
  transformer::Forward& forward;
  tensor::ThreadTeam& team;
  transformer::KvCache& kv;

  void step(int tokens, int logits) {
    std::vector<std::int32_t> ids(static_cast<std::size_t>(tokens));
    for (int i = 0; i < tokens; ++i) ids[static_cast<std::size_t>(i)] = 32 + (kv.length() + i) % 90;
    const auto done = forward.step({.tokens = ids, .kv = &kv, .logits = logits}, team);
    if (!done) {
      std::fprintf(stderr, "%s\n", done.error().message().c_str());
      std::exit(1);
    }
  }

  void fill(int depth) {
    kv.truncate(0);
    while (kv.length() < depth) step(std::min(forward.maxBatch(), depth - kv.length()), 0);
  }

  // Seconds of a whole prompt: the sum over its steps of the median of each, so that a step during
  // which another program had the core does not spoil the rest.
  double prefill(int prompt, int batch) {
    constexpr int kRounds = 15;
    std::vector<std::vector<double>> seconds(static_cast<std::size_t>(prompt / batch));
    for (int round = 0; round < kRounds; ++round) {
      kv.truncate(0);
      for (auto& step : seconds) step.push_back(secondsOf([&] { this->step(batch, 0); }));
    }
    double sum = 0;
    for (const auto& step : seconds) sum += median(step);
    return sum;
  }

  // Median seconds of one decoded token that `depth` others precede.
  double decode(int depth, int samples) {
    fill(depth);
    std::vector<double> seconds;
    for (int i = 0; i < samples; ++i) {
      seconds.push_back(secondsOf([&] { step(1, 1); }));
      kv.truncate(depth);
    }
    return median(seconds);
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::string path;
  test::TinyModel shape{.layers = 7,
                        .width = 320,
                        .feedForward = 896,
                        .heads = 5,
                        .kvHeads = 1,
                        .vocabSize = 8192,
                        .contextLength = 4096};
  std::vector<int> depths{0, 128, 512, 1000};
  std::vector<int> threadCounts{1, 2};
  int samples = 200, batch = 64;
  std::string format = "Q8_0";
  CLI::App app{"Host decode and prefill speed against the memory limit"};
  app.add_option("--model", path, "GGUF file; without one a random model is made");
  app.add_option("--layers", shape.layers);
  app.add_option("--width", shape.width);
  app.add_option("--feed-forward", shape.feedForward);
  app.add_option("--heads", shape.heads);
  app.add_option("--kv-heads", shape.kvHeads);
  app.add_option("--vocab", shape.vocabSize);
  app.add_option("--format", format, "of the random model's matrices");
  app.add_option("--depths", depths, "positions before the token");
  app.add_option("--threads", threadCounts);
  app.add_option("--samples", samples);
  app.add_option("--batch", batch, "tokens a prefill step");
  CLI11_PARSE(app, argc, argv);

  std::shared_ptr<const transformer::Model> model;
  {
    std::string file = path;
    if (file.empty()) {
      for (const tensor::Format f : tensor::allFormats()) {
        if (format != formatName(f)) continue;
        shape.type = static_cast<gguf::TensorType>(tensor::infoOf(f).ggmlType);
      }
      file = (std::filesystem::temp_directory_path() / "waferpair_bench.gguf").string();
      if (auto written = test::writeTinyModel(file, shape); !written) {
        std::fprintf(stderr, "%s\n", written.error().message().c_str());
        return 1;
      }
    }
    auto loaded = transformer::Model::load(file);
    if (path.empty()) std::filesystem::remove(file);
    if (!loaded) {
      std::fprintf(stderr, "%s\n", loaded.error().message().c_str());
      return 1;
    }
    model = *loaded;
  }
  const transformer::Config& c = model->config();
  std::printf(
      "%s: %.1f M parameters, %.2f MB a token, d %d, %d layers, %d/%d heads of %d, f %d, vocab %d; "
      "kernels %s\n",
      path.empty() ? "random model" : path.c_str(), static_cast<double>(model->parameters()) / 1e6,
      static_cast<double>(model->bytesPerToken()) / 1e6, c.width, c.layers, c.heads, c.kvHeads,
      c.headDim, c.feedForward, c.vocabSize, tensor::kernels().name);
  std::printf("%7s %6s %12s %12s %10s %10s %8s\n", "threads", "depth", "us/token", "tokens/s",
              "GB/s", "limit GB/s", "% limit");
  for (const int threads : threadCounts) {
    tensor::ThreadTeam team(threads);
    transformer::Forward forward(model, batch, threads);
    auto kv = transformer::KvCache::make(c, c.contextLength);
    if (!kv) {
      std::fprintf(stderr, "%s\n", kv.error().message().c_str());
      return 1;
    }
    Bench bench{forward, team, *kv};
    for (const int depth : depths) {
      if (depth >= c.contextLength) continue;
      const double seconds = bench.decode(depth, samples);
      const auto bytes = static_cast<double>(model->bytesPerToken() +
                                             kv->bytesPerToken() * static_cast<std::size_t>(depth));
      const double limit = bench::ReadProbe(static_cast<std::size_t>(bytes)).best(team, 40);
      std::printf("%7d %6d %12.1f %12.0f %10.1f %10.1f %7.0f%%\n", threads, depth, seconds * 1e6,
                  1 / seconds, bytes / seconds / 1e9, limit / 1e9, 100 * bytes / seconds / limit);
    }
    const int prompt = std::min(512, c.contextLength - 1) / batch * batch;
    if (prompt == 0) continue;
    const double each = bench.prefill(prompt, batch) / prompt;
    const double decode = bench.decode(prompt / 2, samples);
    std::printf(
        "%7d prefill of %d in steps of %d: %.1f us/token, %.0f tokens/s, %.1f times a decode\n",
        threads, prompt, batch, each * 1e6, 1 / each, decode / each);
  }
  return 0;
}
