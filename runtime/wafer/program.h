// SPDX-License-Identifier: GPL-3.0-or-later
// A model compiled for the wafer: the ordered ops that compute a token, each with its rectangle of
// PEs, its SRAM, its wavelets and its cycles, and the host kernels that produce the numbers.
//
//   plan()           shape + machine + profile -> placement and ops (no host code yet)
//   Program::make()  plan + stages             -> something that runs
//   Program::step()  runs the stages and charges the ops they cover: the only way to a token
//
// The program knows nothing of transformers on the host: a stage is any function, and the caller
// says which ops it covers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/wafer/counters.h"
#include "runtime/wafer/placement.h"

namespace waferpair::tensor {
class ThreadTeam;
}

namespace waferpair::wafer {

enum class OpKind {
  kEmbed,     // token row to the first block
  kNorm,      // RMS norm
  kMatmul,    // one weight matrix
  kScore,     // q K^T
  kSoftmax,
  kAttend,    // scores V
  kTransfer,  // activations to the next block
  kSample,    // argmax over the vocabulary
};
const char* opKindName(OpKind kind);

// A cost that grows with the context, in closed form. With s positions on H PEs of a column,
// st = ceil(s / H):  fixed + perRow st + perVector ceil(st / lanes) + perPair ceil(st / 2)
struct Growth {
  double fixed = 0, perRow = 0, perVector = 0, perPair = 0;
};

struct OpCost {
  Growth compute;    // cycles in which the op's PEs issue arithmetic
  Growth fabric;     // cycles in which they wait for or move wavelets
  Growth wavelets;   // 32-bit wavelets sent times hops, over all PEs of the region
};

// Tile of one PE: k rows by n columns; zero where it is the context that decides.
struct Tile {
  int k = 0, n = 0;
};

// Ops of one layer, in order, as GGUF names its tensors (N is the layer):
//   blk.N.attn_norm  blk.N.attn_q  blk.N.attn_k  blk.N.attn_v  blk.N.attn_score  blk.N.attn_softmax
//   blk.N.attn_mix  blk.N.attn_output  blk.N.ffn_norm  blk.N.ffn_gate  blk.N.ffn_up  blk.N.ffn_down
// and blk.N.transfer where the next layer is in another block. Before them token_embd, after them
// output_norm, output, sample. Rotary positions, residual adds and SiLU are elementwise on the tiles
// of their neighbours: the profile's constants include them, so they are no ops of their own.
struct Op {
  OpKind kind = OpKind::kMatmul;
  std::string name;
  int layer = -1;   // -1 before and after the layers
  int region = 0;   // index into Placement::regions
  bool tail = false;  // after the last layer: run only for rows whose logits are asked for
  SramUse sram;       // what this op adds to each PE of its region; kFree is 0
  Tile tile;
  OpCost decode;      // one row
};

struct Plan {
  ModelShape shape;
  Machine machine;
  Profile profile;
  double clockGhz = 0;
  Placement placement;
  std::vector<Op> ops;

  // Index of the op with this name, -1 if there is none.
  int findOp(std::string_view name) const;
};

base::Result<Plan> plan(const ModelShape& shape, const Machine& machine, const Profile& profile,
                        const PlanOptions& options = {});

struct StepContext {
  int tokens = 1;   // rows of this step: 1 = decode, more = a chunk of prefill or of a draft
  int context = 0;  // positions in the KV cache before this step
  int logits = 1;   // rows that go through the tail; 0 skips the tail stages
  void* user = nullptr;
};

// A fused host kernel. `run` is called on every thread of the team; a barrier follows each stage.
struct Stage {
  std::string name;
  int firstOp = 0;
  int opCount = 0;
  std::function<void(const StepContext&, int thread, int threadCount)> run;
};

// Not thread-safe, but for counters(): one step at a time.
class Program {
 public:
  // The stages must cover all ops in order, each once, and none may straddle the beginning of the
  // tail: the error names the op.
  static base::Result<Program> make(Plan plan, std::vector<Stage> stages);

  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  // Runs every stage on the whole team, then charges the ops of those that ran.
  void step(const StepContext& context, tensor::ThreadTeam& team);

  // Emulated cycles that step() would charge for this context, by the same sums.
  std::uint64_t cycles(const StepContext& context) const;

  // Off, step() still computes but leaves the counters alone: for measuring what charging costs.
  void setCharging(bool on);

  const Plan& plan() const;
  const std::vector<Stage>& stages() const;
  // May be read from any thread while step() runs.
  const Counters& counters() const;

 private:
  struct Impl;
  explicit Program(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace waferpair::wafer
