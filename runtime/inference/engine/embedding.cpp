// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/embedding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/inference/engine/job.h"
#include "runtime/inference/prompt/prompt.h"
#include "runtime/tensor/elementwise.h"
#include "runtime/tensor/kernels.h"

namespace waferpair::inference {

std::vector<float> normalizedEmbedding(std::span<const float> vector) {
  double squares = 0;
  for (const float value : vector) squares += static_cast<double>(value) * value;
  const double scale = squares > 0 ? 1 / std::sqrt(squares) : 0;
  std::vector<float> scaled;
  scaled.reserve(vector.size());
  for (const float value : vector) scaled.push_back(static_cast<float>(value * scale));
  return scaled;
}

namespace {

// rows state + bias, of a matrix with rows as long as the state; the bias may be empty.
std::vector<float> product(std::span<const float> rows, std::span<const float> bias,
                           std::span<const float> state) {
  std::vector<float> out;
  for (std::size_t row = 0; row < rows.size(); row += state.size()) {
    double sum = bias.empty() ? 0 : static_cast<double>(bias[out.size()]);
    for (std::size_t i = 0; i < state.size(); ++i)
      sum += static_cast<double>(state[i]) * rows[row + i];
    out.push_back(static_cast<float>(sum));
  }
  return out;
}

constexpr float kHeadNormEpsilon = 1e-5f;

}  // namespace

std::vector<float> classesOf(std::span<const float> state, const transformer::RankingHead& head) {
  std::vector<float> hidden(state.begin(), state.end());
  if (!head.dense.empty()) {
    hidden = product(head.dense, head.denseBias, state);
    const int width = static_cast<int>(hidden.size());
    if (head.gelu) {
      tensor::exactGelu(hidden.data(), width);
    } else {
      for (float& value : hidden) value = std::tanh(value);
    }
    if (!head.norm.empty()) {
      std::vector<float> normed(hidden.size());
      tensor::layerNorm(hidden.data(), head.norm.data(), nullptr, width, kHeadNormEpsilon,
                        normed.data());
      hidden = std::move(normed);
    }
  }
  std::vector<float> classes = product(head.classes, head.classBias, hidden);
  if (classes.size() > 1) tensor::softmax(classes);
  return classes;
}

Embedding::Embedding(transformer::KvCache kv, std::vector<std::int32_t> tokens,
                     transformer::Pooling pooling, int width, const transformer::RankingHead& head)
    : kv_(std::move(kv)),
      tokens_(std::move(tokens)),
      pooling_(pooling == transformer::Pooling::kRank ? head.pooling : pooling),
      head_(head),
      sum_(static_cast<std::size_t>(width)),
      onState_([this](std::span<const float> state) { add(state); }) {}

CompiledModel::SequenceStep Embedding::next(int rows) {
  const int fed = std::min(rows, pending());
  return {.tokens = std::span(tokens_).subspan(static_cast<std::size_t>(length()),
                                               static_cast<std::size_t>(fed)),
          .kv = &kv_,
          .ahead = pending() - fed,
          .onState = &onState_};
}

void Embedding::add(std::span<const float> state) {
  ++added_;
  const bool isLast = added_ == std::ssize(tokens_);
  const bool counts = pooling_ == transformer::Pooling::kMean ||
                      (pooling_ == transformer::Pooling::kCls ? added_ == 1 : isLast);
  if (!counts) return;
  for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += static_cast<double>(state[i]);
}

std::vector<float> Embedding::vector() const {
  const bool isMean = pooling_ == transformer::Pooling::kMean;
  std::vector<float> pooled;
  pooled.reserve(sum_.size());
  for (const double sum : sum_) pooled.push_back(static_cast<float>(isMean ? sum / added_ : sum));
  return head_.classes.empty() ? normalizedEmbedding(pooled) : classesOf(pooled, head_);
}

// The parts of a job that only an embedding has.

Job::Job(Workshop& workshop, EmbeddingRequest request, JobCallbacks callbacks)
    : Job(workshop, std::move(request.limits), std::move(callbacks)) {
  client = request.client;
  priority = Priority::kBackground;
  embeds_ = true;
  makePrompt_ = [this, request = std::move(request)] {
    const auto context = static_cast<std::size_t>(workshop_.model.card().context);
    const std::size_t most = request.truncate ? context : std::numeric_limits<std::size_t>::max();
    if (request.document)
      return Prompt{rankedText(workshop_.model.tokenizer(), workshop_.model.card().rankTemplate,
                               request.text, *request.document)};
    if (request.tokens.empty())
      return Prompt{embeddedText(workshop_.model.tokenizer(), request.text, most)};
    const auto end =
        request.tokens.begin() + static_cast<std::ptrdiff_t>(std::min(most, request.tokens.size()));
    return Prompt{std::vector(request.tokens.begin(), end)};
  };
}

bool Job::beginEmbedding(std::vector<std::int32_t> tokens) {
  if (tokens.empty())
    return finish(StopReason::kFailed, {"There is no text to embed.", "Send some."});
  report_.shadow.program = workshop_.model.shadow();
  embedding_.emplace(workshop_.sequences.newCache(), std::move(tokens),
                     workshop_.model.card().pooling, workshop_.model.config().width,
                     workshop_.model.model().ranking());
  return true;
}

}  // namespace waferpair::inference
