// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a token through the network. Each stage below is a few lines that say what is
// computed; with n tokens in the step and shapes in the comments, they are the whole architecture.
#include "runtime/transformer/forward.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/buffer.h"
#include "runtime/transformer/partial_attention.h"

namespace waferpair::transformer {
namespace {

using tensor::Half;
using tensor::kBlock;
using tensor::kChunk;
using tensor::PackedMatrix;
using tensor::PanelRange;
using tensor::panelShare;
using tensor::Rows;

// Output rows of a thread's share of the panels.
struct RowRange {
  int first = 0, last = 0;
};
RowRange rowsOf(const PackedMatrix& matrix, int thread, int threads) {
  const PanelRange panels = panelShare(matrix, thread, threads);
  return {std::min(panels.first * tensor::kPanel, matrix.rows()),
          std::min(panels.last * tensor::kPanel, matrix.rows())};
}

// f(head, first dimension, dimensions) for each head that the rows touch.
template <typename F>
void forEachHead(RowRange rows, int headDim, F&& f) {
  for (int row = rows.first; row < rows.last;) {
    const int head = row / headDim, dim = row % headDim;
    const int dims = std::min(headDim - dim, rows.last - row);
    f(head, dim, dims);
    row += dims;
  }
}

}  // namespace

struct Forward::Impl {
  // What a thread needs to itself.
  struct Scratch {
    Buffer<float> normed;        // [maxBatch][d]
    Buffer<float> merged;        // [heads * headDim]
    Buffer<std::int8_t> quants;  // [maxBatch][widest]
    Buffer<float> scales;        // [maxBatch][widest / 32]
    Buffer<std::int16_t> sums;   // [maxBatch][widest / 16]
    Buffer<Half> halves;         // [headDim]
    Buffer<float> partials;      // two slots
  };

  Impl(std::shared_ptr<const Model> model, int maxBatch, int maxThreads,
       const tensor::Kernels& kernels);
  void listStages();
  base::Result<void> begin(const Step& step);

  // The stages, in order. Each thread computes its share of the output.
  void embed(int thread, int threads);
  void qkv(int layer, int thread, int threads);
  void attention(int layer, int thread, int threads);
  void output(int layer, int thread, int threads);
  void ffnUp(int layer, int thread, int threads);
  void ffnDown(int layer, int thread, int threads);
  void head(int thread, int threads);

  Rows norm(const float* rows, int count, const std::vector<float>& gain, Scratch& s) const;
  Rows prepare(const float* rows, int count, int cols, Scratch& s) const;
  void rotate(float* row, int first, int last, int token) const;
  void attendChunk(int layer, int kvHead, int token, int chunk, const PartialAttention& to) const;
  void attendAll(int layer, int kvHead, int token, const Scratch& s);
  const float* mergeChunks(const Scratch& s) const;
  PartialAttention chunkSlot(int chunk, int kvHead) const {
    return PartialAttention::at(
        partials.get() + PartialAttention::floats(c) * (area(chunk, c.kvHeads) + kvHead), c);
  }
  int chunksOf(int token) const { return (position + token) / kChunk + 1; }  // that it attends to

  const std::shared_ptr<const Model> model;
  const Config& c;
  const tensor::Kernels& k;
  const int maxBatch, maxThreads;
  bool quantized = false;  // some matrix is
  std::vector<StageInfo> stages;

  // The step under way.
  std::vector<std::int32_t> tokens;
  int n = 0;         // tokens
  int position = 0;  // of the first
  int wanted = 0;    // rows of logits
  KvCache* kv = nullptr;

