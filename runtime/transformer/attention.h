// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of a step's tokens to the positions in the cache, shared among threads. Private to this
// room.
//
// The chunks that a token attends to are taken in runs: within one they are added one after
// another, then the runs are merged in order. How long a run is depends on nothing but how many
// chunks there are, so the result does not depend on who computed which run, nor beside which other
// tokens.
#pragma once

#include <vector>

#include "runtime/tensor/kernels.h"
#include "runtime/transformer/buffer.h"
#include "runtime/transformer/model.h"
#include "runtime/transformer/share.h"
#include "runtime/transformer/step_rows.h"

namespace waferpair::transformer {

class Attention {
 public:
  Attention(const Model& model, const tensor::Kernels& kernels, int maxBatch, int maxThreads);

  // The step under way; `rows` stays as it is until its end.
  void begin(const StepRows& rows) { rows_ = &rows; }
  // A thread's share of softmax(q keys scale) values, for q [n][heads][headDim].
  void run(int layer, const float* q, const Crew& crew);
  // Returns the whole attention, [n][heads][headDim], once all threads have run. Each thread asks
  // for itself. The second gives that of some heads, of which there is one KV head; the others'
  // mean nothing.
  const float* result(int layer, int thread) const;
  const float* result(int layer, int thread, RowSpan heads) const;

 private:
  using Range = RowSpan;
  // A thread's own buffers, for up to tileRows_ rows.
  struct Scratch {
    Buffer<float> queries;                   // [tileRows_][headDim]
    Buffer<float> part, all;                 // slots
    std::vector<tensor::ChunkRange> ranges;  // of each token
    Buffer<std::byte> values;                // of a chunk, where the cache has its keys alone
  };
  // The positions that a token attends to, itself included; the chunks they lie in; how many chunks
  // make a run.
  Range positionsOf(int layer, int token) const;
  Range chunksOf(int layer, int token) const;
  static int runLength(Range chunks);
  // Runs are numbered from the one that holds the first chunk on.
  static int runsOf(Range chunks);
  static Range chunksOfRun(Range chunks, int run);

  void runShared(int layer, const float* q, Share share);
  void attendTile(int layer, int kvHead, Range tokens, const float* q, Scratch& s);
  void attendChunks(int layer, int kvHead, Range tokens, const float* queries, Range chunks,
                    Scratch& s, const tensor::Attended& to) const;
  tensor::Attended runSlot(int kvHead, int run) const;
  const float* sinksOf(int layer, int kvHead) const;  // [group], null where there are none

  const Model& model_;
  const Config& c_;
  const tensor::Kernels& k_;
  const int tileRows_;  // rows that share the loads of a chunk; at least those of one token
  const StepRows* rows_ = nullptr;
  Buffer<float> attended_;             // [maxBatch][heads * headDim], for a step of several tokens
  Buffer<float> partials_;             // [kvHeads][kMostRuns] slots, for one of one
  std::vector<Buffer<float>> merged_;  // [maxThreads][heads * headDim]
  std::vector<Scratch> scratch_;       // [maxThreads]
};

}  // namespace waferpair::transformer
