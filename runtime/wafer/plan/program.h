// SPDX-License-Identifier: GPL-3.0-or-later
// A model compiled for the wafer: the ordered ops that compute a token, each with its rectangle of
// PEs, its SRAM, its wavelets and its cycles, and the host kernels that produce the numbers.
//
//   plan()           shape + machine + profile -> placement and ops (no host code yet)
//   Program::make()  plan + stages             -> something that runs
//   Program::step()  runs the stages and charges the ops they cover: the only way to a token
//   Program::shadow() plan -> what the tokens of another model may step, to be charged as this one
//
// The program knows nothing of transformers on the host: a stage is any function, and the caller
// says which ops it covers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/wafer/plan/counters.h"
#include "runtime/wafer/plan/plan.h"

namespace waferpair::tensor {
class ThreadTeam;
}

namespace waferpair::wafer {

struct StepContext {
  int tokens = 1;        // rows of this step: 1 = decode, more = a chunk of prefill or a draft
  int context = 0;       // positions in the KV cache before this step
  int logits = 1;        // rows that go through the tail; 0 skips the tail's stages
  int drafted = 0;       // of the rows: a step of one and a draft is a decode step all the same
  int accepted = 0;      // of the draft: right; a stage may say so, as it is read behind them
  int ahead = 0;         // rows of the same prompt that later steps will bring
  void* user = nullptr;  // the caller's own, for its stages
};

// A fused host kernel. `run` is called on every thread of the team; a barrier follows each stage.
// In a step of several sequences its context has the rows of all together, and the rest of the
// first.
struct Stage {
  std::string name;
  int firstOp = 0;
  int opCount = 0;
  std::function<void(const StepContext&, int thread, int threadCount)> run;
};

// Whole cycles that an op was charged in one step, of all its rows, and wavelets as OpCount has
// them; and when its first row began and its last ended, from where the step begins. An op of a
// chunk that follows another may begin before that.
struct Charge {
  std::uint64_t compute = 0, fabric = 0, wavelets = 0;
  std::int64_t start = 0, end = 0;

  std::uint64_t cycles() const { return compute + fabric; }
};

// A step as the wafer takes it. It begins when the rows of all steps before have left.
struct ChargedStep {
  StepContext context;
  std::uint64_t cycles = 0;  // by which the last row has left later than without this step
  std::vector<Charge> ops;   // the body's ops, and the tail's where it has logits
  bool gemm = false;         // its rows go through the body as one; else one behind the other
};

// Not thread-safe, but for counters(): one step at a time.
class Program {
 public:
  // The stages must cover all ops in order, each once, and none may straddle the beginning of the
  // tail: the error names the op and the stage.
  static base::Result<Program> make(Plan plan, std::vector<Stage> stages);

  // Makes a program of a model whose weights are not here: without stages, so that a step computes
  // nothing and is charged all the same. Drive it with charge().
  static Program shadow(Plan plan);

  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  // Runs every stage on the whole team, then charges the ops of those that ran. tokens is at least
  // 1, logits at most tokens, and context + tokens at most the positions planned for.
  //
  // A decode step costs what its ops say at context + 1 positions. Rows follow one another through
  // the regions, as does a prompt's next chunk the one before (`ahead`), if no other step came
  // between; the cycles are those by which the last row leaves later. A chunk goes through the body
  // row by row as GEMVs, or as one GEMM where all rows of the prompt are done sooner that way; the
  // tail runs once for each row of logits. A draft is verified as many guesses at a time as the
  // profile has it, in as many steps as that takes. Returns the cycles that were charged.
  std::uint64_t step(const StepContext& context, tensor::ThreadTeam& team);

  // Charges as step() does, and runs nothing.
  std::uint64_t charge(const StepContext& context);
  // Runs several sequences at once, at least one: the stages run once, for the rows of all. On the
  // wafer the sequences come one after another, in this order: each is charged as a step of its
  // own, cycles[i] for sequences[i]. `betweenStages`, if it is not empty, is called by this thread
  // before each stage, and all of the team wait for it.
  void step(std::span<const StepContext> sequences, tensor::ThreadTeam& team,
            std::span<std::uint64_t> cycles, const std::function<void()>& betweenStages = {});

  // The emulated cycles that step() charges for this context if it follows nothing.
  std::uint64_t cycles(const StepContext& context) const;
  // The same by op of the plan, which of several rows add up to more; those that don't run have no
  // invocations.
  std::vector<OpCount> charges(const StepContext& context) const;

  // The steps that such a context is charged as, each as if it followed nothing: a decode step
  // never does. Any thread.
  std::vector<ChargedStep> replay(const StepContext& context) const;

  // Keeps what the last step charged, for recording, from the first call of keepCharges() on: of
  // one of its sequences one step, or several where the wafer's drafts are shorter than the host's.
  void keepCharges();
  std::span<const ChargedStep> lastSteps(std::size_t sequence = 0) const;

  // Off, step() computes and leaves the counters alone: for measuring what charging costs.
  void setCharging(bool on);

  const Plan& plan() const;
  const std::vector<Stage>& stages() const;
  // May be read from any thread while step() runs; stays where it is when the program is moved.
  const Counters& counters() const;

 private:
  struct Impl;
  explicit Program(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace waferpair::wafer
