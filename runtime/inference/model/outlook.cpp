// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/model/outlook.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "runtime/inference/model/compile.h"
#include "runtime/inference/prompt/chat_program.h"
#include "runtime/transformer/model.h"
#include "runtime/wafer/machine/machine.h"
#include "runtime/wafer/plan/program.h"

namespace waferpair::inference {
namespace {

constexpr std::size_t kUsualKvBytes = std::size_t{512} << 20;
// Encoders have this one unless more is asked for: a step as long takes memory.
constexpr int kUsualEncoderContext = 2048;
constexpr int kLongestContext = 1 << 20;
// The positions before a token whose time on the wafer is told: a request with some code around.
constexpr int kUsualPositions = 1024;

// A sequence keeps so many states of recurrent layers: what a step goes on from and writes, that of
// the last cut, that of the end of a prompt.
constexpr std::size_t kUsualStates = 4;

std::size_t stateBytes(const transformer::Config& config, const CompileOptions& options) {
  return static_cast<std::size_t>(options.sequences) * kUsualStates *
         transformer::KvPool::bytesPerState(config, options.kvFormat);
}

// CompileOptions::kvBytes where it is 0; context and sequences are settled.
std::size_t usualKvBytes(const transformer::Config& config, const CompileOptions& settled) {
  const std::size_t each = transformer::KvPool::bytesPerToken(config, settled.kvFormat);
  const auto chunks = static_cast<std::size_t>((settled.context - 1) / tensor::kChunk + 1);
  const std::size_t whole =
      chunks * tensor::kChunk * each * static_cast<std::size_t>(settled.sequences);
  return std::min(kUsualKvBytes, whole) + stateBytes(config, settled);
}

base::Result<CompileOptions> settle(CompileOptions options, const transformer::Config& config,
                                    const std::string& file) {
  options.sequences = std::max(options.sequences, 2);  // a completion and a generation at once
  if (options.context <= 0) {
    options.context = config.contextLength;
    if (config.encoder) options.context = std::min(options.context, kUsualEncoderContext);
  }
  if (options.context > config.contextLength)
    return base::fail("A context of " + std::to_string(options.context) + " was asked for, but " +
                          file + " can have " + std::to_string(config.contextLength) + ".",
                      "Ask for at most that.");
  if (options.context < 2 || options.context > kLongestContext)
    return base::fail(file + ": a context of " + std::to_string(options.context) + " positions.",
                      "Between 2 and " + std::to_string(kLongestContext) + " can be computed.");
  options.chunk = std::clamp(options.chunk, 1, options.context);
  // Its tokens see those behind them: a text goes through it in one step.
  if (config.encoder) options.chunk = options.context;
  if (options.kvBytes == 0) options.kvBytes = usualKvBytes(config, options);
  return options;
}

// Plans for `most` positions, or, where the wafer has no room for these, for nearly as many as it
// has room for: the caches may have more memory than it, and no sequence is longer than `least`.
base::Result<wafer::Plan> planForMost(const wafer::ModelShape& shape, const wafer::Machine& machine,
                                      const wafer::Profile& profile, wafer::PlanOptions options,
                                      int least, int most) {
  constexpr int kSteps = 16;  // of what there is at least: near enough
  options.context = most;
  auto plan = wafer::plan(shape, machine, profile, options);
  if (plan || most == least) return plan;
  options.context = least;
  plan = wafer::plan(shape, machine, profile, options);
  if (!plan) return plan;
  while (most - least > least / kSteps) {
    options.context = least + (most - least) / 2;
    auto larger = wafer::plan(shape, machine, profile, options);
    (larger ? least : most) = options.context;
    if (larger) plan = std::move(larger);
  }
  return plan;
}

// Caches that are larger than the wafer's get as much memory as those.
base::Result<wafer::Plan> planModel(const transformer::Config& config, const gguf::File& file,
                                    const transformer::Adapters& adapters,
                                    CompileOptions& options) {
  const auto machine = wafer::findMachine(options.machine);
  if (!machine) return tl::unexpected(machine.error());
  const auto profile = options.profile.empty() ? wafer::defaultProfile(options.machine)
                                               : wafer::findProfile(options.profile);
  if (!profile) return tl::unexpected(profile.error());
  auto shape = wafer::checkShape(shapeOf(config, file, adapters));
  if (!shape) return tl::unexpected(shape.error());
  shape->parts.kvBlockBytes =
      static_cast<int>(tensor::kvRowBytes(options.kvFormat, wafer::LayerParts::kKvBlock));
  wafer::PlanOptions planOptions;
  // The positions that the KV cache holds, or would if it were larger: no sequence is longer.
  const std::size_t each = transformer::KvPool::bytesPerToken(config, options.kvFormat);
  const int held = static_cast<int>(std::clamp<std::size_t>(
      options.kvBytes / each, static_cast<std::size_t>(options.context), wafer::kMostPositions));
  planOptions.chunk = options.chunk;
  planOptions.clockGhz = options.clockGhz;
  auto plan = planForMost(*shape, *machine, *profile, planOptions, options.context, held);
  if (plan && plan->placement.context < held)
    options.kvBytes =
        std::min(options.kvBytes, static_cast<std::size_t>(plan->placement.context) * each +
                                      stateBytes(config, options));
  return plan;
}

std::string nameOf(const gguf::File& file) {
  std::string name(file.stringOr("general.name", "").value_or(""));
  // It is shown on terminals, and in lists with a line each.
  std::ranges::replace_if(
      name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return name.empty() ? std::filesystem::path(file.name()).stem().string() : name;
}

// The type that has most bytes of the file.
std::string mostWeights(const gguf::File& file) {
  std::map<gguf::TensorType, std::uint64_t> bytes;
  for (const gguf::TensorInfo& tensor : file.tensors()) bytes[tensor.type] += tensor.size;
  const auto most =
      std::ranges::max_element(bytes, {}, [](const auto& each) { return each.second; });
  return most == bytes.end() ? "" : gguf::tensorTypeName(most->first);
}

// The template's own form, if it is one that is known or can be told of what it writes.
void findToolForm(ModelCard& card) {
  if (card.tools) {
    card.toolForm = std::make_shared<const ToolForm>(*card.tools);
    return;
  }
  if (const auto calls = card.chatProgram ? card.chatProgram->derivedCalls() : std::nullopt) {
    card.tools = ToolStyle::kDerived;
    card.toolForm = std::make_shared<const ToolForm>(*calls);
    return;
  }
  card.tools = ToolStyle::kGeneric;
  card.toolForm = std::make_shared<const ToolForm>(ToolStyle::kGeneric);
}

// Reads what the first lines of the header say, of a file that may be unusable otherwise.
ModelCard firstLines(const gguf::File& file) {
  ModelCard card;
  card.file = file.name();
  card.fileBytes = file.size();
  card.name = nameOf(file);
  card.architecture = std::string(file.stringOr("general.architecture", "").value_or(""));
  card.baseName = std::string(file.stringOr("general.basename", card.name).value_or(card.name));
  card.quantization = mostWeights(file);
  card.sampling = readModelSampling(file);
  card.chatTemplate = std::string(file.stringOr("tokenizer.chat_template", "").value_or(""));
  card.rankTemplate = std::string(file.stringOr("tokenizer.chat_template.rerank", "").value_or(""));
  if (file.has("tokenizer.chat_template")) {
    const auto chat = readChatStyle(file);
    auto program = ChatProgram::read(file);
    if (chat || program) {
      card.chat = chat.value_or(ChatStyle::kOwn);
      card.tools = readToolStyle(file, *card.chat);
      card.thinking = readThinkingTags(card.chatTemplate);
    } else {
      card.chatProblem = chat.error();
    }
    if (program)
      card.chatProgram = std::move(*program);
    else
      card.chatProgramProblem = std::move(program.error());
    if (card.chat) findToolForm(card);
  }
  return card;
}

// The bytes of a tensor once it is packed, which of some formats are more than in the file.
std::size_t heldBytes(const gguf::TensorInfo& tensor, const transformer::Adapters& adapters = {}) {
  const auto format = adapters.formatOf(tensor);
  if (!format || tensor.ne.size() < 2) return tensor.size;
  return tensor::packedBytes(*format, tensor.elements());
}

bool isFourBit(const gguf::TensorInfo& tensor) {
  const auto format = tensor::findFormat(static_cast<std::uint32_t>(tensor.type));
  if (!format) return false;
  const tensor::Quants quants = tensor::infoOf(*format).quants;
  return quants == tensor::Quants::kNibbles || quants == tensor::Quants::kLookup;
}

// Counts what a token takes: on the host the matrices that it goes through, of the experts those
// that are used; on the wafer what the plan's ops are charged.
void addSpeeds(const gguf::File& file, ModelReading& reading, ModelOutlook& outlook) {
  const wafer::LayerParts& parts = reading.plan.shape.parts;
  const auto tensors = file.tensors();
  const bool hasHead = std::any_of(tensors.begin(), tensors.end(), [](const auto& tensor) {
    return tensor.name == "output.weight";
  });
  double bytes = 0, fourBit = 0;
  for (const gguf::TensorInfo& tensor : tensors) {
    if (tensor.ne.size() < 2 || (hasHead && tensor.name == "token_embd.weight")) continue;
    const bool isExperts = parts.experts > 0 && tensor.name.ends_with("_exps.weight");
    const double share =
        isExperts ? static_cast<double>(parts.expertsUsed) / static_cast<double>(parts.experts) : 1;
    const double read = share * static_cast<double>(heldBytes(tensor));
    bytes += read;
    if (isFourBit(tensor)) fourBit += read;
  }
  outlook.bytesPerToken = static_cast<std::uint64_t>(bytes);
  outlook.fourBitShare = bytes > 0 ? fourBit / bytes : 0;
  outlook.profile = reading.card.profile;
  outlook.clockHz = reading.card.clockHz;
  outlook.waferPositions = std::min(kUsualPositions, reading.options.context - 1);
  const wafer::Program program = wafer::Program::shadow(std::move(reading.plan));
  const std::uint64_t cycles = program.cycles({.tokens = 1, .context = outlook.waferPositions});
  if (cycles > 0) outlook.waferTokensPerSecond = outlook.clockHz / static_cast<double>(cycles);
}

// Everything that a load would refuse.
base::Result<ModelReading> readWhole(const gguf::File& file, int* contextLength,
                                     const CompileOptions& wanted = {}) {
  const auto config = transformer::readConfig(file);
  if (!config) return tl::unexpected(config.error());
  *contextLength = config->contextLength;
  const auto adapters = transformer::Adapters::open(wanted.adapters, file);
  if (!adapters) return tl::unexpected(adapters.error());
  if (const auto ok = transformer::Model::check(file, *adapters); !ok)
    return tl::unexpected(ok.error());
  return readModel(file, *config, *adapters, wanted);
}

}  // namespace

base::Result<ModelReading> readModel(const gguf::File& file, const transformer::Config& config,
                                     const transformer::Adapters& adapters,
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
  auto options = settle(wanted, config, file.name());
  if (!options) return tl::unexpected(options.error());
  auto plan = planModel(config, file, adapters, *options);
  if (!plan) return tl::unexpected(plan.error());

  ModelCard card = firstLines(file);
  card.adapters = options->adapters;
  for (const auto& adapter : adapters.added()) card.name += " + " + nameOf(*adapter.file);
  card.context = options->context;
  card.vocabSize = config.vocabSize;
  card.prompt = *prompt;
  card.copying = *copying;
  card.pooling = config.pooling;
  card.encodes = config.encoder;
  card.width = config.width;
  card.machine = plan->machine.name;
  card.profile = plan->profile.name;
  card.clockHz = plan->clockGhz * 1e9;
  std::uint64_t memoryBytes = options->kvBytes;
  for (const gguf::TensorInfo& tensor : file.tensors()) memoryBytes += heldBytes(tensor, adapters);
  return ModelReading{std::move(*tokenizer), *options, std::move(card), std::move(*plan),
                      memoryBytes};
}

base::Result<ModelPreview> previewOf(const std::string& path, const CompileOptions& options) {
  const auto file = gguf::File::open(path);
  if (!file) return tl::unexpected(file.error());
  int contextLength = 0;
  auto reading = readWhole(*file, &contextLength, options);
  if (!reading) return tl::unexpected(reading.error());
  ModelPreview preview{std::move(reading->card), reading->memoryBytes};
  for (const gguf::TensorInfo& tensor : file->tensors())
    preview.card.parameters += tensor.elements();
  return preview;
}

base::Result<ModelOutlook> outlookOf(const std::string& path) {
  const auto file = gguf::File::open(path);
  if (!file) return tl::unexpected(file.error());
  ModelOutlook outlook;
  outlook.fileBytes = file->size();
  for (const gguf::TensorInfo& tensor : file->tensors()) {
    outlook.parameters += tensor.elements();
    outlook.memoryBytes += heldBytes(tensor);
  }
  auto reading = readWhole(*file, &outlook.context);
  const ModelCard card = reading ? reading->card : firstLines(*file);
  outlook.name = card.name;
  outlook.architecture = card.architecture;
  outlook.chat = card.chat;
  outlook.chatProblem = card.chatProblem;
  if (!reading) {
    outlook.refusal = reading.error();
    return outlook;
  }
  outlook.context = reading->card.context;
  outlook.memoryBytes += reading->options.kvBytes;
  outlook.fim = reading->card.prompt.order;
  outlook.encodes = reading->card.encodes;
  addSpeeds(*file, *reading, outlook);
  return outlook;
}

}  // namespace waferpair::inference
