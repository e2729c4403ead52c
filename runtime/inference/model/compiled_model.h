// SPDX-License-Identifier: GPL-3.0-or-later
// A model file made ready to compute: opened, checked, placed on the wafer, compiled.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/inference/prompt/chat_template.h"
#include "runtime/inference/prompt/prompt.h"
#include "runtime/inference/sampling/copying.h"
#include "runtime/inference/sampling/model_sampling.h"
#include "runtime/inference/sampling/sampler.h"
#include "runtime/tokenizer/tokenizer.h"
#include "runtime/transformer/forward.h"
#include "runtime/wafer/plan/program.h"

namespace waferpair::inference {

using LoadProgress = transformer::LoadProgress;

struct CompileOptions {
  std::vector<transformer::AdapterFile> adapters = {};  // added to the weights, in this order
  std::string machine = "wse3";
  std::string profile = {};  // empty: the one meant for the machine
  double clockGhz = 0;       // 0: the profile's
  int threads = 0;           // 0: the quickest, as measured, at most one a core and 8
  int context = 0;           // positions of one sequence; 0: what the model was trained for
  int sequences = 4;         // of full length that the KV cache should hold, at least 2
  // The bytes of host memory for the KV caches of all sequences; the wafer's SRAM holds them too.
  // 0: as many as `sequences` need, at most 512 MiB.
  std::size_t kvBytes = 0;
  tensor::KvFormat kvFormat = tensor::KvFormat::kF16;
  // The bits that activations are rounded to where weights are quantized; none: as is usual for the
  // model.
  std::optional<tensor::Activations> activations = std::nullopt;
  int chunk = 32;  // most rows in a step of prefill: what a keystroke may have to wait for
};

struct HostSequence;

// Reports the tokens that a step fed for one sequence, the result, and the wafer's charges for it.
// If several share a step, each is given an equal part of its time.
struct StepReport {
  const wafer::StepContext& context;
  std::chrono::steady_clock::time_point began, ended;
  // As the wafer takes it, in several where it drafts less; the shadow's are empty without one.
  std::span<const wafer::ChargedStep> steps, shadowSteps;
};

// Says what became of the tokens of one sequence in a step, once whoever asked for it has decided,
// and what the request that it was made for has taken so far.
struct StepOutcome {
  std::uint64_t job = 0;
  int output = 0;        // tokens that became part of the text
  bool decodes = false;  // the request's prompt had been read to its end before
  // What its rate is made of, as JobFigures has it: emulated cycles, and host time.
  std::uint64_t rateTokens = 0, rateNs = 0, rateCycles = 0, rateShadowCycles = 0;
};

// Sees every step; for recording.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  // Called on the thread that steps, behind each step, for each of its sequences: has to be quick.
  virtual void stepped(const StepReport& report) = 0;
  // Called behind that with the outcome of each of its sequences, in order, where there are any.
  virtual void decided(std::span<const StepOutcome> /*outcomes*/) {}
};

// The facts about a model that a person, or a client, wants to know.
struct ModelCard {
  // From the file's metadata, else the file's own; with adapters "NAME + THAT OF THE ADAPTER".
  std::string name;
  std::string file;
  std::uint64_t fileBytes = 0;  // of all its parts
  std::vector<transformer::AdapterFile> adapters;
  std::string baseName = {};      // general.basename, else the name
  std::string quantization = {};  // the type of most of its weights: "Q4_K"
  std::string chatTemplate = {};  // as it stands in the file; empty: none
  std::string rankTemplate = {};  // tokenizer.chat_template.rerank, likewise
  ModelSampling sampling = {};
  std::string architecture;
  std::uint64_t parameters = 0;
  int context = 0;  // positions of one sequence
  int vocabSize = 0;
  int width = 0;  // numbers of a state, and so of an embedding
  PromptFormat prompt;
  std::optional<CopyWeights> copying;                   // empty: the model does without
  std::optional<ChatStyle> chat;                        // how it was trained to converse, if it was
  std::optional<base::Error> chatProblem;               // it was, in a way that is not known
  std::shared_ptr<const ChatProgram> chatProgram = {};  // its template, if it can be run
  std::optional<base::Error> chatProgramProblem;        // it cannot: it is written by its style
  std::optional<ToolStyle> tools;                 // how it calls tools; none: it does not converse
  std::shared_ptr<const ToolForm> toolForm = {};  // of that; null where there is none
  std::optional<ThinkingTags> thinking = {};      // how it was trained to think aloud, if it was
  transformer::Pooling pooling = transformer::Pooling::kNone;  // how it embeds texts, if it does
  std::string machine;
  std::string profile;
  double clockHz = 0;  // of the wafer, emulated

  bool encodes = false;  // it makes states of whole texts, and writes none
  bool ranks() const { return pooling == transformer::Pooling::kRank; }
  bool embeds() const { return pooling != transformer::Pooling::kNone && !ranks(); }
  // How it converses, where it does.
  ChatForm chatForm() const {
    return {.style = chat.value_or(ChatStyle::kChatMl), .tools = tools, .program = chatProgram};
  }
  // How text is continued (textPrompt()). A model that was trained to converse continues it as it
  // is, even where it fills in the middle, too.
  PromptFormat continuation() const { return chat || chatProblem ? PromptFormat{} : prompt; }
};

