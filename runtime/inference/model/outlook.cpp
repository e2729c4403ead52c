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

// Everything that a load would refuse, in its order.
base::Result<void> look(const gguf::File& file, CompileOptions options, ModelOutlook& outlook) {
  if (file.integerOr("split.count", 1).value_or(1) > 1) {
    return base::fail(file.name() + ": is one of several parts of a model.",
                      "Join them: llama-gguf-split --merge FIRST-PART OUT.gguf.");
  }
  const auto config = transformer::readConfig(file);
  if (!config) return tl::unexpected(config.error());
  if (const auto ok = transformer::Model::check(file); !ok) return ok;
  outlook.name = nameOf(*config, file.name());
  if (options.context <= 0) options.context = config->contextLength;
  outlook.context = options.context;
  options.chunk = std::clamp(options.chunk, 1, options.context);
  if (options.kvBytes == 0) options.kvBytes = usualKvBytes(*config, options);
  outlook.memoryBytes += options.kvBytes;
  const auto tokenizer = tokenizer::Tokenizer::fromGguf(file);
  if (!tokenizer) return tl::unexpected(tokenizer.error());
  const auto prompt = readPromptFormat(file, *tokenizer);
  if (!prompt) return tl::unexpected(prompt.error());
  outlook.fim = prompt->order;
  if (const auto plan = planModel(*config, file, options); !plan)
    return tl::unexpected(plan.error());
  return {};
}

}  // namespace

base::Result<ModelOutlook> outlookOf(const std::string& path, const CompileOptions& options) {
  const auto file = gguf::File::open(path);
  if (!file) return tl::unexpected(file.error());
  ModelOutlook outlook;
  outlook.name = std::string(file->stringOr("general.name", "").value_or(""));
  if (outlook.name.empty()) outlook.name = std::filesystem::path(path).stem().string();
  outlook.architecture = std::string(file->stringOr("general.architecture", "").value_or(""));
  outlook.fileBytes = file->size();
  for (const gguf::TensorInfo& tensor : file->tensors()) {
    outlook.parameters += tensor.elements();
    outlook.memoryBytes += tensor.size;
  }
  if (file->has("tokenizer.chat_template")) {
    if (const auto chat = readChatStyle(*file); chat)
      outlook.chat = *chat;
    else
      outlook.chatProblem = chat.error();
  }
  if (const auto ok = look(*file, options, outlook); !ok) outlook.refusal = ok.error();
  return outlook;
}

std::string nameOf(const transformer::Config& config, const std::string& path) {
  if (!config.name.empty()) return config.name;
  return std::filesystem::path(path).stem().string();
}

std::size_t usualKvBytes(const transformer::Config& config, const CompileOptions& settled) {
  const std::size_t each = transformer::KvPool::bytesPerToken(config, settled.kvFormat);
  const auto chunks = static_cast<std::size_t>((settled.context - 1) / tensor::kChunk + 1);
  const std::size_t whole =
      chunks * tensor::kChunk * each * static_cast<std::size_t>(settled.sequences);
  return std::min(kUsualKvBytes, whole);
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

}  // namespace waferpair::inference