  // Activations, shared: each thread writes the columns of its own output rows.
  Buffer<float> x;           // [maxBatch][d], the residual stream
  Buffer<float> q;           // [maxBatch][heads * headDim]
  Buffer<float> key, value;  // [maxBatch][kvHeads * headDim], on their way to the cache
  Buffer<float> attended;    // [maxBatch][heads * headDim]
  Buffer<float> gate, up;    // [maxBatch][f]
  Buffer<float> logits;      // [maxBatch][vocab]
  Buffer<float> partials;    // [chunks of the context][kvHeads] slots, for a step of one token
  std::vector<double> frequencies;  // [ropeDim / 2], radians per position
  std::vector<float> cosSin;        // [maxBatch][ropeDim / 2]{cos, sin}
  std::vector<Scratch> scratch;     // [maxThreads]
};

// x[t] = row of token t of the embedding                                  [n][d]
void Forward::Impl::embed(int thread, int threads) {
  for (int t = thread; t < n; t += threads) {
    model->embed(tokens[static_cast<std::size_t>(t)],
                 {x.get() + area(t, c.width), static_cast<std::size_t>(c.width)});
  }
}

// q = W_q norm(x), rotated                                                [n][heads][headDim]
// key = W_k norm(x), rotated, and value = W_v norm(x), to the cache       [n][kvHeads][headDim]
void Forward::Impl::qkv(int layer, int thread, int threads) {
  const LayerWeights& w = model->layer(layer);
  Scratch& s = scratch[static_cast<std::size_t>(thread)];
  // Nobody writes x during this stage, so each thread can normalize all of it for itself.
  const Rows normed = norm(x.get(), n, w.attnNorm, s);  // [n][d]
  k.matmul(w.query, panelShare(w.query, thread, threads), normed, q.get(), c.queryWidth(), false);
  k.matmul(w.key, panelShare(w.key, thread, threads), normed, key.get(), c.kvWidth(), false);
  k.matmul(w.value, panelShare(w.value, thread, threads), normed, value.get(), c.kvWidth(), false);

  const RowRange queries = rowsOf(w.query, thread, threads);
  const RowRange pairs = rowsOf(w.key, thread, threads);  // those of value are the same
  for (int t = 0; t < n; ++t) {
    rotate(q.get() + area(t, c.queryWidth()), queries.first, queries.last, t);
    float* newKey = key.get() + area(t, c.kvWidth());
    const float* newValue = value.get() + area(t, c.kvWidth());
    rotate(newKey, pairs.first, pairs.last, t);
    forEachHead(pairs, c.headDim, [&](int head, int dim, int dims) {
      const std::span halves(s.halves.get(), static_cast<std::size_t>(dims));
      k.toHalves(newKey + head * c.headDim + dim, dims, halves.data());
      kv->writeKey(layer, head, position + t, dim, halves);
      k.toHalves(newValue + head * c.headDim + dim, dims, halves.data());
      kv->writeValue(layer, head, position + t, dim, halves);
    });
  }
}

// attended = softmax(q keys / sqrt(headDim)) values, up to each token     [n][heads][headDim]
void Forward::Impl::attention(int layer, int thread, int threads) {
  if (n == 1) {  // its positions are shared out, and output() merges the chunks
    const int items = chunksOf(0) * c.kvHeads;
    const auto share = [&](int i) { return static_cast<int>(std::int64_t{items} * i / threads); };
    for (int i = share(thread); i < share(thread + 1); ++i) {
      const int chunk = i / c.kvHeads, kvHead = i % c.kvHeads;
      attendChunk(layer, kvHead, 0, chunk, chunkSlot(chunk, kvHead));
    }
    return;
  }
  // Several tokens: whole tokens are shared out in turn, as later ones attend to more positions.
  for (int i = thread; i < n * c.kvHeads; i += threads) {
    attendAll(layer, i % c.kvHeads, i / c.kvHeads, scratch[static_cast<std::size_t>(thread)]);
  }
}

// x += W_o attended                                                       [n][d]
void Forward::Impl::output(int layer, int thread, int threads) {
  const PackedMatrix& w = model->layer(layer).output;
  Scratch& s = scratch[static_cast<std::size_t>(thread)];
  const float* rows = n == 1 ? mergeChunks(s) : attended.get();
  k.matmul(w, panelShare(w, thread, threads), prepare(rows, n, c.queryWidth(), s), x.get(), c.width,
           true);
}

// gate = silu(W_gate norm(x)) * (W_up norm(x))                            [n][f]
void Forward::Impl::ffnUp(int layer, int thread, int threads) {
  const LayerWeights& w = model->layer(layer);
  const PanelRange mine = panelShare(w.gate, thread, threads);
  const Rows normed =
      norm(x.get(), n, w.ffnNorm, scratch[static_cast<std::size_t>(thread)]);  // [n][d]
  k.matmul(w.gate, mine, normed, gate.get(), c.feedForward, false);
  k.matmul(w.up, mine, normed, up.get(), c.feedForward, false);
  const RowRange rows = rowsOf(w.gate, thread, threads);
  for (int t = 0; t < n; ++t) {
    const std::size_t at = area(t, c.feedForward) + static_cast<std::size_t>(rows.first);
    k.siluMul(gate.get() + at, up.get() + at, rows.last - rows.first);
  }
}

// x += W_down gate                                                        [n][d]
void Forward::Impl::ffnDown(int layer, int thread, int threads) {
  const PackedMatrix& w = model->layer(layer).down;
  Scratch& s = scratch[static_cast<std::size_t>(thread)];
  k.matmul(w, panelShare(w, thread, threads), prepare(gate.get(), n, c.feedForward, s), x.get(),
           c.width, true);
}

// logits = W_out norm(x), of the last rows                                [wanted][vocab]
void Forward::Impl::head(int thread, int threads) {
  if (wanted == 0) return;
  const PackedMatrix& w = model->output();
  const Rows normed = norm(x.get() + area(n - wanted, c.width), wanted, model->outputNorm(),
                           scratch[static_cast<std::size_t>(thread)]);
  k.matmul(w, panelShare(w, thread, threads), normed, logits.get(), c.vocabSize, false);
}

// Below: what the stages are made of.

Rows Forward::Impl::norm(const float* rows, int count, const std::vector<float>& gain,
                         Scratch& s) const {
  float* out = s.normed.get();
  for (int t = 0; t < count; ++t) {
    k.rmsNorm(rows + area(t, c.width), gain.data(), c.width, c.normEpsilon, out + area(t, c.width));
  }
  return prepare(out, count, c.width, s);
}

// `rows` as matrices take them. Every thread does this for itself: it costs less than a barrier.
Rows Forward::Impl::prepare(const float* rows, int count, int cols, Scratch& s) const {
  const bool blocks = quantized && cols % kBlock == 0;
  for (int t = 0; blocks && t < count; ++t) {
    k.quantize(rows + area(t, cols), cols, s.quants.get() + area(t, cols),
               s.scales.get() + area(t, cols / kBlock),
               s.sums.get() + area(t, cols / tensor::kSumGroup));
  }
  return {.count = count,
          .cols = cols,
          .values = rows,
          .quants = s.quants.get(),
          .scales = s.scales.get(),
          .sums = s.sums.get()};
}

// Columns [first, last) of a row of heads, by the angles of the token's position.
void Forward::Impl::rotate(float* row, int first, int last, int token) const {
  const float* angles = cosSin.data() + area(token, c.ropeDim);
  forEachHead({first, last}, c.headDim, [&](int head, int dim, int dims) {
    const int rotated = std::min(dim + dims, c.ropeDim) - dim;  // the rest of a head stays
    if (rotated > 0) k.rope(row + head * c.headDim + dim, angles + dim, rotated);
  });
}

void Forward::Impl::attendChunk(int layer, int kvHead, int token, int chunk,
                                const PartialAttention& to) const {
  const int first = chunk * kChunk;
  const int last = std::min(first + kChunk, position + token + 1);  // a token sees itself too
  const float* query =
      q.get() + area(token, c.queryWidth()) + area(kvHead * c.groupSize(), c.headDim);
  const float scale = 1 / std::sqrt(static_cast<float>(c.headDim));
  k.attendChunk(query, c.groupSize(), c.headDim, scale, kv->head(layer, kvHead), first, last,
                to.max, to.sum, to.out);
}

// One token and KV head over all its chunks, merged in the order in which mergeChunks() does it.
void Forward::Impl::attendAll(int layer, int kvHead, int token, const Scratch& s) {
  const PartialAttention all = PartialAttention::at(s.partials.get(), c);
  const PartialAttention next =
      PartialAttention::at(s.partials.get() + PartialAttention::floats(c), c);
  attendChunk(layer, kvHead, token, 0, all);
  for (int chunk = 1; chunk < chunksOf(token); ++chunk) {
    attendChunk(layer, kvHead, token, chunk, next);
    merge(c, all, next);
  }
  divide(c, all,
         attended.get() + area(token, c.queryWidth()) + area(kvHead * c.groupSize(), c.headDim));
}

// The chunks of a step of one token, which the threads attended to apart. Each thread merges them
// all for itself.
const float* Forward::Impl::mergeChunks(const Scratch& s) const {
  for (int kvHead = 0; kvHead < c.kvHeads; ++kvHead) {
    const PartialAttention all = PartialAttention::at(s.partials.get(), c);
    copy(c, chunkSlot(0, kvHead), all);  // the slot itself belongs to all threads
    for (int chunk = 1; chunk < chunksOf(0); ++chunk) merge(c, all, chunkSlot(chunk, kvHead));
    divide(c, all, s.merged.get() + area(kvHead * c.groupSize(), c.headDim));
  }
  return s.merged.get();
}

Forward::Impl::Impl(std::shared_ptr<const Model> m, int batch, int threads,
                    const tensor::Kernels& kernels)
    : model(std::move(m)),
      c(model->config()),
      k(kernels),
      maxBatch(std::max(1, batch)),
      maxThreads(std::max(1, threads)),
      x(area(maxBatch, c.width)),
      q(area(maxBatch, c.queryWidth())),
      key(area(maxBatch, c.kvWidth())),
      value(area(maxBatch, c.kvWidth())),
      attended(area(maxBatch, c.queryWidth())),
      gate(area(maxBatch, c.feedForward)),
      up(area(maxBatch, c.feedForward)),
      logits(area(maxBatch, c.vocabSize)),
      partials(area(c.contextLength / kChunk + 1, c.kvHeads) * PartialAttention::floats(c)),
      cosSin(area(maxBatch, c.ropeDim)) {
  quantized = model->quantized();
  tokens.reserve(static_cast<std::size_t>(maxBatch));
  const int widest = std::max({c.width, c.queryWidth(), c.feedForward});
  for (int i = 0; i < maxThreads; ++i) {
    Scratch s;
    s.normed = Buffer<float>(area(maxBatch, c.width));
    s.merged = Buffer<float>(static_cast<std::size_t>(c.queryWidth()));
    s.quants = Buffer<std::int8_t>(area(maxBatch, widest));
    s.scales = Buffer<float>(area(maxBatch, widest / kBlock + 1));
    s.sums = Buffer<std::int16_t>(area(maxBatch, widest / tensor::kSumGroup + 1));
    s.halves = Buffer<Half>(static_cast<std::size_t>(c.headDim));
    s.partials = Buffer<float>(2 * PartialAttention::floats(c));
    scratch.push_back(std::move(s));
  }
  for (int i = 0; i < c.ropeDim; i += 2) {
    frequencies.push_back(std::pow(static_cast<double>(c.ropeBase), -double(i) / c.ropeDim));
  }
  listStages();
}

void Forward::Impl::listStages() {
  const auto add = [this](StageKind kind, int layer, const char* name,
                          std::initializer_list<const char*> ops) {
    const std::string prefix = layer < 0 ? "" : "blk." + std::to_string(layer) + ".";
    StageInfo stage;
    stage.kind = kind;
    stage.layer = layer;
    stage.name = prefix + name;
    for (const char* op : ops) stage.ops.push_back(prefix + op);
    stage.tail = kind == StageKind::kHead;
    stages.push_back(std::move(stage));
  };
  add(StageKind::kEmbed, -1, "embed", {"token_embd"});
  for (int layer = 0; layer < c.layers; ++layer) {
    add(StageKind::kQkv, layer, "qkv", {"attn_norm", "attn_q", "attn_k", "attn_v"});
    add(StageKind::kAttention, layer, "attention", {"attn_score", "attn_softmax", "attn_mix"});
    add(StageKind::kOutput, layer, "output", {"attn_output"});
    add(StageKind::kFfnUp, layer, "ffn_up", {"ffn_norm", "ffn_gate", "ffn_up"});
    add(StageKind::kFfnDown, layer, "ffn_down", {"ffn_down"});
  }
  add(StageKind::kHead, -1, "head", {"output_norm", "output"});
}

base::Result<void> Forward::Impl::begin(const Step& step) {
  const auto count = static_cast<std::int64_t>(step.tokens.size());
  if (count < 1 || count > maxBatch) {
    return base::fail("A step of " + std::to_string(count) +
                      " tokens was asked for, outside 1 to " + std::to_string(maxBatch) + ".");
  }
  if (step.kv == nullptr || !step.kv->fits(c)) {
    return base::fail("The KV cache of a step was made for another model.");
  }
  const std::int64_t room = std::min(step.kv->capacity(), c.contextLength) - step.kv->length();
  if (count > room) {
    return base::fail("The context is full: " + std::to_string(step.kv->length()) +
                          " positions are used, " + std::to_string(count) +
                          " more are needed and " + std::to_string(room) + " are left.",
                      "Send a shorter prompt.");
  }
  for (const std::int32_t token : step.tokens) {
    if (token < 0 || token >= c.vocabSize) {
      return base::fail("Token " + std::to_string(token) + " is outside the vocabulary of " +
                        std::to_string(c.vocabSize) + ".");
    }
  }
  tokens.assign(step.tokens.begin(), step.tokens.end());
  n = static_cast<int>(count);
  wanted = std::clamp(step.logits, 0, n);
  kv = step.kv;
  position = kv->length();
  for (int t = 0; t < n; ++t) {
    float* angles = cosSin.data() + area(t, c.ropeDim);
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      const double angle = (position + t) * frequencies[i];
      angles[2 * i] = static_cast<float>(std::cos(angle));
      angles[2 * i + 1] = static_cast<float>(std::sin(angle));
    }
  }
  return {};
}

