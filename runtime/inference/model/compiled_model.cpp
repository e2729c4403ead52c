// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/model/compiled_model.h"

#include <cassert>
#include <optional>

#include "runtime/base/mutex.h"
#include "runtime/inference/model/compile.h"
#include "runtime/inference/model/outlook.h"
#include "runtime/inference/model/thread_choice.h"
#include "runtime/tensor/thread_team.h"
#include "runtime/tensor/tile_choice.h"

namespace waferpair::inference {
namespace {

// Of what a load takes; the rest is measuring what computes the model quickest.
constexpr double kWeightsShare = 0.95;

}  // namespace

struct CompiledModel::Machinery {
  std::shared_ptr<const transformer::Model> model;
  transformer::Forward forward;
  tensor::ThreadTeam team;
  // The program's stages refer to `forward`: Machinery never moves.
  std::optional<wafer::Program> program;
  std::function<void()> passBetweenStages;
  std::uint64_t memoryBytes = 0;
  base::Mutex observing;
  std::shared_ptr<StepObserver> observer WAFERPAIR_GUARDED_BY(observing);
  std::shared_ptr<wafer::Program> shadow WAFERPAIR_GUARDED_BY(observing);

  // The step under way, by sequence.
  std::vector<transformer::Step> steps;
  std::vector<HostSequence> hosts;
  std::vector<wafer::StepContext> contexts;
  std::vector<std::uint64_t> cycles;
  std::vector<StepResult> results;
  std::vector<float> state;

  Machinery(std::shared_ptr<const transformer::Model> m, const CompileOptions& options)
      : model(m),
        forward(std::move(m), options.chunk, options.threads > 0 ? options.threads : mostThreads(),
                tensor::kernels(), options.activations),
        team(options.threads > 0 ? options.threads : quickestThreads(forward)) {}

  // Shows the states of the step that has ended to those that want them.
  void showStates() {
    int row = 0;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const int end = row + static_cast<int>(steps[i].tokens.size());
      if (hosts[i].onState) state.resize(static_cast<std::size_t>(model->config().width));
      for (; hosts[i].onState && row < end; ++row) {
        forward.state(row, state);
        (*hosts[i].onState)(state);
      }
      row = end;
    }
  }

  // The observer of a step, and the shadow that is charged for it too; either may be null.
  struct Watchers {
    std::shared_ptr<StepObserver> observer;
    std::shared_ptr<wafer::Program> shadow;
  };
  Watchers watchers() {
    const base::MutexLock lock(observing);
    return {observer, shadow};
  }
  // Reports the step that began then and has just ended. Its results get the shadow's cycles.
  void tell(const Watchers& to, std::chrono::steady_clock::time_point began) {
    const auto each = (std::chrono::steady_clock::now() - began) / contexts.size();
    for (std::size_t i = 0; i < contexts.size(); ++i, began += each) {
      std::span<const wafer::ChargedStep> shadowSteps;
      if (to.shadow) {
        results[i].shadow = to.shadow;
        results[i].shadowCycles = to.shadow->charge(contexts[i]);
        shadowSteps = to.shadow->lastSteps();
      }
      if (!to.observer) continue;
      to.observer->stepped({.context = contexts[i],
                            .began = began,
                            .ended = began + each,
                            .steps = program->lastSteps(i),
                            .shadowSteps = shadowSteps});
    }
  }
};

CompiledModel::CompiledModel(tokenizer::Tokenizer tokenizer, CompileOptions options, ModelCard card,
                             std::unique_ptr<Machinery> machinery)
    : tokenizer_(std::move(tokenizer)),
      options_(std::move(options)),
      card_(std::move(card)),
      machinery_(std::move(machinery)) {}

CompiledModel::~CompiledModel() = default;

base::Result<std::unique_ptr<CompiledModel>> CompiledModel::load(const std::string& path,
                                                                 const CompileOptions& wanted,
                                                                 const LoadProgress& progress) {
  LoadProgress weights;
  if (progress) weights = [&](double share) { return progress(kWeightsShare * share); };
  auto model = transformer::Model::load(path, wanted.adapters, weights);
  if (!model) return tl::unexpected(model.error());
  auto reading = readModel((*model)->file(), (*model)->config(), (*model)->adapters(), wanted);
  if (!reading) return tl::unexpected(reading.error());
  reading->card.parameters = (*model)->parameters();
  CompileOptions& options = reading->options;
  if (!options.activations) options.activations = transformer::usualActivations(**model);

  auto machinery = std::make_unique<Machinery>(*model, options);
  options.threads = machinery->team.size();
  auto program = compile(std::move(reading->plan), machinery->forward);
  if (!program) return tl::unexpected(program.error());
  machinery->program.emplace(std::move(*program));
  machinery->memoryBytes = reading->memoryBytes;
  return std::unique_ptr<CompiledModel>(new CompiledModel(
      std::move(reading->tokenizer), options, std::move(reading->card), std::move(machinery)));
}

