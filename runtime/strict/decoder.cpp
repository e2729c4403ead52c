// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/strict/decoder.h"

#include <algorithm>
#include <string>

namespace waferpair::strict {

namespace {

int share(int elements, int pes) { return static_cast<int>(wafer::ceilDiv(elements, pes)); }

}  // namespace

Decoder::Decoder(std::shared_ptr<const Weights> weights, int context)
    : weights_(std::move(weights)),
      config_(weights_->model->config()),
      context_(context),
      down_(weights_->layout.sums(weights_->layout.block.height)),
      across_(weights_->layout.sums(weights_->layout.block.width)),
      headDown_(weights_->layout.sums(weights_->layout.head.height)),
      dims_(keyDims(config_, weights_->layout.block.width)),
      kv_(weights_->layout.block.height, share(context, weights_->layout.block.height)),
      angles_(config_, weights_->model->ropeFactors(), 1),
      caches_(size(config_.layers)),
      stream_(size(config_.width)),
      normed_(size(config_.width)),
      query_(size(config_.queryWidth())),
      key_(size(config_.kvWidth())),
      value_(size(config_.kvWidth())),
      mixed_(size(config_.queryWidth())),
      gate_(size(config_.feedForward)),
      up_(size(config_.feedForward)),
      branch_(size(config_.width)),
      logits_(size(config_.vocabSize)) {
  for (Cache& cache : caches_) {
    cache.keys.resize(size(config_.kvWidth()) * size(context));
    cache.values.resize(size(config_.kvWidth()) * size(context));
  }
}

base::Result<void> Decoder::begin(int token) {
  if (token < 0 || token >= config_.vocabSize) {
    return base::fail("Token " + std::to_string(token) + " is outside the vocabulary of " +
                          std::to_string(config_.vocabSize) + ".",
                      "Take it from the model's tokenizer.");
  }
  if (positions() == context_) {
    return base::fail("The context of " + std::to_string(context_) + " positions is full.",
                      "Shorten the text.");
  }
  angles_.begin(positions());
  if (auto pushed = kv_.push(); !pushed) return tl::unexpected(pushed.error());
  order_.positions.clear();
  for (int row = 0; row < weights_->layout.block.height; ++row) {
    order_.positions.push_back(kv_.positionsOf(row));
  }
  token_ = token;
  return {};
}

void Decoder::embed() { stream_ = weights_->embedding(token_); }

void Decoder::qkv(int layer) {
  const LayerWeights& w = weights_->layers[size(layer)];
  const int each = share(config_.width, down_.pes());
  rmsNorm(stream_, w.attentionNorm, config_.normEpsilon, each, down_, normed_);
  gemv(w.query, normed_, each, down_, query_);
  gemv(w.key, normed_, each, down_, key_);
  gemv(w.value, normed_, each, down_, value_);
  if (!w.queryBias.empty()) addHalves(query_, w.queryBias);
  if (!w.keyBias.empty()) addHalves(key_, w.keyBias);
  if (!w.valueBias.empty()) addHalves(value_, w.valueBias);
  std::vector<float> cosSin(angles_.of(layer, 0), angles_.of(layer, 0) + config_.ropeDim);
  std::ranges::transform(cosSin, cosSin.begin(), roundHalf);
  for (std::vector<float>* vectors : {&query_, &key_}) {
    for (std::size_t at = 0; at < vectors->size(); at += size(config_.headDim)) {
      rope(std::span(*vectors).subspan(at, size(config_.ropeDim)), cosSin);
    }
  }
  Cache& cache = caches_[size(layer)];
  const auto position = size(positions() - 1);
  for (std::size_t i = 0; i < key_.size(); ++i) {
    cache.keys[i * size(context_) + position] = tensor::toHalf(key_[i]);
    cache.values[position * key_.size() + i] = tensor::toHalf(value_[i]);
  }
}

void Decoder::attention(int layer) {
  const Cache& cache = caches_[size(layer)];
  const auto count = size(positions()), width = size(config_.headDim);
  for (int head = 0; head < config_.kvHeads; ++head) {
    // The PEs of a row that hold some of its dims, a segment of the row.
    std::vector<Dims> segment;
    for (const std::vector<Dims>& held : dims_) {
      for (const Dims& dims : held) {
        if (dims.head == head) segment.push_back(dims);
      }
    }
    const KTree along = weights_->layout.sums(static_cast<int>(segment.size()));
    for (int query = 0; query < config_.groupSize(); ++query) {
      const std::size_t first = size(head * config_.groupSize() + query) * width;
      const auto q = std::span<const float>(query_).subspan(first, width);
      std::vector<float> parts(segment.size() * count);
      for (std::size_t pe = 0; pe < segment.size(); ++pe) {
        const Dims& dims = segment[pe];
        multiplyTile(q.subspan(size(dims.begin), size(dims.size())),
                     &cache.keys[(size(head) * width + size(dims.begin)) * size(context_)],
                     size(context_), std::span(parts).subspan(pe * count, count));
      }
      const auto sums = along.sumHalves(parts);
      std::vector<float> scores(sums.begin(), sums.end());
      softmax(scores, config_.attentionScale, order_, down_);
      std::vector<float> mixed(size(down_.pes()) * width);
      for (std::size_t row = 0; row < order_.positions.size(); ++row) {
        // The values of a row of PEs lie in the order of its slots.
        std::vector<float> held;
        std::vector<tensor::Half> values;
        for (int position : order_.positions[row]) {
          held.push_back(scores[size(position)]);
          const auto* from = &cache.values[size(position) * key_.size() + size(head) * width];
          values.insert(values.end(), from, from + width);
        }
        multiplyTile(held, values.data(), width, std::span(mixed).subspan(row * width, width));
      }
      std::ranges::copy(down_.sumHalves(mixed),
                        mixed_.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }
}

void Decoder::output(int layer) {
  std::vector<float> ordered;
  for (int row : weights_->mixed.rows) ordered.push_back(mixed_[size(row)]);
  gemv(weights_->layers[size(layer)].output, ordered, weights_->mixed.each, across_, branch_);
  addHalves(stream_, branch_);
}

void Decoder::ffnUp(int layer) {
  const LayerWeights& w = weights_->layers[size(layer)];
  const int each = share(config_.width, down_.pes());
  rmsNorm(stream_, w.ffnNorm, config_.normEpsilon, each, down_, normed_);
  gemv(w.gate, normed_, each, down_, gate_);
  gemv(w.up, normed_, each, down_, up_);
  siluMul(gate_, up_);
}

void Decoder::ffnDown(int layer) {
  const int each = share(config_.feedForward, across_.pes());
  gemv(weights_->layers[size(layer)].down, gate_, each, across_, branch_);
  addHalves(stream_, branch_);
}

void Decoder::head() {
  const int each = share(config_.width, headDown_.pes());
  rmsNorm(stream_, weights_->finalNorm, config_.normEpsilon, each, headDown_, normed_);
  gemv(weights_->head, normed_, each, headDown_, logits_);
}

base::Result<void> Decoder::step(int token) {
  if (auto begun = begin(token); !begun) return begun;
  embed();
  for (int layer = 0; layer < config_.layers; ++layer) {
    qkv(layer);
    attention(layer);
    output(layer);
    ffnUp(layer);
    ffnDown(layer);
  }
  head();
  return {};
}

}  // namespace waferpair::strict
