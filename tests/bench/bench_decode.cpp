// SPDX-License-Identifier: GPL-3.0-or-later
// Host tokens/s of decode at several depths and of prefill, for models of several sizes and
// formats, beside the limit that memory sets and beside other engines (peer.h) on the same file.
//
// All that is compared is measured by turns, round by round. The limit: the bytes that a token
// needs, weights and cache, over the read bandwidth of a buffer of that size.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "runtime/tensor/thread_team.h"
#include "runtime/tensor/tile_choice.h"
#include "runtime/transformer/forward.h"
#include "tests/bench/bench_model.h"
#include "tests/bench/peer.h"
#include "tests/bench/random_shapes.h"
#include "tests/bench/read_bandwidth.h"

namespace {

using namespace waferpair;
using bench::giveUp;
using bench::secondsOf;

struct Settings {
  std::vector<int> depths{0, 2048, 4000}, threads{1, 2};
  int prompt = 512, tokens = 128, rounds = 5, batch = 64;
  tensor::KvFormat kvFormat = tensor::KvFormat::kF16;
  std::vector<bench::Peer> peers;
  std::vector<std::string> peerOptions;
};

// Values of the rounds of one figure.
struct Figure {
  std::vector<double> values;
  bool refused = false;
  void add(double value) { values.push_back(value); }
  double best() const { return *std::max_element(values.begin(), values.end()); }
  double least() const { return *std::min_element(values.begin(), values.end()); }
};

class Bench {
 public:
  Bench(std::string file, std::shared_ptr<const transformer::Model> model, int threads,
        const Settings& settings)
      : file_(std::move(file)),
        model_(std::move(model)),
        settings_(settings),
        team_(threads),
        bits_(transformer::usualActivations(*model_)),
        otherBits_(bits_ == tensor::Activations::k8Bits ? tensor::Activations::k16Bits
                                                        : tensor::Activations::k8Bits),
        forward_(model_, settings.batch, threads, tensor::kernels(), bits_),
        other_(model_, settings.batch, threads, tensor::kernels(), otherBits_),
        kv_(makeCache()) {}

  void decode(int depth) {
    if (depth + settings_.tokens > kv_.capacity()) return;
    fill(depth);
    Figure rates, shares, others;
    std::vector<Figure> peers(settings_.peers.size());
    const std::size_t bytes =
        model_->bytesPerToken() + kv_.bytesPerToken() * static_cast<std::size_t>(depth);
    bench::ReadProbe probe(bytes);
    for (int round = 0; round < settings_.rounds; ++round) {
      shares.add(100 * shareOfLimit(depth, probe));
      rates.add(settings_.tokens / secondsOf([&] { decodeAll(depth, forward_); }));
      others.add(timesOther([&](transformer::Forward& forward) { decodeAll(depth, forward); }));
      askPeers({.file = file_,
                .threads = team_.size(),
                .tokens = settings_.tokens,
                .depth = depth,
                .options = settings_.peerOptions},
               peers);
    }
    std::printf("%7d  decode at %-5d %8.0f (%.0f) %6.0f %% (%.0f to %.0f)", team_.size(), depth,
                rates.best(), rates.least(), bench::median(shares.values), shares.least(),
                shares.best());
    print(rates, others, peers);
  }

  void prefill() {
    if (settings_.prompt > kv_.capacity()) return;
    Figure rates, others;
    std::vector<Figure> peers(settings_.peers.size());
    for (int round = 0; round < settings_.rounds; ++round) {
      rates.add(settings_.prompt / secondsOf([&] { fill(settings_.prompt); }));
      others.add(
          timesOther([&](transformer::Forward& forward) { fill(settings_.prompt, forward); }));
      askPeers({.file = file_,
                .threads = team_.size(),
                .prompt = settings_.prompt,
                .options = settings_.peerOptions},
               peers);
    }
    std::printf("%7d  prefill of %-4d %8.0f (%.0f) %22s", team_.size(), settings_.prompt,
                rates.best(), rates.least(), "");
    print(rates, others, peers);
  }

 private:
  transformer::KvCache makeCache() {
    auto kv = transformer::KvCache::make(model_->config(), model_->config().contextLength,
                                         settings_.kvFormat);
    if (!kv) giveUp(kv.error());
    return std::move(*kv);
  }

