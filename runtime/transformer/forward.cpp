// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a token through the network. Each stage below is a few lines that say what is
// computed; with n tokens in the step and shapes in the comments, they are the whole architecture.
#include "runtime/transformer/forward.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "runtime/tensor/elementwise.h"
#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/attention.h"
#include "runtime/transformer/buffer.h"
#include "runtime/transformer/experts.h"
#include "runtime/transformer/rotary.h"
#include "runtime/transformer/stage_list.h"

namespace waferpair::transformer {
namespace {

using tensor::kBlock;
using tensor::PackedMatrix;
using tensor::PanelRange;
using tensor::panelShare;
using tensor::Rows;

// Output rows of a thread's share of the panels.
struct RowRange {
  int first = 0, last = 0;
};
RowRange rowsOf(const PackedMatrix& matrix, PanelRange panels) {
  return {std::min(panels.first * tensor::kPanel, matrix.rows()),
          std::min(panels.last * tensor::kPanel, matrix.rows())};
}
RowRange rowsOf(const PackedMatrix& matrix, int thread, int threads) {
  return rowsOf(matrix, panelShare(matrix, thread, threads));
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
    Buffer<std::int8_t> quants;  // [maxBatch][widest]
    Buffer<float> scales;        // [maxBatch][widest / 32]
    Buffer<std::int16_t> sums;   // [maxBatch][widest / 16]
  };

  Impl(std::shared_ptr<const Model> model, int maxBatch, int maxThreads,
       const tensor::Kernels& kernels);
  base::Result<void> begin(const Step& step);

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

