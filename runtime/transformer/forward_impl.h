// SPDX-License-Identifier: GPL-3.0-or-later
// What a Forward is made of. forward.cpp has the stages, forward_step.cpp what is around them.
// Private to this room.
#pragma once

#include <memory>
#include <vector>

#include "runtime/transformer/attention.h"
#include "runtime/transformer/buffer.h"
#include "runtime/transformer/experts.h"
#include "runtime/transformer/forward.h"
#include "runtime/transformer/rotary.h"
#include "runtime/transformer/step_rows.h"

namespace waferpair::transformer {

// Output rows of a thread's share of the panels.
struct RowRange {
  int first = 0, last = 0;
};

struct Forward::Impl {
  // What a thread needs to itself.
  struct Scratch {
    Buffer<float> normed;        // [maxBatch][d]
    Buffer<std::int8_t> quants;  // [maxBatch][widest]
    Buffer<float> scales;        // [maxBatch][widest / 32]
    Buffer<std::int16_t> sums;   // [maxBatch][widest / 16]
  };

  Impl(std::shared_ptr<const Model> model, int maxBatch, int maxThreads,
       const tensor::Kernels& kernels);
  base::Result<void> begin(std::span<const Step> sequences);

  // The stages, in order. Each thread computes its share of the output.
  void embed(int thread, int threads);
  void qkv(int layer, int thread, int threads);
  void headNorms(int layer, int thread, int threads);
  void output(int layer, int thread, int threads);
  void postNorm(const std::vector<float>& gain, int thread, int threads);
  void ffnUp(int layer, int thread, int threads);
  void ffnDown(int layer, int thread, int threads);
  void route(int layer, int thread, int threads);
  void expertsUp(int layer, int thread, int threads);
  void expertsDown(int layer, int thread, int threads);
  void head(int thread, int threads);

  tensor::Rows norm(const float* rows, int count, const std::vector<float>& gain,
                    const std::vector<float>& bias, Scratch& s) const;
  tensor::Rows prepare(const float* rows, int count, int cols, Scratch& s) const;
  void addBias(const std::vector<float>& bias, float* rows, RowRange range) const;
  void addBranch(const tensor::PackedMatrix& w, const std::vector<float>& bias,
                 const tensor::Rows& in, int thread, int threads);
  void toAttention(int layer, RowRange queries, RowRange pairs);
  void rotate(int layer, float* to, RowRange range, int row) const;

  const std::shared_ptr<const Model> model;
  const Config& c;
  const tensor::Kernels& k;
  const int maxBatch, maxThreads;
  bool quantized = false;  // some matrix is
  std::vector<StageInfo> stages;

  // The step under way.
  StepRows rows;
  int n = 0;  // of its rows

  // Activations, shared: each thread writes the columns of its own output rows.
  Buffer<float> x;           // [maxBatch][d], the residual stream
  Buffer<float> q;           // [maxBatch][heads * headDim]
  Buffer<float> key, value;  // [maxBatch][kvHeads * headDim], on their way to the cache
  Buffer<float> gate, up;    // [maxBatch][f]
  Buffer<float> branch;  // [maxBatch][d], on its way to x where a norm or a factor comes between
  Buffer<float> logits;  // [maxBatch][vocab]
  Attention attention;
  Experts experts;
  RotaryAngles angles;
  std::vector<Scratch> scratch;  // [maxThreads]
};

}  // namespace waferpair::transformer