  void step(int tokens, int logits, transformer::Forward& forward) {
    std::vector<std::int32_t> ids(static_cast<std::size_t>(tokens));
    for (int i = 0; i < tokens; ++i) {
      ids[static_cast<std::size_t>(i)] = 32 + (kv_.length() + i) % 90;
    }
    const auto done = forward.step({.tokens = ids, .kv = &kv_, .logits = logits}, team_);
    if (!done) giveUp(done.error());
  }
  void step(int tokens, int logits) { step(tokens, logits, forward_); }

  void fill(int length, transformer::Forward& forward) {
    kv_.truncate(0);
    while (kv_.length() < length) {
      step(std::min(settings_.batch, length - kv_.length()), 0, forward);
    }
  }
  void fill(int length) { fill(length, forward_); }

  void decodeAll(int depth, transformer::Forward& forward) {
    kv_.truncate(depth);
    for (int i = 0; i < settings_.tokens; ++i) step(1, 1, forward);
  }

  // Returns how many times as long `run` takes as with the other precision of activations; one
  // thread by its own clock.
  template <typename Run>
  double timesOther(Run&& run) {
    constexpr int kTurns = 4;  // the fastest of each
    const auto timed = team_.size() == 1 ? bench::cpuSecondsOf : secondsOf;
    double seconds = 1e9, otherSeconds = 1e9;
    for (int turn = 0; turn < kTurns; ++turn) {
      seconds = std::min(seconds, timed([&] { run(forward_); }));
      otherSeconds = std::min(otherSeconds, timed([&] { run(other_); }));
    }
    return seconds / otherSeconds;
  }

  // Returns the time of the mere reads as a share of that of one decoded token that `depth` others
  // precede. Steps and reads go by turns, and the fastest of each counts, as time that other
  // programs take does not. One thread: by its own clock.
  double shareOfLimit(int depth, bench::ReadProbe& probe) {
    constexpr int kTurns = 8, kInARow = 5;  // of which the first finds nothing in the caches
    const auto timed = team_.size() == 1 ? bench::cpuSecondsOf : secondsOf;
    double seconds = 1e9, readSeconds = 1e9;
    for (int turn = 0; turn < kTurns; ++turn) {
      for (int i = 0; i < kInARow; ++i) {
        kv_.truncate(depth);
        seconds = std::min(seconds, timed([&] { step(1, 1); }));
      }
      for (int i = 0; i < kInARow; ++i) {
        readSeconds = std::min(readSeconds, timed([&] { probe.pass(team_); }));
      }
    }
    return readSeconds / seconds;
  }

  void askPeers(const bench::PeerTest& test, std::vector<Figure>& rates) const {
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (rates[i].refused) continue;
      if (const auto rate = bench::measure(settings_.peers[i], test)) {
        rates[i].add(*rate);
      } else {
        rates[i].refused = true;  // is not asked again: it may take minutes
        std::fprintf(stderr, "%s\n", rate.error().message().c_str());
      }
    }
  }

  static const char* name(tensor::Activations bits) {
    return bits == tensor::Activations::k8Bits ? "8" : "16";
  }

  void print(const Figure& ours, const Figure& others, const std::vector<Figure>& peers) const {
    if (model_->quantized()) {
      std::printf("   %s bits take %.2f times %s (%.2f to %.2f)", name(bits_),
                  bench::median(others.values), name(otherBits_), others.least(), others.best());
    }
    for (std::size_t i = 0; i < peers.size(); ++i) {
      if (peers[i].values.empty()) continue;
      Figure ratios;
      for (std::size_t round = 0; round < peers[i].values.size(); ++round)
        ratios.add(ours.values[round] / peers[i].values[round]);
      std::printf("   %s %.0f (%.0f): x%.2f (%.2f to %.2f)", settings_.peers[i].name.c_str(),
                  peers[i].best(), peers[i].least(), bench::median(ratios.values), ratios.least(),
                  ratios.best());
    }
    std::puts("");
    std::fflush(stdout);
  }

  std::string file_;
  std::shared_ptr<const transformer::Model> model_;
  const Settings& settings_;
  tensor::ThreadTeam team_;
  tensor::Activations bits_, otherBits_;
  transformer::Forward forward_, other_;
  transformer::KvCache kv_;
};

