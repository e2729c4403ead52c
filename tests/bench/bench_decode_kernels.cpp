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
using bench::ReadProbe;
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
    const auto timed = team.size() == 1 ? bench::cpuSecondsOf : secondsOf;
    std::vector<std::vector<double>> seconds(static_cast<std::size_t>(prompt / batch));
    for (int round = 0; round < kRounds; ++round) {
      kv.truncate(0);
      for (auto& step : seconds) step.push_back(timed([&] { this->step(batch, 0); }));
    }
    double sum = 0;
    for (const auto& step : seconds) sum += median(step);
    return sum;
  }

  // Seconds of one decoded token that `depth` others precede, and of reading as many bytes, in
  // turns. Each the best that was seen: what other programs take does not count.
  struct Decode {
    double seconds = 1e9, readSeconds = 1e9;
  };
  Decode decode(int depth, int samples, std::size_t bytes) {
    constexpr int kTurn = 5;  // of which the first finds nothing in the caches
    fill(depth);
    ReadProbe probe(bytes);
    const auto timed = team.size() == 1 ? bench::cpuSecondsOf : secondsOf;
    Decode best;
    for (int i = 0; i < samples; ++i) {
      best.seconds = std::min(best.seconds, timed([&] { step(1, 1); }));
      kv.truncate(depth);
      if ((i + 1) % kTurn != 0) continue;
      for (int j = 0; j < kTurn; ++j) {
        best.readSeconds = std::min(best.readSeconds, timed([&] { probe.pass(team); }));
      }
    }
    return best;
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
  std::string format = "Q8_0", kvFormat = "f16";
  CLI::App app{"Host decode and prefill speed against the memory limit"};
  app.add_option("--model", path, "GGUF file; without one a random model is made");
  app.add_option("--layers", shape.layers);
  app.add_option("--width", shape.width);
  app.add_option("--feed-forward", shape.feedForward);
  app.add_option("--heads", shape.heads);
  app.add_option("--kv-heads", shape.kvHeads);
  app.add_option("--vocab", shape.vocabSize);
  app.add_option("--format", format, "of the random model's matrices");
  app.add_option("--kv-format", kvFormat, "f16 or q8_0");
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
    auto kv = transformer::KvCache::make(
        c, c.contextLength, tensor::findKvFormat(kvFormat).value_or(tensor::KvFormat::kF16));
    if (!kv) {
      std::fprintf(stderr, "%s\n", kv.error().message().c_str());
      return 1;
    }
    Bench bench{forward, team, *kv};
    for (const int depth : depths) {
      if (depth >= c.contextLength) continue;
      const auto bytes =
          model->bytesPerToken() + kv->bytesPerToken() * static_cast<std::size_t>(depth);
      const Bench::Decode decode = bench.decode(depth, samples, bytes);
      const auto rate = [&](double seconds) { return static_cast<double>(bytes) / seconds / 1e9; };
      std::printf("%7d %6d %12.1f %12.0f %10.1f %10.1f %7.0f%%\n", threads, depth,
                  decode.seconds * 1e6, 1 / decode.seconds, rate(decode.seconds),
                  rate(decode.readSeconds), 100 * decode.readSeconds / decode.seconds);
    }
    const int prompt = std::min(512, c.contextLength - 1) / batch * batch;
    if (prompt == 0) continue;
    const double each = bench.prefill(prompt, batch) / prompt;
    std::printf("%7d prefill of %d in steps of %d: %.1f us/token, %.0f tokens/s\n", threads, prompt,
                batch, each * 1e6, 1 / each);
  }
  return 0;
}