  Rows norm(const float* rows, int count, const std::vector<float>& gain,
            const std::vector<float>& bias, Scratch& s) const;
  Rows prepare(const float* rows, int count, int cols, Scratch& s) const;
  void addBias(const std::vector<float>& bias, float* rows, RowRange range) const;
  void addBranch(const PackedMatrix& w, const std::vector<float>& bias, const Rows& in, int thread,
                 int threads);
  void toAttention(int layer, RowRange queries, RowRange pairs);
  void rotate(int layer, float* row, RowRange range, int token) const;

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
  Buffer<float> gate, up;    // [maxBatch][f]
  Buffer<float> branch;  // [maxBatch][d], on its way to x where a norm or a factor comes between
  Buffer<float> logits;  // [maxBatch][vocab]
  Attention attention;
  Experts experts;
  RotaryAngles angles;
  std::vector<Scratch> scratch;  // [maxThreads]
};

// x[t] = row of token t of the embedding, scaled                          [n][d]
void Forward::Impl::embed(int thread, int threads) {
  for (int t = thread; t < n; t += threads) {
    float* row = x.get() + area(t, c.width);
    model->embed(tokens[static_cast<std::size_t>(t)], {row, static_cast<std::size_t>(c.width)});
    if (c.embeddingScale != 1) tensor::scale(row, c.embeddingScale, c.width);
  }
}

// q = W_q norm(x) + b_q, rotated                                          [n][heads][headDim]
// key = W_k norm(x) + b_k, rotated, and value = W_v norm(x) + b_v, to the cache
//                                                                         [n][kvHeads][headDim]
// Where heads are normed first, the rest waits until they are whole.
void Forward::Impl::qkv(int layer, int thread, int threads) {
  const LayerWeights& w = model->layer(layer);
  Scratch& s = scratch[static_cast<std::size_t>(thread)];
  // Nobody writes x during this stage, so each thread can normalize all of it for itself.
  const Rows normed = norm(x.get(), n, w.attnNorm, w.attnNormBias, s);  // [n][d]
  // A block of dimensions that shares a scale in the cache must not be cut.
  const int unit = kv->format() == tensor::KvFormat::kF16 ? 1 : tensor::kKvBlock / tensor::kPanel;
  const PanelRange some = panelShare(w.key, thread, threads, unit);  // those of value are the same
  k.matmul(w.query, panelShare(w.query, thread, threads), normed, q.get(), c.queryWidth(), false);
  k.matmul(w.key, some, normed, key.get(), c.kvWidth(), false);
  k.matmul(w.value, some, normed, value.get(), c.kvWidth(), false);

  const RowRange queries = rowsOf(w.query, thread, threads);
  const RowRange pairs = rowsOf(w.key, some);
  addBias(w.queryBias, q.get(), queries);
  addBias(w.keyBias, key.get(), pairs);
  addBias(w.valueBias, value.get(), pairs);
  if (!c.headNorms) toAttention(layer, queries, pairs);
}

// Each head of q and of key normed, then as above.
void Forward::Impl::headNorms(int layer, int thread, int threads) {
  const LayerWeights& w = model->layer(layer);
  const auto share = [&](int heads) {
    return RowRange{heads * thread / threads * c.headDim,
                    heads * (thread + 1) / threads * c.headDim};
  };
  const auto normHeads = [&](float* row, RowRange range, const std::vector<float>& gain) {
    for (int at = range.first; at < range.last; at += c.headDim) {
      k.rmsNorm(row + at, gain.data(), c.headDim, c.normEpsilon, row + at);
    }
  };
  const RowRange queries = share(c.heads), pairs = share(c.kvHeads);
  for (int t = 0; t < n; ++t) {
    normHeads(q.get() + area(t, c.queryWidth()), queries, w.queryNorm);
    normHeads(key.get() + area(t, c.kvWidth()), pairs, w.keyNorm);
  }
  toAttention(layer, queries, pairs);
}

// x += W_o attended + b_o                                                 [n][d]
void Forward::Impl::output(int layer, int thread, int threads) {
  const LayerWeights& w = model->layer(layer);
  Scratch& s = scratch[static_cast<std::size_t>(thread)];
  const Rows attended = prepare(attention.result(layer, thread), n, c.queryWidth(), s);
  addBranch(w.output, w.outputBias, attended, thread, threads);
}

// x += norm(branch)                                                       [n][d]
void Forward::Impl::postNorm(const std::vector<float>& gain, int thread, int threads) {
  float* normed = scratch[static_cast<std::size_t>(thread)].normed.get();
  for (int t = thread; t < n; t += threads) {
    k.rmsNorm(branch.get() + area(t, c.width), gain.data(), c.width, c.normEpsilon, normed);
    tensor::addScaled(x.get() + area(t, c.width), normed, c.residualScale, c.width);
  }
}

// gate = act(W_gate norm(x) + b_gate) * (W_up norm(x) + b_up), or         [n][f]
// gate = act(W_up norm(x) + b_up)
void Forward::Impl::ffnUp(int layer, int thread, int threads) {
  const LayerWeights& w = model->layer(layer);
  const PanelRange mine = panelShare(w.up, thread, threads);
  const Rows normed = norm(x.get(), n, w.ffnNorm, w.ffnNormBias,
                           scratch[static_cast<std::size_t>(thread)]);  // [n][d]
  const RowRange rows = rowsOf(w.up, thread, threads);
  const int count = rows.last - rows.first;
  if (!c.gated) {
    k.matmul(w.up, mine, normed, gate.get(), c.feedForward, false);
    addBias(w.upBias, gate.get(), rows);
    for (int t = 0; t < n; ++t) {  // no model without a gate has another activation
      tensor::gelu(gate.get() + area(t, c.feedForward) + rows.first, count);
    }
    return;
  }
  k.matmul(w.gate, mine, normed, gate.get(), c.feedForward, false);
  k.matmul(w.up, mine, normed, up.get(), c.feedForward, false);
  addBias(w.gateBias, gate.get(), rows);
  addBias(w.upBias, up.get(), rows);
  const auto activate = c.activation == Activation::kSilu ? k.siluMul : tensor::geluMul;
  for (int t = 0; t < n; ++t) {
    const std::size_t at = area(t, c.feedForward) + static_cast<std::size_t>(rows.first);
    activate(gate.get() + at, up.get() + at, count);
  }
}

// x += W_down gate + b_down                                               [n][d]
void Forward::Impl::ffnDown(int layer, int thread, int threads) {
  const LayerWeights& w = model->layer(layer);
  const Rows hidden =
      prepare(gate.get(), n, c.feedForward, scratch[static_cast<std::size_t>(thread)]);
  addBranch(w.down, w.downBias, hidden, thread, threads);
}

// scores = W_router norm(x) + b_router                                    [n][experts]
void Forward::Impl::route(int layer, int thread, int threads) {
  const LayerWeights& w = model->layer(layer);
  Scratch& s = scratch[static_cast<std::size_t>(thread)];
  experts.route(w, norm(x.get(), n, w.ffnNorm, w.ffnNormBias, s), thread, threads);
}

// hidden = ffnUp's rows, of each expert chosen                            [n][used][f]
void Forward::Impl::expertsUp(int layer, int thread, int threads) {
  const LayerWeights& w = model->layer(layer);
  Scratch& s = scratch[static_cast<std::size_t>(thread)];
  experts.up(w, norm(x.get(), n, w.ffnNorm, w.ffnNormBias, s), thread, threads);
}

// x += sum over those of share * (W_down hidden + b_down)                 [n][d]
void Forward::Impl::expertsDown(int layer, int thread, int threads) {
  Scratch& s = scratch[static_cast<std::size_t>(thread)];
  const Rows hidden = prepare(experts.hidden(), n * c.expertsUsed, c.feedForward, s);
  experts.down(model->layer(layer), hidden, x.get(), thread, threads);
}

// logits = W_out norm(x), of the last rows, scaled and capped             [wanted][vocab]
void Forward::Impl::head(int thread, int threads) {
  if (wanted == 0) return;
  const PackedMatrix& w = model->output();
  const Rows normed = norm(x.get() + area(n - wanted, c.width), wanted, model->outputNorm(),
                           model->outputNormBias(), scratch[static_cast<std::size_t>(thread)]);
  k.matmul(w, panelShare(w, thread, threads), normed, logits.get(), c.vocabSize, false);
  const RowRange rows = rowsOf(w, thread, threads);
  for (int t = 0; t < wanted; ++t) {
    float* mine = logits.get() + area(t, c.vocabSize) + rows.first;
    if (c.logitScale != 1) tensor::scale(mine, c.logitScale, rows.last - rows.first);
    if (c.logitCap > 0) tensor::softCap(mine, c.logitCap, rows.last - rows.first);
  }
}

// Below: what the stages are made of.

Rows Forward::Impl::norm(const float* rows, int count, const std::vector<float>& gain,
                         const std::vector<float>& bias, Scratch& s) const {
  float* out = s.normed.get();
  for (int t = 0; t < count; ++t) {
    const std::size_t at = area(t, c.width);
    if (c.norm == NormKind::kRms) {
      k.rmsNorm(rows + at, gain.data(), c.width, c.normEpsilon, out + at);
    } else {
      tensor::layerNorm(rows + at, gain.data(), bias.data(), c.width, c.normEpsilon, out + at);
    }
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

// Columns of a range of all rows of the step, as wide as the bias; none is no bias.
void Forward::Impl::addBias(const std::vector<float>& bias, float* rows, RowRange range) const {
  if (bias.empty()) return;
  for (int t = 0; t < n; ++t) {
    tensor::add(rows + area(t, static_cast<int>(bias.size())) + range.first,
                bias.data() + range.first, range.last - range.first);
  }
}

// x += residualScale (W in + bias); where a norm comes between, branch = W in + bias.
void Forward::Impl::addBranch(const PackedMatrix& w, const std::vector<float>& bias, const Rows& in,
                              int thread, int threads) {
  const bool straight = !c.postNorms && c.residualScale == 1;
  float* to = straight ? x.get() : branch.get();
  const RowRange rows = rowsOf(w, thread, threads);
  k.matmul(w, panelShare(w, thread, threads), in, to, c.width, straight);
  addBias(bias, to, rows);
  for (int t = 0; !straight && !c.postNorms && t < n; ++t) {
    const std::size_t at = area(t, c.width) + static_cast<std::size_t>(rows.first);
    tensor::addScaled(x.get() + at, branch.get() + at, c.residualScale, rows.last - rows.first);
  }
}

// Rotates these columns of q and key, and writes those of key and value to the cache.
void Forward::Impl::toAttention(int layer, RowRange queries, RowRange pairs) {
  for (int t = 0; t < n; ++t) {
    rotate(layer, q.get() + area(t, c.queryWidth()), queries, t);
    float* newKey = key.get() + area(t, c.kvWidth());
    const float* newValue = value.get() + area(t, c.kvWidth());
    rotate(layer, newKey, pairs, t);
    forEachHead(pairs, c.headDim, [&](int head, int dim, int dims) {
      const auto at = area(head, c.headDim) + static_cast<std::size_t>(dim);
      const auto size = static_cast<std::size_t>(dims);
      kv->write(k, layer, head, position + t, dim, {newKey + at, size}, {newValue + at, size});
    });
  }
}

// Columns of a row of heads, by the angles of the token's position.
void Forward::Impl::rotate(int layer, float* row, RowRange range, int token) const {
  const float* turns = angles.of(layer, token);
  forEachHead(range, c.headDim, [&](int head, int dim, int dims) {
    const int rotated = std::min(dim + dims, c.ropeDim) - dim;  // the rest of a head stays
    if (rotated > 0) k.rope(row + head * c.headDim + dim, turns + dim, rotated);
  });
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
      gate(area(maxBatch, c.feedForward)),
      up(area(maxBatch, c.feedForward)),
      branch(area(maxBatch, c.width)),
      logits(area(maxBatch, c.vocabSize)),
      attention(*model, k, maxBatch, maxThreads),
      experts(c, k, maxBatch, maxThreads),
      angles(c, model->ropeFactors(), maxBatch) {
  quantized = model->quantized();
  tokens.reserve(static_cast<std::size_t>(maxBatch));
  const int widest =
      std::max({c.width, c.queryWidth(), c.feedForward * std::max(1, c.expertsUsed)});
  for (int i = 0; i < maxThreads; ++i) {
    Scratch s;
    s.normed = Buffer<float>(area(maxBatch, c.width));
    s.quants = Buffer<std::int8_t>(area(maxBatch, widest));
    s.scales = Buffer<float>(area(maxBatch, widest / kBlock + 1));
    s.sums = Buffer<std::int16_t>(area(maxBatch, widest / tensor::kSumGroup + 1));
    scratch.push_back(std::move(s));
  }
  stages = listStages(c);
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
  const auto end = step.kv->length() + static_cast<int>(count);
  if (auto reserved = step.kv->reserve(end); !reserved) return reserved;
  tokens.assign(step.tokens.begin(), step.tokens.end());
  n = static_cast<int>(count);
  wanted = std::clamp(step.logits, 0, n);
  kv = step.kv;
  position = kv->length();
  attention.begin(kv, n, position);
  angles.begin(n, position);
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
    case StageKind::kHeadNorms:
      return impl_->headNorms(info.layer, thread, threadCount);
    case StageKind::kAttention:
      return impl_->attention.run(info.layer, impl_->q.get(), thread, threadCount);
    case StageKind::kOutput:
      return impl_->output(info.layer, thread, threadCount);
    case StageKind::kPostAttention:
      return impl_->postNorm(impl_->model->layer(info.layer).postAttentionNorm, thread,
                             threadCount);
    case StageKind::kFfnUp:
      return impl_->ffnUp(info.layer, thread, threadCount);
    case StageKind::kFfnDown:
      return impl_->ffnDown(info.layer, thread, threadCount);
    case StageKind::kPostFfn:
      return impl_->postNorm(impl_->model->layer(info.layer).postFfnNorm, thread, threadCount);
    case StageKind::kRoute:
      return impl_->route(info.layer, thread, threadCount);
    case StageKind::kExpertsUp:
      return impl_->expertsUp(info.layer, thread, threadCount);
    case StageKind::kExpertsDown:
      return impl_->expertsDown(info.layer, thread, threadCount);
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
