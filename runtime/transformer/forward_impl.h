// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a Forward. forward.cpp has the stages, forward_step.cpp the code around them.
// Private to this room.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "runtime/transformer/attention.h"
#include "runtime/transformer/buffer.h"
#include "runtime/transformer/experts.h"
#include "runtime/transformer/forward.h"
#include "runtime/transformer/rotary.h"
#include "runtime/transformer/share.h"
#include "runtime/transformer/step_rows.h"

namespace waferpair::transformer {

// Output rows of a thread's share of the panels.
struct RowRange {
  int first = 0, last = 0;
};

inline RowRange rowsOf(const tensor::PackedMatrix& matrix, tensor::PanelRange panels) {
  return {std::min(panels.first * tensor::kPanel, matrix.rows()),
          std::min(panels.last * tensor::kPanel, matrix.rows())};
}
inline tensor::PanelRange panelsOf(const tensor::PackedMatrix& matrix, Share share, int unit = 1) {
  return tensor::panelShare(matrix, share.index, share.count, unit);
}
inline RowRange rowsOf(const tensor::PackedMatrix& matrix, Share share) {
  return rowsOf(matrix, panelsOf(matrix, share));
}

struct Forward::Impl {
  // A thread's own buffers.
  struct Scratch {
    Buffer<float> normed;        // [maxBatch][d, or the widest part of latent attention]
    Buffer<std::int8_t> quants;  // [maxBatch][planes][widest]
    Buffer<float> scales;        // [maxBatch][widest / 32]
    Buffer<std::int16_t> sums;   // [maxBatch][planes][widest / 16]
    // Of a recurrent layer's head: query, key and value; what is added to the state; the state
    // behind a guess, [stateDim][headDim]; what it gives.
    Buffer<float> put, added, state, given;
  };

  Impl(std::shared_ptr<const Model> model, int maxBatch, int maxThreads,
       const tensor::Kernels& kernels, tensor::Activations activations);
  base::Result<void> begin(std::span<const Step> sequences);

  // The stages, in order. Each thread computes its share of the output.
  void embed(const Crew& crew);
  void qkv(int layer, const Crew& crew);
  void headNorms(int layer, const Crew& crew);
  void output(int layer, const Crew& crew);
  // Of latent attention, in forward_latent.cpp.
  void latentQkv(int layer, const Crew& crew);
  void latents(int layer, const Crew& crew);
  void absorb(int layer, const Crew& crew);
  void values(int layer, const Crew& crew);
  // Of recurrent layers, in forward_recurrent.cpp.
  void mix(int layer, const Crew& crew);
  void recur(int layer, const Crew& crew);
  void recurHead(int layer, RowSpan sequence, int head, Scratch& s);
  void keepRows(int layer, const Crew& crew);
  void convolve(int layer, RowSpan sequence, int position, int head, float* out) const;
  const float* recurredRows(int layer, Scratch& s) const;
  const float* inputRow(int layer, RowSpan sequence, int position) const;
  void postNorm(const std::vector<float>& gain, const std::vector<float>& bias, const Crew& crew);
  void ffnUp(int layer, const Crew& crew);
  void ffnDown(int layer, const Crew& crew);
  void route(int layer, const Crew& crew);
  void expertsUp(int layer, const Crew& crew);
  void expertsDown(int layer, const Crew& crew);
  void head(const Crew& crew);

  // Without a gain the rows are taken as they are.
  tensor::Rows norm(const float* rows, int count, const std::vector<float>& gain,
                    const std::vector<float>& bias, Scratch& s) const;
  void normRow(const float* row, const std::vector<float>& gain, const std::vector<float>& bias,
               float* out) const;
  tensor::Rows prepare(const float* rows, int count, int cols, Scratch& s) const;
  void addBias(const std::vector<float>& bias, float* rows, RowRange range) const;
  void addBranch(const tensor::PackedMatrix& w, const std::vector<float>& bias,
                 const tensor::Rows& in, Share share);
  void keepBranch(const tensor::PackedMatrix& w, const std::vector<float>& bias,
                  const tensor::Rows& in, Share share);
  tensor::Rows ffnInput(const LayerWeights& w, const Crew& crew);
  void qkvShare(const LayerWeights& w, int layer, const tensor::Rows& normed, Share share);
  void ffnUpShare(const LayerWeights& w, const tensor::Rows& normed, Share share);
  void toAttention(int layer, int t, RowRange queries, RowRange pairs);
  void normHeads(float* row, RowRange range, const std::vector<float>& gain) const;
  Scratch& scratchOf(const Crew& crew) { return scratch[static_cast<std::size_t>(crew.thread)]; }
  void rotate(int layer, float* to, RowRange range, int row) const;

  const std::shared_ptr<const Model> model;
  const Config& c;
  const tensor::Kernels& k;
  const int maxBatch, maxThreads;
  const int planes;        // of quantized activations
  bool quantized = false;  // some matrix is
  std::vector<StageInfo> stages;

  // The step under way.
  StepRows rows;
  int n = 0;                            // of its rows
  std::vector<std::atomic<int>> taken;  // by stage, as Crew has it

  // Activations, shared: each thread writes the columns of its own output rows.
  Buffer<float> x;           // [maxBatch][d], the residual stream
  Buffer<float> q;           // [maxBatch][heads * headDim]
  Buffer<float> key, value;  // [maxBatch][kvHeads * headDim], on their way to the cache
  // Of latent attention: what queries are made from, these before they are absorbed, and values.
  Buffer<float> queryDown;   // [maxBatch][queryRank]
  Buffer<float> plainQuery;  // [maxBatch][heads * (plainDim + ropeDim)]
  Buffer<float> attended;    // [maxBatch][heads * valueDim]
  // Of attention with gates: their sigmoids.
  Buffer<float> outputGate;  // [maxBatch][heads * headDim]
  // Of recurrent layers: what the positions put in (StateShape::row); gates, and then what the
  // heads give, gated; a row of zeros; ones.
  Buffer<float> mixed;     // [maxBatch][row]
  Buffer<float> recurred;  // [maxBatch][heads * headDim]
  std::vector<float> zeros, ones;
  Buffer<float> gate, up;  // [maxBatch][the widest ffn that is no expert]
  Buffer<float> branch;    // [maxBatch][d], on its way to x where a norm or a factor comes between
  Buffer<float> logits;    // [maxBatch][vocab]
  Attention attention;
  Experts experts;
  RotaryAngles angles;
  std::vector<Scratch> scratch;  // [maxThreads]
};

}  // namespace waferpair::transformer