void measure(const std::string& file, const std::string& name, const Settings& settings) {
  auto loaded = transformer::Model::load(file);
  if (!loaded) giveUp(loaded.error());
  const std::shared_ptr<const transformer::Model> model = *loaded;
  const transformer::Config& c = model->config();
  std::printf("%s: %.1f M parameters, %.1f MB a token; d %d, %d layers, %d/%d heads, f %d\n",
              name.c_str(), static_cast<double>(model->parameters()) / 1e6,
              static_cast<double>(model->bytesPerToken()) / 1e6, c.width, c.layers, c.heads,
              c.kvHeads, c.feedForward);
  std::vector<tensor::Format> formats;
  model->forEachMatrix([&](const tensor::PackedMatrix& m) { formats.push_back(m.format()); });
  for (const int threads : settings.threads) {
    Bench bench(file, model, threads, settings);
    if (threads == settings.threads.front()) {
      const auto activations = transformer::usualActivations(*model);
      std::printf("  by %s\n", tensor::describe(tensor::kernels(), formats, activations).c_str());
    }
    for (const int depth : settings.depths) bench.decode(depth);
    bench.prefill();
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  std::vector<std::string> sizes{"15M", "30M", "60M", "120M"}, formats{"Q8_0", "Q4_0"};
  std::string path, kvFormat = "f16";
  bool alone = false;
  CLI::App app{"Host decode and prefill speed beside the memory limit and other engines"};
  app.add_option("--model", path, "GGUF file, instead of random models");
  app.add_option("--sizes", sizes, "of random models; 1B too")
      ->delimiter(',')
      ->check(CLI::IsMember(&bench::randomShapes()));
  app.add_option("--formats", formats, "of the random models' matrices")->delimiter(',');
  app.add_option("--depths", settings.depths, "positions before the tokens")->delimiter(',');
  app.add_option("--threads", settings.threads)->delimiter(',');
  app.add_option("--prompt", settings.prompt, "tokens of the prefill")->check(CLI::PositiveNumber);
  app.add_option("--tokens", settings.tokens, "decoded in a round")->check(CLI::PositiveNumber);
  app.add_option("--rounds", settings.rounds)->check(CLI::PositiveNumber);
  app.add_option("--batch", settings.batch, "tokens a prefill step")->check(CLI::PositiveNumber);
  app.add_option("--kv-format", kvFormat, "f16 or q8_0");
  app.add_option("--peer-options", settings.peerOptions, "for llama-bench, e.g. -ctk,q8_0")
      ->delimiter(',');
  app.add_flag("--alone", alone, "no other engines");
  CLI11_PARSE(app, argc, argv);
  const auto kv = tensor::findKvFormat(kvFormat);
  if (!kv) giveUp({"There is no cache format " + kvFormat + ".", "Name f16 or q8_0."});
  settings.kvFormat = *kv;
  if (!alone) settings.peers = bench::findPeers();

  std::printf(
      "Host tokens/s: best of %d rounds (worst); %% of the bandwidth limit: median (range)%s.\n"
      "Activations in as many bits as is usual for the model, and the time that takes as times "
      "the\n"
      "other: median (range).\n"
      "Kernels %s, cache %s, prefill in steps of %d.\n",
      settings.rounds,
      settings.peers.empty() ? "; no other engine found"
                             : "; x: times a peer's of the same round, likewise",
      tensor::kernels().name, kvFormat.c_str(), settings.batch);
  if (!path.empty()) {
    measure(path, path, settings);
    return 0;
  }
  for (const std::string& size : sizes) {
    for (const std::string& name : formats) {
      const auto format = tensor::parseFormat(name);
      if (!format) giveUp(format.error());
      test::TinyModel shape = bench::randomShapes().at(size);
      shape.type = static_cast<gguf::TensorType>(tensor::infoOf(*format).ggmlType);
      if (tensor::rowBytes(*format, shape.width) == 0) {
        giveUp({"Rows of the " + size + " shape are no whole blocks of " + name + ".",
                "Choose another format."});
      }
      const std::string file = (std::filesystem::temp_directory_path() /
                                ("waferpair-bench-" + size + "-" + name + ".gguf"))
                                   .string();
      if (const auto written = test::writeTinyModel(file, shape); !written) giveUp(written.error());
      measure(file, size + " " + name, settings);
      std::filesystem::remove(file);
    }
  }
  return 0;
}