// One step at a time, from one thread; card(), tokenizer() and program().counters() may be read
// from any.
class CompiledModel {
 public:
  // The error names the file and what is wrong with it, or by how much it does not fit the wafer.
  // `progress` is as in transformer::Model::load(), but that it ends before 1.
  static base::Result<std::unique_ptr<CompiledModel>> load(const std::string& path,
                                                           const CompileOptions& options = {},
                                                           const LoadProgress& progress = {});
  ~CompiledModel();

  struct StepResult {
    int token = -1;            // the last one chosen; -1 when no sampler was given
    int accepted = 0;          // tokens of the draft that were chosen before it
    std::uint64_t cycles = 0;  // of the wafer, charged for this step
    // The shadow that the same step was charged to, and what; null and 0 without one.
    std::shared_ptr<const wafer::Program> shadow = {};
    std::uint64_t shadowCycles = 0;
    wafer::StepContext context = {};  // as it was charged
  };
  // Feeds 1 to chunk() tokens behind those in `kv` and, with a sampler, lets it choose the next
  // one. The last `drafted` of them, which may be all but one, are guesses of what it will choose:
  // it chooses in front of each, up to the first that is wrong, and behind the last if all are
  // right. Those that were right stay in `kv`, as if they had been fed one by one.
  base::Result<StepResult> step(std::span<const std::int32_t> tokens, transformer::KvCache& kv,
                                Sampler* sampler, int drafted = 0);

  // Shown the state of each token that a step fed, in order (Forward::state).
  using OnState = std::function<void(std::span<const float> state)>;
  // Shown the logits behind some of them, in order, on the thread that steps.
  using OnLogits = std::function<void(int row, std::span<const float> logits)>;

  struct SequenceStep {
    std::span<const std::int32_t> tokens;
    transformer::KvCache* kv = nullptr;
    Sampler* sampler = nullptr;
    int drafted = 0;
    int ahead = 0;  // tokens behind these that later steps are to feed, whatever comes out
    const OnState* onState = nullptr;  // called on the thread that steps; outlives the step
    // The same for the logits of the last `shown` tokens, but for those that the sampler sees.
    const OnLogits* onLogits = nullptr;
    int shown = 0;
  };
  // The same for several sequences in one step, chunk() tokens together at most: each result is
  // what it would be alone. Samplers may be asked at the same time. Valid until the next step.
  base::Result<std::span<const StepResult>> step(std::span<const SequenceStep> sequences);

  // Feeds tokens likewise and shows the logits of the last `rows` of them, 0 to all, in order, to
  // measure how well the model predicts a text.
  base::Result<void> score(std::span<const std::int32_t> tokens, transformer::KvCache& kv, int rows,
                           const OnLogits& onLogits);

  const ModelCard& card() const { return card_; }
  const CompileOptions& options() const { return options_; }
  // The memory of its weights and, at most, of the KV caches of all sequences.
  std::uint64_t memoryBytes() const;
  int chunk() const { return options_.chunk; }
  int threads() const;
  // The kernels that multiply its matrices, as tensor::describe() has it.
  std::string kernels() const;
  const transformer::Model& model() const;
  const transformer::Config& config() const;
  const tokenizer::Tokenizer& tokenizer() const { return tokenizer_; }
  const wafer::Program& program() const;
  // Shows every step from the next on to `observer`; null for nobody. Any thread. A step that runs
  // may still be shown to the observer before.
  void observe(std::shared_ptr<StepObserver> observer) const;
  // Tells the observer what became of the last step, a sequence each; on the thread that steps.
  void tellOutcomes(std::span<const StepOutcome> outcomes) const;
  // A program without stages (Program::shadow) that is charged for each step beside this model's,
  // from the next one on, as if another model ran. It has room for as many positions as this
  // model's sequences. Null for none. Any thread; a step that runs may still charge the one before,
  // which lives as long.
  void setShadow(std::shared_ptr<wafer::Program> shadow) const;
  std::shared_ptr<const wafer::Program> shadow() const;
  // Has `pass` called between the stages of each step from the next one on, on the thread that
  // steps; empty for nothing.
  void passBetweenStages(std::function<void()> pass);
  // Turns charging on or off, for measuring what it costs; not while a step runs.
  void setCharging(bool on);

 private:
  struct Machinery;
  void add(const SequenceStep& sequence, HostSequence host);
  base::Result<void> run();
  CompiledModel(tokenizer::Tokenizer tokenizer, CompileOptions options, ModelCard card,
                std::unique_ptr<Machinery> machinery);

  tokenizer::Tokenizer tokenizer_;
  CompileOptions options_;
  ModelCard card_;
  std::unique_ptr<Machinery> machinery_;
};

}  // namespace waferpair::inference
