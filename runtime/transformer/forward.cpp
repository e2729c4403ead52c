// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a token through the network. Each stage below is a few lines that say what is
// computed; with n tokens in the step and shapes in the comments, they are the whole architecture.
#include <algorithm>

#include "runtime/tensor/elementwise.h"
#include "runtime/transformer/forward_impl.h"

namespace waferpair::transformer {
namespace {

using tensor::kBlock;
using tensor::PackedMatrix;
using tensor::PanelRange;
using tensor::Rows;

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

// x[t] = row of token t of the embedding, scaled                          [n][d]
// or norm(row + that of its type + that of its position)
void Forward::Impl::embed(const Crew& crew) {
  for (int t = crew.thread; t < n; t += crew.threads) {
    float* row = x.get() + area(t, c.width);
    model->embed(rows[t].token, {row, static_cast<std::size_t>(c.width)});
    if (c.embeddingScale != 1) tensor::scale(row, c.embeddingScale, c.width);
    const EmbeddingParts& parts = model->embeddingParts();
    if (c.typeRows > 0) tensor::add(row, parts.types.data() + area(rows[t].type, c.width), c.width);
    if (c.positionRows) {
      tensor::add(row, parts.positions.data() + area(rows[t].position, c.width), c.width);
    }
    if (c.embeddingNorm) normRow(row, parts.norm, parts.normBias, row);
  }
}

// q = W_q norm(x) + b_q, rotated                                          [n][heads][headDim]
// key = W_k norm(x) + b_k, rotated, and value = W_v norm(x) + b_v, to the cache
//                                                                         [n][kvHeads][headDim]
// If heads are normed first, the rest waits until they are whole.
void Forward::Impl::qkv(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  // Nobody writes x during this stage, so each thread can normalize all of it for itself.
  const Rows normed = norm(x.get(), n, w.attnNorm, w.attnNormBias, scratchOf(crew));  // [n][d]
  crew.forEachShare(n, [&](Share share) { qkvShare(w, layer, normed, share); });
}

void Forward::Impl::qkvShare(const LayerWeights& w, int layer, const Rows& normed, Share share) {
  // A block of dimensions that shares a scale in the cache must not be cut.
  const bool scaled = rows[0].kv->format() != tensor::KvFormat::kF16;
  const int unit = scaled ? tensor::kKvBlock / tensor::kPanel : 1;
  const PanelRange some = panelsOf(w.key, share, unit);  // those of value are the same
  k.matmul(w.query, panelsOf(w.query, share), normed, q.get(), c.queryWidth(), false);
  k.matmul(w.key, some, normed, key.get(), c.kvWidth(), false);
  k.matmul(w.value, some, normed, value.get(), c.kvWidth(), false);

  const RowRange queries = rowsOf(w.query, share);
  const RowRange pairs = rowsOf(w.key, some);
  addBias(w.queryBias, q.get(), queries);
  addBias(w.keyBias, key.get(), pairs);
  addBias(w.valueBias, value.get(), pairs);
  if (c.outputGate) {
    k.matmul(w.queryGate, panelsOf(w.query, share), normed, outputGate.get(), c.queryWidth(),
             false);
    for (int t = 0; t < n; ++t) {
      tensor::sigmoid(outputGate.get() + area(t, c.queryWidth()) + queries.first,
                      queries.last - queries.first);
    }
  }
  for (int t = 0; !c.headNorms && t < n; ++t) toAttention(layer, t, queries, pairs);
}

// Norms each head of q and of key, or all heads of a row at once, then goes on as above.
void Forward::Impl::headNorms(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  const auto share = [&](int heads) {
    return RowRange{heads * crew.thread / crew.threads * c.headDim,
                    heads * (crew.thread + 1) / crew.threads * c.headDim};
  };
  const bool whole = c.jointNorms;  // then a thread has rows, else heads of all rows
  const RowRange queries = whole ? RowRange{0, c.queryWidth()} : share(c.heads);
  const RowRange pairs = whole ? RowRange{0, c.kvWidth()} : share(c.kvHeads);
  for (int t = whole ? crew.thread : 0; t < n; t += whole ? crew.threads : 1) {
    normHeads(q.get() + area(t, c.queryWidth()), queries, w.queryNorm);
    normHeads(key.get() + area(t, c.kvWidth()), pairs, w.keyNorm);
    toAttention(layer, t, queries, pairs);
  }
}

// x += W_o attended + b_o, or W_o (gate * attended), or of what recurrent heads give   [n][d]
// Where the FFN is parallel, x waits for it.
void Forward::Impl::output(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  Scratch& s = scratchOf(crew);
  const float* from = attended.get();
  if (c.isRecurrent(layer)) {
    keepRows(layer, crew);
    from = recurredRows(layer, s);
  } else if (c.latent.rank == 0) {
    from = attention.result(layer, crew.thread);
  }
  if (c.outputGate && !c.isRecurrent(layer)) {
    const std::size_t all = area(n, c.queryWidth());
    for (std::size_t i = 0; i < all; ++i) s.normed.get()[i] = from[i] * outputGate.get()[i];
    from = s.normed.get();
  }
  const Rows in = prepare(from, n, w.output.cols(), s);
  crew.forEachShare(n, [&](Share share) {
    if (c.parallel) return keepBranch(w.output, w.outputBias, in, share);
    addBranch(w.output, w.outputBias, in, share);
  });
}

// x += norm(branch), or x = norm(x + branch)                              [n][d]
void Forward::Impl::postNorm(const std::vector<float>& gain, const std::vector<float>& bias,
                             const Crew& crew) {
  float* normed = scratchOf(crew).normed.get();
  for (int t = crew.thread; t < n; t += crew.threads) {
    if (c.normsSums) {
      float* row = x.get() + area(t, c.width);
      tensor::add(row, branch.get() + area(t, c.width), c.width);
      normRow(row, gain, bias, row);
      continue;
    }
    k.rmsNorm(branch.get() + area(t, c.width), gain.data(), c.width, c.normEpsilon, normed);
    tensor::addScaled(x.get() + area(t, c.width), normed, c.residualScale, c.width);
  }
}

// gate = act(W_gate norm(x) + b_gate) * (W_up norm(x) + b_up), or         [n][f]
// gate = act(W_up norm(x) + b_up)
void Forward::Impl::ffnUp(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  const Rows normed = ffnInput(w, crew);  // [n][d]
  crew.forEachShare(n, [&](Share share) { ffnUpShare(w, normed, share); });
}

void Forward::Impl::ffnUpShare(const LayerWeights& w, const Rows& normed, Share share) {
  const PanelRange mine = panelsOf(w.up, share);
  const RowRange rows = rowsOf(w.up, mine);
  const int count = rows.last - rows.first;
  const int f = w.up.rows();
  if (!c.gated) {
    k.matmul(w.up, mine, normed, gate.get(), f, false);
    addBias(w.upBias, gate.get(), rows);
    // No model without a gate has another activation.
    const auto activate = c.activation == Activation::kSquaredRelu ? tensor::squaredRelu
                          : c.activation == Activation::kExactGelu ? tensor::exactGelu
                                                                   : tensor::gelu;
    for (int t = 0; t < n; ++t) activate(gate.get() + area(t, f) + rows.first, count);
    return;
  }
  k.matmul(w.gate, mine, normed, gate.get(), f, false);
  k.matmul(w.up, mine, normed, up.get(), f, false);
  addBias(w.gateBias, gate.get(), rows);
  addBias(w.upBias, up.get(), rows);
  const auto activate = c.activation == Activation::kSilu        ? k.siluMul
                        : c.activation == Activation::kExactGelu ? tensor::exactGeluMul
                                                                 : tensor::geluMul;
  for (int t = 0; t < n; ++t) {
    const std::size_t at = area(t, f) + static_cast<std::size_t>(rows.first);
    activate(gate.get() + at, up.get() + at, count);
  }
}

// x += W_down gate + b_down, and what attention gave, if that waits       [n][d]
void Forward::Impl::ffnDown(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  const Rows hidden = prepare(gate.get(), n, w.down.cols(), scratchOf(crew));
  crew.forEachShare(n, [&](Share share) {
    if (!c.parallel) return addBranch(w.down, w.downBias, hidden, share);
    const RowRange mine = rowsOf(w.down, share);
    k.matmul(w.down, panelsOf(w.down, share), hidden, x.get(), c.width, true);
    addBias(w.downBias, x.get(), mine);
    for (int t = 0; t < n; ++t) {
      const std::size_t at = area(t, c.width) + static_cast<std::size_t>(mine.first);
      tensor::add(x.get() + at, branch.get() + at, mine.last - mine.first);
    }
  });
}

// scores = W_router norm(x) + b_router                                    [n][experts]
void Forward::Impl::route(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  experts.route(w, ffnInput(w, crew), crew.thread, crew.threads);
}

// hidden = ffnUp's rows, of each expert chosen                            [n][used][f]
// and gate, as there, of the one that every token uses, scaled by sigmoid(w_shared norm(x))
void Forward::Impl::expertsUp(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  const Rows normed = ffnInput(w, crew);
  experts.up(w, normed, crew.thread, crew.threads);
  if (c.sharedFeedForward == 0) return;
  ffnUpShare(w, normed, crew.own());
  if (!c.sharedGate) return;
  const RowRange mine = rowsOf(w.up, crew.own());
  for (int t = 0; t < n; ++t) {
    float scale = tensor::dot(w.sharedGate.data(), normed.values + area(t, c.width), c.width);
    tensor::sigmoid(&scale, 1);
    tensor::scale(gate.get() + area(t, w.up.rows()) + mine.first, scale, mine.last - mine.first);
  }
}

// x += scaled sum over those of share * (W_down hidden + b_down)          [n][d]
// x += W_down gate, of the one that every token uses; of each row by the same thread
void Forward::Impl::expertsDown(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  const Rows hidden = prepare(experts.hidden(), n * c.expertsUsed, c.feedForward, scratchOf(crew));
  experts.down(w, hidden, x.get(), crew.thread, crew.threads);
  if (c.sharedFeedForward == 0) return;
  const Rows shared = prepare(gate.get(), n, c.sharedFeedForward, scratchOf(crew));
  addBranch(w.down, {}, shared, crew.own());
}

// logits = W_out norm(x), of the rows asked for, scaled and capped        [wanted][vocab]
void Forward::Impl::head(const Crew& crew) {
  const int wanted = static_cast<int>(rows.wanted().size());
  if (wanted == 0) return;
  const PackedMatrix& w = model->output();
  Scratch& s = scratchOf(crew);
  float* side = s.normed.get();  // those rows side by side
  for (const int row : rows.wanted()) {
    side = std::copy_n(x.get() + area(row, c.width), c.width, side);
  }
  const Rows normed = norm(s.normed.get(), wanted, model->outputNorm(), model->outputNormBias(), s);
  crew.forEachShare(wanted, [&](Share share) {
    k.matmul(w, panelsOf(w, share), normed, logits.get(), c.vocabSize, false);
    const RowRange mine = rowsOf(w, share);
    for (int t = 0; t < wanted; ++t) {
      float* row = logits.get() + area(t, c.vocabSize) + mine.first;
      if (c.logitScale != 1) tensor::scale(row, c.logitScale, mine.last - mine.first);
      if (c.logitCap > 0) tensor::softCap(row, c.logitCap, mine.last - mine.first);
    }
  });
}

// The parts of the stages follow.

Rows Forward::Impl::norm(const float* rows, int count, const std::vector<float>& gain,
                         const std::vector<float>& bias, Scratch& s) const {
  if (gain.empty()) return prepare(rows, count, c.width, s);
  float* out = s.normed.get();
  for (int t = 0; t < count; ++t) {
    const std::size_t at = area(t, c.width);
    normRow(rows + at, gain, bias, out + at);
  }
  return prepare(out, count, c.width, s);
}

void Forward::Impl::normRow(const float* row, const std::vector<float>& gain,
                            const std::vector<float>& bias, float* out) const {
  if (c.norm == NormKind::kRms) {
    k.rmsNorm(row, gain.data(), c.width, c.normEpsilon, out);
  } else {
    const float* added = bias.empty() ? nullptr : bias.data();
    tensor::layerNorm(row, gain.data(), added, c.width, c.normEpsilon, out);
  }
}

// `rows` as matrices take them. Every thread does this for itself: it costs less than a barrier.
Rows Forward::Impl::prepare(const float* rows, int count, int cols, Scratch& s) const {
  const bool blocks = quantized && cols % kBlock == 0;
  const auto quantize = planes == 1 ? k.quantize : k.quantizeFinely;
  for (int t = 0; blocks && t < count; ++t) {
    quantize(rows + area(t, cols), cols, s.quants.get() + area(t, cols * planes),
             s.scales.get() + area(t, cols / kBlock),
             s.sums.get() + area(t, cols / tensor::kSumGroup * planes));
  }
  return {.count = count,
          .cols = cols,
          .values = rows,
          .quants = s.quants.get(),
          .scales = s.scales.get(),
          .sums = s.sums.get(),
          .planes = planes};
}

// Adds a bias to a range of columns of all rows of the step, which are as wide as the bias; adds
// nothing if the bias is empty.
void Forward::Impl::addBias(const std::vector<float>& bias, float* rows, RowRange range) const {
  if (bias.empty()) return;
  for (int t = 0; t < n; ++t) {
    tensor::add(rows + area(t, static_cast<int>(bias.size())) + range.first,
                bias.data() + range.first, range.last - range.first);
  }
}

// What the FFN takes: norm(x), with a norm of its own unless it is parallel to attention.
Rows Forward::Impl::ffnInput(const LayerWeights& w, const Crew& crew) {
  const bool own = !c.parallel;
  return norm(x.get(), n, own ? w.ffnNorm : w.attnNorm, own ? w.ffnNormBias : w.attnNormBias,
              scratchOf(crew));
}

// branch = W in + bias
void Forward::Impl::keepBranch(const PackedMatrix& w, const std::vector<float>& bias,
                               const Rows& in, Share share) {
  k.matmul(w, panelsOf(w, share), in, branch.get(), c.width, false);
  addBias(bias, branch.get(), rowsOf(w, share));
}

// x += residualScale (W in + bias); where a norm comes between, branch = W in + bias.
void Forward::Impl::addBranch(const PackedMatrix& w, const std::vector<float>& bias, const Rows& in,
                              Share share) {
  const bool straight = !c.postNorms && c.residualScale == 1;
  float* to = straight ? x.get() : branch.get();
  const RowRange rows = rowsOf(w, share);
  k.matmul(w, panelsOf(w, share), in, to, c.width, straight);
  addBias(bias, to, rows);
  for (int t = 0; !straight && !c.postNorms && t < n; ++t) {
    const std::size_t at = area(t, c.width) + static_cast<std::size_t>(rows.first);
    tensor::addScaled(x.get() + at, branch.get() + at, c.residualScale, rows.last - rows.first);
  }
}

// Norms the heads in a range of the columns of a row of q or of key, or that row.
void Forward::Impl::normHeads(float* row, RowRange range, const std::vector<float>& gain) const {
  const auto width = static_cast<int>(gain.size());
  for (int at = range.first; at < range.last; at += width) {
    k.rmsNorm(row + at, gain.data(), width, c.normEpsilon, row + at);
  }
}

// Rotates these columns of a row of q and key, scales those of q by their position, and writes
// those of key and value to the cache.
void Forward::Impl::toAttention(int layer, int t, RowRange queries, RowRange pairs) {
  float* query = q.get() + area(t, c.queryWidth());
  rotate(layer, query, queries, t);
  if (const float scale = c.queryScale(rows[t].position); scale != 1) {
    tensor::scale(query + queries.first, scale, queries.last - queries.first);
  }
  float* newKey = key.get() + area(t, c.kvWidth());
  const float* newValue = value.get() + area(t, c.kvWidth());
  rotate(layer, newKey, pairs, t);
  forEachHead(pairs, c.headDim, [&](int head, int dim, int dims) {
    const auto at = area(head, c.headDim) + static_cast<std::size_t>(dim);
    const auto size = static_cast<std::size_t>(dims);
    rows[t].kv->write(k, layer, head, rows[t].position, dim, {newKey + at, size},
                      {newValue + at, size});
  });
}

// Columns of a row of heads, by the angles of its position.
void Forward::Impl::rotate(int layer, float* to, RowRange range, int row) const {
  if (!c.rotates(layer)) return;
  const float* turns = angles.of(layer, row);
  forEachHead(range, c.headDim, [&](int head, int dim, int dims) {
    const int rotated = std::min(dim + dims, c.ropeDim) - dim;  // the rest of a head stays
    if (rotated > 0) k.rope(to + head * c.headDim + dim, turns + dim, rotated);
  });
}

}  // namespace waferpair::transformer