Forward::Forward(std::shared_ptr<const Model> model, int maxBatch, int maxThreads,
                 const tensor::Kernels& kernels)
    : impl_(std::make_unique<Impl>(std::move(model), maxBatch, maxThreads, kernels)) {}
Forward::~Forward() = default;

const Model& Forward::model() const { return *impl_->model; }
int Forward::maxBatch() const { return impl_->maxBatch; }
int Forward::maxThreads() const { return impl_->maxThreads; }
std::span<const StageInfo> Forward::stages() const { return impl_->stages; }
base::Result<void> Forward::begin(const Step& step) { return impl_->begin(step); }

void Forward::run(int stage, int thread, int threadCount) {
  assert(impl_->kv != nullptr && threadCount <= impl_->maxThreads);
  const StageInfo& info = impl_->stages[static_cast<std::size_t>(stage)];
  switch (info.kind) {
    case StageKind::kEmbed:
      return impl_->embed(thread, threadCount);
    case StageKind::kQkv:
      return impl_->qkv(info.layer, thread, threadCount);
    case StageKind::kAttention:
      return impl_->attention(info.layer, thread, threadCount);
    case StageKind::kOutput:
      return impl_->output(info.layer, thread, threadCount);
    case StageKind::kFfnUp:
      return impl_->ffnUp(info.layer, thread, threadCount);
    case StageKind::kFfnDown:
      return impl_->ffnDown(info.layer, thread, threadCount);
    case StageKind::kHead:
      return impl_->head(thread, threadCount);
  }
}

void Forward::end() {
  assert(impl_->kv != nullptr);
  impl_->kv->setLength(impl_->position + impl_->n);
  impl_->kv = nullptr;
}

base::Result<void> Forward::step(const Step& step, tensor::ThreadTeam& team) {
  if (auto begun = begin(step); !begun) return begun;
  team.run([this, &team](int thread, int threads) {
    for (int stage = 0; stage < static_cast<int>(impl_->stages.size()); ++stage) {
      run(stage, thread, threads);
      team.barrier();
    }
  });
  end();
  return {};
}

int Forward::logitRows() const { return impl_->wanted; }

std::span<const float> Forward::logits(int row) const {
  assert(row >= 0 && row < impl_->wanted);
  const Config& c = impl_->c;
  return {impl_->logits.get() + area(row, c.vocabSize), static_cast<std::size_t>(c.vocabSize)};
}

}  // namespace waferpair::transformer
