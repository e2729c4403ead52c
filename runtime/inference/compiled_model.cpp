// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/compiled_model.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "runtime/inference/compile.h"
#include "runtime/tensor/thread_team.h"
#include "runtime/wafer/machine.h"

namespace waferpair::inference {
namespace {

constexpr int kMaxThreads = 8;  // more barriers' worth than a small model gains from
// What a thread must have to read in a step before it pays for its part in the barriers.
constexpr std::size_t kBytesAThread = 4 << 20;
constexpr int kLongestContext = 1 << 20;
constexpr std::size_t kUsualKvBytes = std::size_t{512} << 20;

int threadsFor(std::size_t bytesPerToken) {
  const auto cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const auto worth = static_cast<int>(std::min<std::size_t>(bytesPerToken / kBytesAThread, cores));
  return std::clamp(worth, 1, kMaxThreads);
}

base::Result<CompileOptions> settle(CompileOptions options, const transformer::Model& model,
                                    const std::string& file) {
  const transformer::Config& config = model.config();
  if (options.threads <= 0) options.threads = threadsFor(model.bytesPerToken());
  options.sequences = std::max(options.sequences, 2);  // a completion and a generation at once
  if (options.context <= 0) options.context = config.contextLength;
  if (options.context > config.contextLength)
    return base::fail("A context of " + std::to_string(options.context) + " was asked for, but " +
                          file + " was trained for " + std::to_string(config.contextLength) + ".",
                      "Ask for at most that.");
  if (options.context < 2 || options.context > kLongestContext)
    return base::fail(file + ": a context of " + std::to_string(options.context) + " positions.",
                      "Between 2 and " + std::to_string(kLongestContext) + " can be computed.");
  options.chunk = std::clamp(options.chunk, 1, options.context);
  const std::size_t each = transformer::KvPool::bytesPerToken(config, options.kvFormat);
  if (options.kvBytes == 0) {
    const auto chunks = static_cast<std::size_t>((options.context - 1) / tensor::kChunk + 1);
    const std::size_t whole =
        chunks * tensor::kChunk * each * static_cast<std::size_t>(options.sequences);
    options.kvBytes = std::min(kUsualKvBytes, whole);
  }
  return options;
}

base::Result<wafer::Plan> planFor(const transformer::Model& model, const CompileOptions& options) {
  const auto machine = wafer::findMachine(options.machine);
  if (!machine) return tl::unexpected(machine.error());
  const auto profile = options.profile.empty() ? wafer::defaultProfile(options.machine)
                                               : wafer::findProfile(options.profile);
  if (!profile) return tl::unexpected(profile.error());
  auto shape = wafer::checkShape(shapeOf(model.config(), model.file()));
  if (!shape) return tl::unexpected(shape.error());
  shape->parts.kvBlockBytes =
      static_cast<int>(tensor::kvRowBytes(options.kvFormat, wafer::LayerParts::kKvBlock));
  wafer::PlanOptions planOptions;
  // What the KV cache holds, or would if it were larger: no sequence is longer.
  const std::size_t held =
      options.kvBytes / transformer::KvPool::bytesPerToken(model.config(), options.kvFormat);
  planOptions.context = static_cast<int>(std::clamp<std::size_t>(
      held, static_cast<std::size_t>(options.context), wafer::kMostPositions));
  planOptions.chunk = options.chunk;
  planOptions.maxWafers = 1;  // telemetry shows one
  planOptions.clockGhz = options.clockGhz;
  return wafer::plan(*shape, *machine, *profile, planOptions);
}

std::string nameOf(const transformer::Model& model, const std::string& path) {
  if (!model.config().name.empty()) return model.config().name;
  return std::filesystem::path(path).stem().string();
}

}  // namespace

struct CompiledModel::Machinery {
  std::shared_ptr<const transformer::Model> model;
  transformer::Forward forward;
  tensor::ThreadTeam team;
  // Its stages refer to `forward`: Machinery never moves.
  std::optional<wafer::Program> program;
  std::mutex observing;
  std::shared_ptr<StepObserver> observer;  // guarded by observing, as is the shadow
  std::shared_ptr<wafer::Program> shadow;

