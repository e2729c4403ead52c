// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/model/outlook.h"

#include <algorithm>
#include <filesystem>

#include "runtime/inference/model/compile.h"
#include "runtime/transformer/model.h"
#include "runtime/wafer/machine/machine.h"

namespace waferpair::inference {
namespace {

constexpr std::size_t kUsualKvBytes = std::size_t{512} << 20;
constexpr int kLongestContext = 1 << 20;

// CompileOptions::kvBytes where it is 0; context and sequences are settled.
std::size_t usualKvBytes(const transformer::Config& config, const CompileOptions& settled) {
  const std::size_t each = transformer::KvPool::bytesPerToken(config, settled.kvFormat);
  const auto chunks = static_cast<std::size_t>((settled.context - 1) / tensor::kChunk + 1);
  const std::size_t whole =
      chunks * tensor::kChunk * each * static_cast<std::size_t>(settled.sequences);
  return std::min(kUsualKvBytes, whole);
}

base::Result<CompileOptions> settle(CompileOptions options, const transformer::Config& config,
                                    const std::string& file) {
  options.sequences = std::max(options.sequences, 2);  // a completion and a generation at once
  if (options.context <= 0) options.context = config.contextLength;
  if (options.context > config.contextLength)
    return base::fail("A context of " + std::to_string(options.context) + " was asked for, but " +
                          file + " can have " + std::to_string(config.contextLength) + ".",
                      "Ask for at most that.");
  if (options.context < 2 || options.context > kLongestContext)
    return base::fail(file + ": a context of " + std::to_string(options.context) + " positions.",
                      "Between 2 and " + std::to_string(kLongestContext) + " can be computed.");
  options.chunk = std::clamp(options.chunk, 1, options.context);
  if (options.kvBytes == 0) options.kvBytes = usualKvBytes(config, options);
  return options;
}

base::Result<wafer::Plan> planModel(const transformer::Config& config, const gguf::File& file,
                                    const CompileOptions& options) {
  const auto machine = wafer::findMachine(options.machine);
  if (!machine) return tl::unexpected(machine.error());
  const auto profile = options.profile.empty() ? wafer::defaultProfile(options.machine)
                                               : wafer::findProfile(options.profile);
  if (!profile) return tl::unexpected(profile.error());
  auto shape = wafer::checkShape(shapeOf(config, file));
  if (!shape) return tl::unexpected(shape.error());
  shape->parts.kvBlockBytes =
      static_cast<int>(tensor::kvRowBytes(options.kvFormat, wafer::LayerParts::kKvBlock));
  wafer::PlanOptions planOptions;
  // The positions that the KV cache holds, or would if it were larger: no sequence is longer.
  const std::size_t held =
      options.kvBytes / transformer::KvPool::bytesPerToken(config, options.kvFormat);
  planOptions.context = static_cast<int>(std::clamp<std::size_t>(
      held, static_cast<std::size_t>(options.context), wafer::kMostPositions));
  planOptions.chunk = options.chunk;
  planOptions.maxWafers = 1;  // telemetry shows one
  planOptions.clockGhz = options.clockGhz;
  return wafer::plan(*shape, *machine, *profile, planOptions);
}

// What the first lines of the header say, of a file that may be unusable otherwise.
ModelCard firstLines(const gguf::File& file) {
  ModelCard card;
  card.file = file.name();
  card.name = std::string(file.stringOr("general.name", "").value_or(""));
  if (card.name.empty()) card.name = std::filesystem::path(file.name()).stem().string();
  card.architecture = std::string(file.stringOr("general.architecture", "").value_or(""));
  if (file.has("tokenizer.chat_template")) {
    if (const auto chat = readChatStyle(file); chat)
      card.chat = *chat;
    else
      card.chatProblem = chat.error();
  }
  return card;
}

// Everything that a load would refuse.
base::Result<ModelReading> readWhole(const gguf::File& file, int* contextLength) {
  if (file.integerOr("split.count", 1).value_or(1) > 1) {
    return base::fail(file.name() + ": is one of several parts of a model.",
                      "Join them: llama-gguf-split --merge FIRST-PART OUT.gguf.");
  }
  const auto config = transformer::readConfig(file);
  if (!config) return tl::unexpected(config.error());
  *contextLength = config->contextLength;
  if (const auto ok = transformer::Model::check(file); !ok) return tl::unexpected(ok.error());
  return readModel(file, *config, {});
}

}  // namespace

base::Result<ModelReading> readModel(const gguf::File& file, const transformer::Config& config,
                                     const CompileOptions& wanted) {
  auto tokenizer = tokenizer::Tokenizer::fromGguf(file);
  if (!tokenizer) return tl::unexpected(tokenizer.error());
  if (tokenizer->vocabSize() > config.vocabSize)
    return base::fail(
        file.name() + ": the tokenizer has " + std::to_string(tokenizer->vocabSize()) +
            " tokens, token_embd.weight only " + std::to_string(config.vocabSize) + " rows.",
        "The file was put together wrongly; get it again.");
  const auto prompt = readPromptFormat(file, *tokenizer);
  if (!prompt) return tl::unexpected(prompt.error());
  const auto copying = readCopyWeights(file);
  if (!copying) return tl::unexpected(copying.error());
  const auto options = settle(wanted, config, file.name());
  if (!options) return tl::unexpected(options.error());
  auto plan = planModel(config, file, *options);
  if (!plan) return tl::unexpected(plan.error());

  ModelCard card = firstLines(file);
  card.context = options->context;
  card.vocabSize = config.vocabSize;
  card.prompt = *prompt;
  card.copying = *copying;
  card.machine = plan->machine.name;
  card.profile = plan->profile.name;
  card.clockHz = plan->clockGhz * 1e9;
  return ModelReading{std::move(*tokenizer), *options, std::move(card), std::move(*plan)};
}

base::Result<ModelOutlook> outlookOf(const std::string& path) {
  const auto file = gguf::File::open(path);
  if (!file) return tl::unexpected(file.error());
  ModelOutlook outlook;
  const ModelCard card = firstLines(*file);
  outlook.name = card.name;
  outlook.architecture = card.architecture;
  outlook.chat = card.chat;
  outlook.chatProblem = card.chatProblem;
  outlook.fileBytes = file->size();
  for (const gguf::TensorInfo& tensor : file->tensors()) {
    outlook.parameters += tensor.elements();
    outlook.memoryBytes += tensor.size;
  }
  const auto reading = readWhole(*file, &outlook.context);
  if (!reading) {
    outlook.refusal = reading.error();
    return outlook;
  }
  outlook.context = reading->card.context;
  outlook.memoryBytes += reading->options.kvBytes;
  outlook.fim = reading->card.prompt.order;
  return outlook;
}

}  // namespace waferpair::inference
