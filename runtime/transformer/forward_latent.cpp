// SPDX-License-Identifier: GPL-3.0-or-later
// Latent attention on a token's way, in its absorbed form (config.h). A head's query and key have
// plainDim values without positions and ropeDim rotated ones; r is the rank of the latents.
#include <algorithm>

#include "runtime/tensor/elementwise.h"
#include "runtime/transformer/forward_impl.h"

namespace waferpair::transformer {
namespace {

using tensor::PackedMatrix;
using tensor::Rows;

// f(head, share of its rows) for a thread's part of all heads, each of which may be shared: as many
// parts for all threads as make these about equally long.
template <typename F>
void forEachPart(int heads, const Crew& crew, F&& f) {
  constexpr int kEach = 2, kMostParts = 8;
  const int parts = std::clamp((kEach * crew.threads + heads - 1) / heads, 1, kMostParts);
  const int all = heads * parts;
  for (int i = all * crew.thread / crew.threads; i < all * (crew.thread + 1) / crew.threads; ++i) {
    f(i / parts, Share{i % parts, parts});
  }
}

}  // namespace

// key = W_kv norm(x): the rotated key, then the latent                    [n][ropeDim + r]
// queries = W_q norm(x)                                                   [n][heads][plain + rope]
// or what they are made from, W_qa norm(x)                                [n][queryRank]
void Forward::Impl::latentQkv(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  const Rows normed = norm(x.get(), n, w.attnNorm, w.attnNormBias, scratchOf(crew));  // [n][d]
  const bool low = c.latent.queryRank > 0;
  const PackedMatrix& query = low ? w.queryDown : w.query;
  float* to = low ? queryDown.get() : plainQuery.get();
  crew.forEachShare(n, [&](Share share) {
    k.matmul(query, panelsOf(query, share), normed, to, query.rows(), false);
    k.matmul(w.key, panelsOf(w.key, share), normed, key.get(), c.headDim, false);
  });
}

// key = {rotated key, norm(latent)}, to the cache                         [n][ropeDim + r]
// queries = W_qb norm(what they are made from)                            [n][heads][plain + rope]
void Forward::Impl::latents(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  for (int t = crew.thread; t < n; t += crew.threads) {
    float* row = key.get() + area(t, c.headDim);
    float* latent = row + c.ropeDim;
    k.rmsNorm(latent, w.latentNorm.data(), c.latent.rank, c.normEpsilon, latent);
    rotate(layer, row, {0, c.ropeDim}, t);
    rows[t].kv->write(k, layer, 0, rows[t].position, 0, {row, static_cast<std::size_t>(c.headDim)},
                      {});
  }
  const int rank = c.latent.queryRank;
  if (rank == 0) return;
  Scratch& s = scratchOf(crew);
  for (int t = 0; t < n; ++t) {
    k.rmsNorm(queryDown.get() + area(t, rank), w.queryDownNorm.data(), rank, c.normEpsilon,
              s.normed.get() + area(t, rank));
  }
  const Rows normed = prepare(s.normed.get(), n, rank, s);
  crew.forEachShare(n, [&](Share share) {
    k.matmul(w.query, panelsOf(w.query, share), normed, plainQuery.get(), c.plainQueryWidth(),
             false);
  });
}

// q = {rotated query, W_k^T query}, of each head                          [n][heads][ropeDim + r]
void Forward::Impl::absorb(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  const int plain = c.latent.plainDim, each = plain + c.ropeDim;
  Scratch& s = scratchOf(crew);
  forEachPart(c.heads, crew, [&](int head, Share share) {
    for (int t = 0; t < n; ++t) {
      const float* from = plainQuery.get() + area(t, c.plainQueryWidth()) + area(head, each);
      float* side = s.normed.get() + area(t, plain);
      std::copy_n(from, plain, side);
      const float scale = c.queryScale(rows[t].position);
      if (scale != 1) tensor::scale(side, scale, plain);
      if (share.index > 0) continue;
      float* turned = q.get() + area(t, c.queryWidth()) + area(head, c.headDim);
      std::copy_n(from + plain, c.ropeDim, turned);
      if (scale != 1) tensor::scale(turned, scale, c.ropeDim);
      k.rope(turned, angles.of(layer, t), c.ropeDim);
    }
    const PackedMatrix& keys = w.keysToLatent[static_cast<std::size_t>(head)];
    k.matmul(keys, panelsOf(keys, share), prepare(s.normed.get(), n, plain, s),
             q.get() + area(head, c.headDim) + c.ropeDim, c.queryWidth(), false);
  });
}

// attended = W_v latent, of what each head attended to                    [n][heads][valueDim]
void Forward::Impl::values(int layer, const Crew& crew) {
  const LayerWeights& w = model->layer(layer);
  const int rank = c.latent.rank;
  Scratch& s = scratchOf(crew);
  RowSpan heads{c.heads, 0};
  forEachPart(c.heads, crew, [&](int head, Share) {
    heads = {std::min(heads.first, head), head + 1};
  });
  if (heads.first >= heads.last) return;
  const float* all = attention.result(layer, crew.thread, heads);
  forEachPart(c.heads, crew, [&](int head, Share share) {
    for (int t = 0; t < n; ++t) {
      const float* from = all + area(t, c.queryWidth()) + area(head, c.headDim) + c.ropeDim;
      std::copy_n(from, rank, s.normed.get() + area(t, rank));
    }
    const PackedMatrix& matrix = w.latentToValues[static_cast<std::size_t>(head)];
    k.matmul(matrix, panelsOf(matrix, share), prepare(s.normed.get(), n, rank, s),
             attended.get() + area(head, c.latent.valueDim), c.attendedWidth(), false);
  });
}

}  // namespace waferpair::transformer