base::Result<CompiledModel::StepResult> CompiledModel::step(std::span<const std::int32_t> tokens,
                                                            transformer::KvCache& kv,
                                                            Sampler* sampler, int drafted) {
  const SequenceStep only{tokens, &kv, sampler, drafted};
  const auto results = step({&only, 1});
  if (!results) return tl::unexpected(results.error());
  return results->front();
}

base::Result<std::span<const CompiledModel::StepResult>> CompiledModel::step(
    std::span<const SequenceStep> sequences) {
  for (const SequenceStep& sequence : sequences) {
    const int drafted = sequence.drafted;
    assert(drafted == 0 || (sequence.sampler && drafted < std::ssize(sequence.tokens)));
    add(sequence, {.logits = sequence.shown + (sequence.sampler != nullptr ? 1 + drafted : 0),
                   .sampler = sequence.sampler,
                   .draft = sequence.tokens.last(static_cast<std::size_t>(drafted)),
                   .shown = sequence.shown,
                   .onLogits = sequence.onLogits,
                   .onState = sequence.onState});
  }
  if (const auto ran = run(); !ran) return tl::unexpected(ran.error());
  return machinery_->results;
}

base::Result<void> CompiledModel::score(std::span<const std::int32_t> tokens,
                                        transformer::KvCache& kv, int rows,
                                        const OnLogits& onLogits) {
  add({tokens, &kv}, {.logits = rows, .shown = rows, .onLogits = &onLogits});
  return run();
}

// Adds a sequence to the next run().
void CompiledModel::add(const SequenceStep& sequence, HostSequence host) {
  Machinery& m = *machinery_;
  m.steps.push_back({.tokens = sequence.tokens,
                     .kv = sequence.kv,
                     .logits = host.logits,
                     .guessed = sequence.drafted});
  m.contexts.push_back({.tokens = static_cast<int>(sequence.tokens.size()),
                        .context = sequence.kv->length(),
                        .logits = host.logits,
                        .drafted = sequence.drafted,
                        .ahead = sequence.ahead});
  m.hosts.push_back(host);
}

base::Result<void> CompiledModel::run() {
  Machinery& m = *machinery_;
  const auto begun = m.forward.begin(m.steps);
  if (begun) {
    HostStep host{m.hosts, m.contexts};
    m.contexts.front().user = &host;
    m.cycles.resize(m.contexts.size());
    const Machinery::Watchers watchers = m.watchers();
    if (watchers.observer) m.program->keepCharges();
    if (watchers.observer && watchers.shadow) watchers.shadow->keepCharges();
    const auto began = std::chrono::steady_clock::now();
    m.program->step(m.contexts, m.team, m.cycles, m.passBetweenStages);
    m.forward.end();
    m.showStates();
    m.results.clear();
    for (std::size_t i = 0; i < m.hosts.size(); ++i) {
      m.results.push_back(
          {.token = m.hosts[i].token, .accepted = m.hosts[i].accepted, .cycles = m.cycles[i]});
      m.results.back().context = m.contexts[i];
      m.results.back().context.user = nullptr;
    }
    m.tell(watchers, began);
    for (std::size_t i = 0; i < m.hosts.size(); ++i) {
      transformer::KvCache& kv = *m.steps[i].kv;
      kv.truncate(kv.length() - m.contexts[i].drafted + m.hosts[i].accepted);
    }
  }
  m.steps.clear();
  m.hosts.clear();
  m.contexts.clear();
  return begun;
}

std::uint64_t CompiledModel::memoryBytes() const { return machinery_->memoryBytes; }

int CompiledModel::threads() const { return machinery_->team.size(); }

std::string CompiledModel::kernels() const {
  std::vector<tensor::Format> formats;
  model().forEachMatrix([&](const tensor::PackedMatrix& m) { formats.push_back(m.format()); });
  return tensor::describe(tensor::kernels(), formats, *options_.activations);
}

const transformer::Model& CompiledModel::model() const { return *machinery_->model; }

const transformer::Config& CompiledModel::config() const { return machinery_->model->config(); }

const wafer::Program& CompiledModel::program() const { return *machinery_->program; }

void CompiledModel::observe(std::shared_ptr<StepObserver> observer) const {
  const base::MutexLock lock(machinery_->observing);
  machinery_->observer = std::move(observer);
}

void CompiledModel::tellOutcomes(std::span<const StepOutcome> outcomes) const {
  const Machinery::Watchers watchers = machinery_->watchers();
  if (watchers.observer) watchers.observer->decided(outcomes);
}

void CompiledModel::setShadow(std::shared_ptr<wafer::Program> shadow) const {
  const base::MutexLock lock(machinery_->observing);
  machinery_->shadow = std::move(shadow);
}

std::shared_ptr<const wafer::Program> CompiledModel::shadow() const {
  const base::MutexLock lock(machinery_->observing);
  return machinery_->shadow;
}

void CompiledModel::passBetweenStages(std::function<void()> pass) {
  machinery_->passBetweenStages = std::move(pass);
}

void CompiledModel::setCharging(bool on) { machinery_->program->setCharging(on); }

}  // namespace waferpair::inference
