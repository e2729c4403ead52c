// SPDX-License-Identifier: GPL-3.0-or-later
// One pass of tokens through a model, as a list of stages that a team of threads runs together.
// The tokens may be of several sequences: weights are read once for all, and each attends to its
// own cache.
//
//   forward.begin(sequences);                          // one thread
//   for each stage s:  forward.run(s, thread, count);  // all threads, then a barrier
//   forward.end();                                     // one thread
//   forward.logits(i)
//
// A stage is the work that can be done without waiting for another thread. The caller that drives
// the stages must put a barrier after each. Results do not depend on the number of threads, nor on
// how the tokens of a sequence are divided into steps, nor on the other sequences in these.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/tensor/kernels.h"
#include "runtime/transformer/kv_cache.h"
#include "runtime/transformer/model.h"

namespace waferpair::tensor {
class ThreadTeam;
}

namespace waferpair::transformer {

enum class StageKind {
  kEmbed,          // x = embedding rows
  kQkv,            // norm, query, key, value, rotary positions, key and value to the cache
  kHeadNorms,      // of models that norm heads: that, and what follows it, apart from kQkv
  kAttention,      // scores, softmax, weighted values
  kMix,            // of recurrent layers, in place of kQkv: norm, what a position puts in, gate
  kRecur,          // in place of kAttention: convolution, delta rule, gated norm of each head
  kOutput,         // x += W_o attention; of recurrent layers also what the next state has of rows;
                   // where the ffn is parallel, kFfnDown adds it
  kLatents,        // of latent attention, behind kQkv: norms, queries, key to the cache
  kAbsorb,         // of each head: its query to latents, rotary positions
  kValues,         // behind kAttention: of each head, from latents to its values
  kPostAttention,  // of models that norm what is added to x: that, and the adding
  kFfnUp,          // norm, gate, up, activation
  kFfnDown,        // x += W_down h
  kPostFfn,        // as kPostAttention
  kRoute,          // of models with experts, in place of kFfnUp and kFfnDown: norm, their scores
  kExpertsUp,      // choice; gate, up, activation of each that is chosen
  kExpertsDown,    // x += their sum, by their shares
  kHead,           // final norm and logits of the rows asked for
};

struct StageInfo {
  StageKind kind = StageKind::kEmbed;
  int layer = -1;    // -1 before and after the layers
  std::string name;  // "embed", "blk.0.qkv", ..., "head"
  // The operations it does, in order, as GGUF names the tensors (N the layer): token_embd |
  // blk.N.attn_norm, attn_q, attn_k, attn_v, attn_q.bias, attn_k.bias, attn_v.bias | attn_q_norm,
  // attn_k_norm | attn_score, attn_softmax, attn_sinks, attn_mix | attn_output, attn_output.bias |
  // post_attention_norm | ffn_norm, ffn_gate, ffn_up, ffn_gate.bias, ffn_up.bias | ffn_down,
  // ffn_down.bias | post_ffw_norm | output_norm, output. Those that the model has; with experts
  // ffn_norm, ffn_gate_inp, ffn_gate_inp.bias | ffn_choice, ffn_gate_exps, ffn_up_exps,
  // ffn_gate_exps.bias, ffn_up_exps.bias | ffn_down_exps, ffn_down_exps.bias for the ffn, with
  // exp_probs_b.bias behind the router's, and ffn_gate_shexp, ffn_up_shexp | ffn_down_shexp behind
  // the experts'. Latent attention is attn_norm, attn_q or attn_q_a, attn_kv_a_mqa | attn_q_a_norm,
  // attn_q_b, attn_kv_a_norm | attn_k_b | attn_score, attn_softmax, attn_mix | attn_v_b |
  // attn_output. A recurrent layer's are attn_norm, attn_qkv, attn_gate, ssm_beta, ssm_alpha |
  // ssm_conv1d, ssm_delta, ssm_norm | ssm_out, of Mamba-2 attn_norm, ssm_in | ssm_conv1d,
  // ssm_conv1d.bias, ssm_scan | ssm_norm, ssm_out; ffn_gate_inp_shexp comes behind the router.
  std::vector<std::string> ops;
  bool tail = false;  // only needed where logits are asked for
};

// The part of one sequence.
struct Step {
  std::span<const std::int32_t> tokens;  // at least 1; of all sequences at most maxBatch()
  KvCache* kv = nullptr;                 // the tokens come after kv->length() earlier ones
  int logits = 1;   // of the last this many tokens; 0 = none: the tail stages may be skipped
  int guessed = 0;  // the last this many tokens are likely to be cut off again right after the step
};

// The precision to which a model's activations are rounded unless the user sets another. Small
// models, which are quick enough with 16 bits too, so choose the tokens that they would choose
// unrounded. It depends on nothing but the model, so that its text does not depend on the computer.
inline constexpr std::size_t kMostFineParameters = 12'000'000;
tensor::Activations usualActivations(const Model& model);

class Forward {
 public:
  // maxBatch: tokens of the largest step; maxThreads: of the largest team that runs the stages.
  // Activations are rounded as is usual for the model unless `activations` says otherwise.
  Forward(std::shared_ptr<const Model> model, int maxBatch, int maxThreads,
          const tensor::Kernels& kernels = tensor::kernels(),
          std::optional<tensor::Activations> activations = std::nullopt);
  Forward(const Forward&) = delete;
  Forward& operator=(const Forward&) = delete;
  ~Forward();

  const Model& model() const;
  int maxBatch() const;
  int maxThreads() const;

  std::span<const StageInfo> stages() const;

  // Fails if a token is outside the vocabulary, a sequence has none, all have more than maxBatch,
  // or a cache is named twice, has no room or another shape, or its pool no page. The tokens are
  // copied; the caches must live until end().
  base::Result<void> begin(std::span<const Step> sequences);
  base::Result<void> begin(const Step& only) { return begin({&only, 1}); }
  // thread in 0..threadCount-1, threadCount at most maxThreads. Does not allocate.
  void run(int stage, int thread, int threadCount);
  // Makes the tokens part of the caches. A step that is not ended leaves these as they were.
  void end();

  // begin, every stage on the team, end.
  base::Result<void> step(std::span<const Step> sequences, tensor::ThreadTeam& team);
  base::Result<void> step(const Step& only, tensor::ThreadTeam& team) {
    return step({&only, 1}, team);
  }

  // [vocab] of the i-th row that the last step gave logits for, one sequence after another; valid
  // until the next begin().
  int logitRows() const;
  std::span<const float> logits(int row = 0) const;

  // Writes the state of the i-th token of the last step, of all its tokens, one sequence after
  // another: what the last layer gives, behind the final norm; [d]. Between end() and the next
  // begin(), from any threads.
  void state(int row, std::span<float> out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace waferpair::transformer
