// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl perplexity MODEL FILE...`: how well a model predicts texts.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "runtime/inference/engine/perplexity.h"
#include "runtime/server/core/events.h"
#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/interrupt.h"
#include "runtime/waferctl/progress_line.h"
#include "runtime/waferctl/source.h"

namespace waferpair::waferctl {
namespace {

using inference::TextScore;
using Json = nlohmann::json;

struct PerplexityFlags {
  std::string model;
  std::vector<std::string> files;
  std::vector<transformer::AdapterFile> adapters;
  int window = 512;
  int threads = 0;
  int activationBits = 0;
  bool json = false;
};

std::string readText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || file.bad() || text.empty()) {
    giveUp({path + " cannot be read, or is empty.", "Name text files."});
  }
  return text;
}

Json asJson(const TextScore& score) {
  return {{"tokens", score.tokens},
          {"bytes", score.bytes},
          {"nats", score.nats},
          {"nats_per_token", score.natsPerToken()},
          {"bits_per_byte", score.bitsPerByte()}};
}

void printScore(const std::string& name, const TextScore& score) {
  std::printf("%9.4f bits a byte  %9.4f nats a token  %10lld tokens  %s\n", score.bitsPerByte(),
              score.natsPerToken(), static_cast<long long>(score.tokens), name.c_str());
}

void run(const PerplexityFlags& flags) {
  // Two sequences of KV cache are what the wafer is planned for at least; one is used.
  inference::CompileOptions options;
  options.adapters = flags.adapters;
  options.threads = flags.threads;
  options.activations = tensor::findActivations(flags.activationBits);
  options.sequences = 2;
  const auto file = gguf::File::open(flags.model);
  if (!file) giveUp(file.error());
  const auto config = transformer::readConfig(*file);
  if (!config) giveUp(config.error());
  options.context = std::min(flags.window, config->contextLength);
  const auto model = inference::CompiledModel::load(flags.model, options);
  if (!model) giveUp(model.error());

  catchInterrupts();
  auto line = std::make_unique<ProgressLine>();
  TextScore total;
  Json files = Json::array();
  for (const std::string& path : flags.files) {
    const auto progress = [&](const TextScore& score, std::int64_t tokens) {
      if (line->due()) {
        line->show(path + ": " + std::to_string(score.tokens) + " of " + std::to_string(tokens) +
                   " tokens");
      }
      return !interrupted();
    };
    const auto score = inference::scoreText(**model, readText(path), progress);
    line = std::make_unique<ProgressLine>();
    if (!score) giveUp(score.error(), interrupted() ? kInterrupted : kFailure);
    total += *score;
    if (!flags.json) printScore(path, *score);
    files.push_back(asJson(*score));
    files.back()["file"] = path;
  }
  if (flags.json) {
    const inference::ModelCard& card = (*model)->card();
    std::cout << server::dump({{"model", {{"name", card.name}, {"file", card.file}}},
                               {"window", options.context},
                               {"files", files},
                               {"total", asJson(total)}})
              << std::endl;
  } else if (flags.files.size() > 1) {
    printScore("all", total);
  }
}

}  // namespace

CLI::App* addPerplexityCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("perplexity", "How well a model predicts texts");
  auto flags = std::make_shared<PerplexityFlags>();
  command->add_option("model", flags->model, "GGUF file")->required();
  command->add_option("files", flags->files, "texts")->required();
  addAdapterOption(*command, flags->adapters);
  command
      ->add_option("--window", flags->window,
                   "tokens the model sees at once, of which half are new; at most its context")
      ->capture_default_str()
      ->check(CLI::Range(2, 1 << 20));
  command->add_option("--threads", flags->threads, "0: what the model is worth")
      ->capture_default_str()
      ->check(CLI::Range(0, 256));
  command
      ->add_option(
          "--activations", flags->activationBits,
          "bits of activations where weights are quantized, 8 or 16; 0: 16 for small models")
      ->capture_default_str()
      ->check(CLI::IsMember({0, 8, 16}));
  command->add_flag("--json", flags->json, "print JSON");
  command->callback([flags] { run(*flags); });
  return command;
}

}  // namespace waferpair::waferctl