  Machinery(std::shared_ptr<const transformer::Model> m, int chunk, int threads)
      : model(m), forward(std::move(m), chunk, threads), team(threads) {}
};

CompiledModel::CompiledModel(tokenizer::Tokenizer tokenizer, CompileOptions options, ModelCard card,
                             std::unique_ptr<Machinery> machinery)
    : tokenizer_(std::move(tokenizer)),
      options_(std::move(options)),
      card_(std::move(card)),
      machinery_(std::move(machinery)) {}

CompiledModel::~CompiledModel() = default;

base::Result<std::unique_ptr<CompiledModel>> CompiledModel::load(const std::string& path,
                                                                 const CompileOptions& wanted) {
  auto model = transformer::Model::load(path);
  if (!model) return tl::unexpected(model.error());
  const transformer::Config& config = (*model)->config();
  const gguf::File& file = (*model)->file();

  auto tokenizer = tokenizer::Tokenizer::fromGguf(file);
  if (!tokenizer) return tl::unexpected(tokenizer.error());
  if (tokenizer->vocabSize() > config.vocabSize)
    return base::fail(path + ": the tokenizer has " + std::to_string(tokenizer->vocabSize()) +
                          " tokens, token_embd.weight only " + std::to_string(config.vocabSize) +
                          " rows.",
                      "The file was put together wrongly; get it again.");
  const auto prompt = readPromptFormat(file, *tokenizer);
  if (!prompt) return tl::unexpected(prompt.error());
  const auto copying = readCopyWeights(file);
  if (!copying) return tl::unexpected(copying.error());

  const auto options = settle(wanted, **model, path);
  if (!options) return tl::unexpected(options.error());
  auto plan = planFor(**model, *options);
  if (!plan) return tl::unexpected(plan.error());

  ModelCard card;
  card.name = nameOf(**model, path);
  card.file = path;
  card.architecture = std::string(file.stringOr("general.architecture", "").value_or(""));
  card.parameters = (*model)->parameters();
  card.context = options->context;
  card.vocabSize = config.vocabSize;
  card.prompt = *prompt;
  card.copying = *copying;
  if (file.has("tokenizer.chat_template")) {
    if (const auto chat = readChatStyle(file); chat)
      card.chat = *chat;
    else
      card.chatProblem = chat.error();
  }
  card.machine = plan->machine.name;
  card.profile = plan->profile.name;
  card.clockHz = plan->clockGhz * 1e9;

  auto machinery = std::make_unique<Machinery>(*model, options->chunk, options->threads);
  auto program = compile(std::move(*plan), machinery->forward);
  if (!program) return tl::unexpected(program.error());
  machinery->program.emplace(std::move(*program));
  return std::unique_ptr<CompiledModel>(
      new CompiledModel(std::move(*tokenizer), *options, std::move(card), std::move(machinery)));
}

base::Result<CompiledModel::StepResult> CompiledModel::step(std::span<const std::int32_t> tokens,
                                                            transformer::KvCache& kv,
                                                            Sampler* sampler, int drafted) {
  assert(drafted == 0 || (sampler && drafted < std::ssize(tokens)));
  return run(tokens, kv, sampler != nullptr ? 1 + drafted : 0,
             {.sampler = sampler, .draft = tokens.last(static_cast<std::size_t>(drafted))});
}

base::Result<void> CompiledModel::score(std::span<const std::int32_t> tokens,
                                        transformer::KvCache& kv, int rows,
                                        const OnLogits& onLogits) {
  const auto result = run(tokens, kv, rows, {.onLogits = &onLogits});
  if (!result) return tl::unexpected(result.error());
  return {};
}

base::Result<CompiledModel::StepResult> CompiledModel::run(std::span<const std::int32_t> tokens,
                                                           transformer::KvCache& kv, int logits,
                                                           HostStep host) {
  const int drafted = static_cast<int>(host.draft.size());
  wafer::StepContext context;
  context.tokens = static_cast<int>(tokens.size());
  context.context = kv.length();
  context.logits = logits;
  context.drafted = drafted;
  context.user = &host;
  const auto begun =
      machinery_->forward.begin({.tokens = tokens, .kv = &kv, .logits = context.logits});
  if (!begun) return tl::unexpected(begun.error());
  std::shared_ptr<StepObserver> observer;
  std::shared_ptr<wafer::Program> shadow;
  {
    const std::lock_guard lock(machinery_->observing);
    observer = machinery_->observer;
    shadow = machinery_->shadow;
  }
  if (observer) machinery_->program->keepCharges();
  if (observer && shadow) shadow->keepCharges();
  const auto began = std::chrono::steady_clock::now();
  const std::uint64_t cycles = machinery_->program->step(context, machinery_->team);
  machinery_->forward.end();
  const auto ended = std::chrono::steady_clock::now();
  const std::uint64_t shadowCycles = shadow ? shadow->charge(context) : 0;
  if (observer)
    observer->stepped(
        {.context = context,
         .accepted = host.accepted,
         .began = began,
         .ended = ended,
         .charges = machinery_->program->lastCharges(),
         .shadowCharges = shadow ? shadow->lastCharges() : std::span<const wafer::Charge>()});
  kv.truncate(kv.length() - drafted + host.accepted);
  return StepResult{.token = host.token,
                    .accepted = host.accepted,
                    .cycles = cycles,
                    .shadow = std::move(shadow),
                    .shadowCycles = shadowCycles};
}

int CompiledModel::threads() const { return machinery_->team.size(); }

const transformer::Model& CompiledModel::model() const { return *machinery_->model; }

const transformer::Config& CompiledModel::config() const { return machinery_->model->config(); }

const wafer::Program& CompiledModel::program() const { return *machinery_->program; }

void CompiledModel::observe(std::shared_ptr<StepObserver> observer) const {
  const std::lock_guard lock(machinery_->observing);
  machinery_->observer = std::move(observer);
}

void CompiledModel::setShadow(std::shared_ptr<wafer::Program> shadow) const {
  const std::lock_guard lock(machinery_->observing);
  machinery_->shadow = std::move(shadow);
}

std::shared_ptr<const wafer::Program> CompiledModel::shadow() const {
  const std::lock_guard lock(machinery_->observing);
  return machinery_->shadow;
}

void CompiledModel::setCharging(bool on) { machinery_->program->setCharging(on); }

}  // namespace waferpair::inference
