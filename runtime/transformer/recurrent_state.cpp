// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/recurrent_state.h"

#include <algorithm>
#include <utility>

#include "runtime/transformer/kv_pool.h"

namespace waferpair::transformer {

StateShape StateShape::of(const Config& config) {
  StateShape shape;
  const RecurrentLayers& r = config.recurrent;
  if (r.kernel == 0) return shape;
  for (int layer = 0; layer < config.layers; ++layer) {
    shape.at.push_back(config.isRecurrent(layer) ? shape.layers++ : -1);
  }
  shape.heads = r.heads;
  shape.matrix = r.stateDim * r.headDim;
  shape.row = r.channels() + r.extras();
  shape.before = r.kernel - 1;
  return shape;
}

std::size_t StateShape::arrayBytes() const {
  constexpr std::size_t kLine = 64;
  return (static_cast<std::size_t>(std::max(matrix, row)) * sizeof(float) + kLine - 1) / kLine *
         kLine;
}

std::size_t StateShape::bytes(int logged) const {
  const auto of = [](int a, int b) { return static_cast<std::size_t>(a) * std::size_t(b); };
  return static_cast<std::size_t>(layers) * (of(heads, matrix) + of(before + logged, row)) *
         sizeof(float);
}

base::Result<std::shared_ptr<PoolArrays>> PoolArrays::take(std::shared_ptr<KvPool> pool, int count,
                                                           int floats) {
  const std::size_t bytes = static_cast<std::size_t>(floats) * sizeof(float);
  const int each = static_cast<int>(pool->pageBytes() / bytes);
  std::shared_ptr<PoolArrays> arrays(new PoolArrays(std::move(pool), floats, each));
  const int pages = (count + each - 1) / each;
  for (int i = 0; i < pages; ++i) {
    const auto page = arrays->pool_->take();
    if (!page) return tl::unexpected(page.error());
    arrays->pages_.push_back(*page);
  }
  return arrays;
}

PoolArrays::~PoolArrays() {
  for (const int page : pages_) pool_->release(page);
}

float* PoolArrays::operator[](int i) const {
  std::byte* page = pool_->keys(pages_[static_cast<std::size_t>(i / each_)], 0, 0);
  return reinterpret_cast<float*>(page) + static_cast<std::size_t>(i % each_) * floats_;
}

std::size_t PoolArrays::bytes() const { return pages_.size() * pool_->pageBytes(); }

std::size_t RecurrentState::bytes() const {
  return (matrices ? matrices->bytes() : 0) + (rows ? rows->bytes() : 0);
}

base::Result<RecurrentState> RecurrentState::take(const std::shared_ptr<KvPool>& pool, int position,
                                                  int logged) {
  const StateShape& shape = pool->states();
  auto matrices = PoolArrays::take(pool, shape.layers * shape.heads, shape.matrix);
  if (!matrices) return tl::unexpected(matrices.error());
  const int stride = shape.before + logged;
  auto rows = PoolArrays::take(pool, shape.layers * stride, shape.row);
  if (!rows) return tl::unexpected(rows.error());
  return RecurrentState{.position = position,
                        .logged = logged,
                        .stride = stride,
                        .matrices = std::move(*matrices),
                        .rows = std::move(*rows)};
}

}  // namespace waferpair::transformer
