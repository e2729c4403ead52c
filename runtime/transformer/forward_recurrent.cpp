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
// recurred = gates: W_z norm(x)                                           [n][valueHeads][headDim]
void Forward::Impl::mix(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  const Rows normed = norm(x.get(), n, w.attnNorm, w.attnNormBias, scratchOf(crew));  // [n][d]
  const int channels = c.recurrent.channels(), heads = c.recurrent.valueHeads;
  const int row = channels + 2 * heads;
  crew.forEachShare(n, [&](Share share) {
    k.matmul(w.mixed, panelsOf(w.mixed, share), normed, mixed.get(), row, false);
    k.matmul(w.beta, panelsOf(w.beta, share), normed, mixed.get() + channels, row, false);
    k.matmul(w.alpha, panelsOf(w.alpha, share), normed, mixed.get() + channels + heads, row, false);
    k.matmul(w.headGate, panelsOf(w.headGate, share), normed, recurred.get(),
             c.recurrent.valueWidth(), false);
  });
}

// recurred = silu(gate) * norm(S^T query), of each head and position      [n][valueHeads][headDim]
void Forward::Impl::recur(int layer, const Crew& crew) {
  const int heads = c.recurrent.valueHeads;
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

void Forward::Impl::recurHead(int layer, RowSpan sequence, int head, Scratch& s) {
  const LayerWeights& w = model->layer(layer);
  const RecurrentLayers& r = c.recurrent;
  const KvCache& kv = *rows[sequence.first].kv;
  const RecurrentState &from = kv.state(), &to = kv.nextState();
  const int dim = r.headDim, channels = r.channels();
  const int index = kv.states().at[static_cast<std::size_t>(layer)] * r.valueHeads + head;
  const std::size_t size = area(dim, dim);

  float* state = (*to.matrices)[index];
  if (from.matrices) {
    std::copy_n((*from.matrices)[index], size, state);
  } else {
    std::fill_n(state, size, 0.0f);
  }
  float *query = s.put.get(), *key = query + dim, *value = key + dim;
  const int firsts[] = {r.keyHeadOf(head) * dim, (r.keyHeads + r.keyHeadOf(head)) * dim,
                        (2 * r.keyHeads + head) * dim};
  const int end = kv.length() + sequence.size();
  for (int position = from.position; position < end; ++position) {
    if (position == to.position) {  // what comes now may be a guess
      std::copy_n(state, size, s.state.get());
      state = s.state.get();
    }
    std::fill_n(query, 3 * dim, 0.0f);
    for (int i = 0; i < r.kernel; ++i) {
      const float* put = inputRow(layer, sequence, position - r.kernel + 1 + i);
      const float* weights = w.convolution.data() + area(i, channels);
      for (int part = 0; part < 3; ++part) {
        tensor::addProduct(query + part * dim, put + firsts[part], weights + firsts[part], dim);
      }
    }
    k.siluMul(query, ones.data(), 3 * dim);
    setLength(query, dim, 1 / std::sqrt(static_cast<float>(dim)));
    setLength(key, dim, 1);
    const float* put = inputRow(layer, sequence, position) + channels;
    const auto at = static_cast<std::size_t>(head);
    float beta = put[head];
    tensor::sigmoid(&beta, 1);
    const float step = softplus(put[r.valueHeads + head] + w.stepBias[at]);
    const tensor::DeltaInputs in{.dim = dim,
                                 .query = query,
                                 .key = key,
                                 .value = value,
                                 .decay = std::exp(w.decayRate[at] * step),
                                 .beta = beta};
    k.deltaRule(in, state, s.added.get(), s.given.get());
    if (position < kv.length()) continue;
    const int row = sequence.first + position - kv.length();
    float* gated = recurred.get() + area(row, r.valueWidth()) + area(head, dim);
    k.rmsNorm(s.given.get(), w.headNorm.data(), dim, c.normEpsilon, s.given.get());
    k.siluMul(gated, s.given.get(), dim);
  }
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
