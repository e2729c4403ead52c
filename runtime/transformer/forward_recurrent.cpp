// SPDX-License-Identifier: GPL-3.0-or-later
// Recurrent layers on a token's way (config.h, RecurrentLayers). Positions are gone through one
// after another, also where there are many, so that the state does not depend on how they are
// divided into steps. A step goes on from the state that the cache has: through the rows of its log
// first, then through its own, and leaves the next state where that is to be (recurrent_state.h).
#include <algorithm>
#include <cassert>
#include <cmath>

#include "runtime/tensor/elementwise.h"
#include "runtime/transformer/forward_impl.h"

namespace waferpair::transformer {
namespace {

using tensor::Rows;

constexpr float kLengthEpsilon = 1e-6f;  // as the models' authors have it

// x <- x factor / |x|
void setLength(float* x, int n, float factor) {
  tensor::scale(x, factor / std::sqrt(tensor::dot(x, x, n) + kLengthEpsilon), n);
}

float softplus(float z) { return z > 20 ? z : std::log1p(std::exp(z)); }

}  // namespace

// mixed = what a position puts in: W_qkv norm(x), betas and alphas        [n][row]
// recurred = gates: W_z norm(x)                                           [n][heads][headDim]
void Forward::Impl::mix(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  const RecurrentLayers& r = c.recurrent;
  const Rows normed = norm(x.get(), n, w.attnNorm, w.attnNormBias, scratchOf(crew));  // [n][d]
  const int row = r.channels() + r.extras();
  crew.forEachShare(n, [&](Share share) {
    const auto put = [&](const tensor::PackedMatrix& matrix, int first) {
      k.matmul(matrix, panelsOf(matrix, share), normed, mixed.get() + first, row, false);
    };
    put(w.mixed, 0);
    put(w.alpha, row - r.heads);
    if (r.rule == RecurrentLayers::Rule::kDelta) put(w.beta, r.channels());
    k.matmul(w.headGate, panelsOf(w.headGate, share), normed, recurred.get(), r.valueWidth(),
             false);
  });
}

// recurred = silu(gate) * norm(S^T query), of each head and position; of kDecay silu(gate) times
// S^T query + passing value                                               [n][heads][headDim]
void Forward::Impl::recur(int layer, const Crew& crew) {
  const int heads = c.recurrent.heads;
  const int all = heads * static_cast<int>(rows.sequences().size());
  crew.forEachShare(n, [&](Share share) {
    const int last = all * (share.index + 1) / share.count;
    for (int i = all * share.index / share.count; i < last; ++i) {
      recurHead(layer, rows.sequences()[static_cast<std::size_t>(i / heads)], i % heads,
                scratchOf(crew));
    }
  });
}

// What a position of a sequence put in: of this step, of the log, or before.
const float* Forward::Impl::inputRow(int layer, RowSpan sequence, int position) const {
  const KvCache& kv = *rows[sequence.first].kv;
  const RecurrentState& from = kv.state();
  const StateShape& shape = kv.states();
  if (position >= kv.length()) {
    return mixed.get() + area(sequence.first + position - kv.length(), shape.row);
  }
  if (position < 0) return zeros.data();
  const int index = position - from.position + shape.before;
  assert(index >= 0 && index < from.stride);
  return (*from.rows)[shape.at[static_cast<std::size_t>(layer)] * from.stride + index];
}

// query, key and value of a head, behind the convolution, as S takes them.
void Forward::Impl::convolve(int layer, RowSpan sequence, int position, int head,
                             float* out) const {
  const LayerWeights& w = model->layer(layer);
  const RecurrentLayers& r = c.recurrent;
  const int group = r.groupOf(head);
  const struct {
    int first, size;
  } parts[] = {{r.firstQuery() + group * r.stateDim, r.stateDim},
               {r.firstKey() + group * r.stateDim, r.stateDim},
               {r.firstValue() + head * r.headDim, r.headDim}};
  const int all = 2 * r.stateDim + r.headDim;
  std::fill_n(out, all, 0.0f);
  for (int i = 0; i < r.kernel; ++i) {
    const float* put = inputRow(layer, sequence, position - r.kernel + 1 + i);
    const float* weights = w.convolution.data() + area(i, r.channels());
    float* to = out;
    for (const auto& [first, size] : parts) {
      tensor::addProduct(to, put + first, weights + first, size);
      to += size;
    }
  }
  float* to = out;
  for (const auto& [first, size] : parts) {
    if (!w.convolutionBias.empty()) tensor::add(to, w.convolutionBias.data() + first, size);
    to += size;
  }
  k.siluMul(out, ones.data(), all);
}

void Forward::Impl::recurHead(int layer, RowSpan sequence, int head, Scratch& s) {
  const LayerWeights& w = model->layer(layer);
  const RecurrentLayers& r = c.recurrent;
  const bool delta = r.rule == RecurrentLayers::Rule::kDelta;
  const KvCache& kv = *rows[sequence.first].kv;
  const RecurrentState &from = kv.state(), &to = kv.nextState();
  const int index = kv.states().at[static_cast<std::size_t>(layer)] * r.heads + head;
  const std::size_t size = area(r.stateDim, r.headDim);
  const auto at = static_cast<std::size_t>(head);

  float* state = (*to.matrices)[index];
  if (from.matrices) {
    std::copy_n((*from.matrices)[index], size, state);
  } else {
    std::fill_n(state, size, 0.0f);
  }
  float *query = s.put.get(), *key = query + r.stateDim, *value = key + r.stateDim;
  float *added = s.added.get(), *given = s.given.get();
  const int end = kv.length() + sequence.size();
  for (int position = from.position; position < end; ++position) {
    if (position == to.position) {  // what comes now may be a guess
      std::copy_n(state, size, s.state.get());
      state = s.state.get();
    }
    convolve(layer, sequence, position, head, query);
    const float* extras = inputRow(layer, sequence, position) + r.channels();
    const float step = softplus(extras[r.extras() - r.heads + head] + w.stepBias[at]);
    const float decay = std::exp(w.decayRate[at] * step);
    if (delta) {
      setLength(query, r.stateDim, 1 / std::sqrt(static_cast<float>(r.stateDim)));
      setLength(key, r.stateDim, 1);
      float beta = extras[head];
      tensor::sigmoid(&beta, 1);
      const tensor::DeltaInputs in{.dim = r.headDim,
                                   .query = query,
                                   .key = key,
                                   .value = value,
                                   .decay = decay,
                                   .beta = beta};
      k.deltaRule(in, state, added, given);
    } else {
      for (int i = 0; i < r.headDim; ++i) added[i] = step * value[i];
      tensor::decayRule(state, r.stateDim, r.headDim, query, key, added, decay, given);
      tensor::addScaled(given, value, w.passing[at], r.headDim);
    }
    if (position < kv.length()) continue;
    const int row = sequence.first + position - kv.length();
    float* gated = recurred.get() + area(row, r.valueWidth()) + area(head, r.headDim);
    if (delta) k.rmsNorm(given, w.headNorm.data(), r.headDim, c.normEpsilon, given);
    k.siluMul(gated, given, r.headDim);
  }
}

// What the heads give, as W_o takes it: of kDecay each group is normed.   [n][heads][headDim]
const float* Forward::Impl::recurredRows(int layer, Scratch& s) const {
  const RecurrentLayers& r = c.recurrent;
  if (r.rule == RecurrentLayers::Rule::kDelta) return recurred.get();
  const std::vector<float>& gain = model->layer(layer).headNorm;
  const int each = r.valueWidth() / r.groups;
  for (int i = 0; i < n * r.groups; ++i) {
    k.rmsNorm(recurred.get() + area(i, each), gain.data() + area(i % r.groups, each), each,
              c.normEpsilon, s.normed.get() + area(i, each));
  }
  return s.normed.get();
}

// Copies the rows that the next state keeps: of the positions just before it, and its log.
void Forward::Impl::keepRows(int layer, const Crew& crew) {
  int turn = 0;
  for (const RowSpan& sequence : rows.sequences()) {
    const KvCache& kv = *rows[sequence.first].kv;
    const RecurrentState& to = kv.nextState();
    const int first = kv.states().at[static_cast<std::size_t>(layer)] * to.stride;
    for (int i = 0; i < to.stride; ++i) {
      if (turn++ % crew.threads != crew.thread) continue;
      const float* from = inputRow(layer, sequence, to.position - kv.states().before + i);
      std::copy_n(from, kv.states().row, (*to.rows)[first + i]);
    }
  }
}

}  // namespace waferpair::transformer
