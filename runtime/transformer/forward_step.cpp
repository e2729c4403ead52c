// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cassert>
#include <utility>

#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/forward_impl.h"
#include "runtime/transformer/stage_list.h"

namespace waferpair::transformer {

using tensor::kBlock;

tensor::Activations usualActivations(const Model& model) {
  return model.parameters() <= kMostFineParameters ? tensor::Activations::k16Bits
                                                   : tensor::Activations::k8Bits;
}

namespace {

// Of the ffns that are no experts.
int widestDense(const Config& c) { return std::max(c.denseWidth(0), c.denseWidth(c.layers - 1)); }

}  // namespace

Forward::Impl::Impl(std::shared_ptr<const Model> m, int batch, int threads,
                    const tensor::Kernels& kernels, tensor::Activations activations)
    : model(std::move(m)),
      c(model->config()),
      k(kernels),
      maxBatch(std::max(1, batch)),
      maxThreads(std::max(1, threads)),
      planes(tensor::planesOf(activations)),
      rows(c, maxBatch),
      x(area(maxBatch, c.width)),
      q(area(maxBatch, c.queryWidth())),
      key(area(maxBatch, c.kvWidth())),
      value(area(maxBatch, c.keysOnly() ? 0 : c.kvWidth())),
      queryDown(area(maxBatch, c.latent.queryRank)),
      plainQuery(area(maxBatch, c.keysOnly() ? c.plainQueryWidth() : 0)),
      attended(area(maxBatch, c.keysOnly() ? c.attendedWidth() : 0)),
      outputGate(area(maxBatch, c.outputGate ? c.queryWidth() : 0)),
      mixed(area(maxBatch, StateShape::of(c).row)),
      recurred(area(maxBatch, c.recurrent.valueWidth())),
      zeros(static_cast<std::size_t>(StateShape::of(c).row)),
      ones(static_cast<std::size_t>(2 * c.recurrent.stateDim + c.recurrent.headDim), 1.0f),
      gate(area(maxBatch, widestDense(c))),
      up(area(maxBatch, widestDense(c))),
      branch(area(maxBatch, c.width)),
      logits(area(c.encoder ? 0 : maxBatch, c.vocabSize)),
      attention(*model, k, maxBatch, maxThreads),
      experts(c, k, maxBatch, maxThreads),
      angles(c, model->ropeFactors(), maxBatch) {
  quantized = model->quantized();
  const LatentAttention& latent = c.latent;
  const int part = std::max({c.width, latent.rank, latent.queryRank, latent.plainDim,
                             c.outputGate ? c.queryWidth() : 0, c.recurrent.valueWidth()});
  const int widest = std::max({part, c.attendedWidth(), c.feedForward * std::max(1, c.expertsUsed),
                               widestDense(c), c.recurrent.valueWidth()});
  const RecurrentLayers& r = c.recurrent;
  for (int i = 0; i < maxThreads; ++i) {
    Scratch s;
    s.normed = Buffer<float>(area(maxBatch, part));
    s.quants = Buffer<std::int8_t>(area(maxBatch * planes, widest));
    s.scales = Buffer<float>(area(maxBatch, widest / kBlock + 1));
    s.sums = Buffer<std::int16_t>(area(maxBatch * planes, widest / tensor::kSumGroup + 1));
    s.put = Buffer<float>(ones.size());
    s.added = Buffer<float>(static_cast<std::size_t>(r.headDim));
    s.state = Buffer<float>(area(r.stateDim, r.headDim));
    s.given = Buffer<float>(static_cast<std::size_t>(r.headDim));
    scratch.push_back(std::move(s));
  }
  if (k.measure != nullptr) {
    model->forEachMatrix([this](const tensor::PackedMatrix& like) { k.measure(like, planes); });
  }
  stages = listStages(c);
  taken = std::vector<std::atomic<int>>(stages.size());
}

base::Result<void> Forward::Impl::begin(std::span<const Step> sequences) {
  if (auto begun = rows.begin(sequences); !begun) return begun;
  n = rows.count();
  attention.begin(rows);
  for (std::atomic<int>& stage : taken) stage.store(0, std::memory_order_relaxed);
  angles.begin(rows.all());
  return {};
}

Forward::Forward(std::shared_ptr<const Model> model, int maxBatch, int maxThreads,
                 const tensor::Kernels& kernels, std::optional<tensor::Activations> activations)
    : impl_(std::make_unique<Impl>(model, maxBatch, maxThreads, kernels,
                                   activations.value_or(usualActivations(*model)))) {}
Forward::~Forward() = default;

const Model& Forward::model() const { return *impl_->model; }
int Forward::maxBatch() const { return impl_->maxBatch; }
int Forward::maxThreads() const { return impl_->maxThreads; }
std::span<const StageInfo> Forward::stages() const { return impl_->stages; }
base::Result<void> Forward::begin(std::span<const Step> sequences) {
  return impl_->begin(sequences);
}

void Forward::run(int stage, int thread, int threadCount) {
  assert(impl_->rows.underWay() && threadCount <= impl_->maxThreads);
  const StageInfo& info = impl_->stages[static_cast<std::size_t>(stage)];
  const Crew crew{.thread = thread,
                  .threads = threadCount,
                  .taken = &impl_->taken[static_cast<std::size_t>(stage)]};
  switch (info.kind) {
    case StageKind::kEmbed:
      return impl_->embed(crew);
    case StageKind::kQkv:
      return impl_->c.latent.rank > 0 ? impl_->latentQkv(info.layer, crew)
                                      : impl_->qkv(info.layer, crew);
    case StageKind::kLatents:
      return impl_->latents(info.layer, crew);
    case StageKind::kAbsorb:
      return impl_->absorb(info.layer, crew);
    case StageKind::kValues:
      return impl_->values(info.layer, crew);
    case StageKind::kHeadNorms:
      return impl_->headNorms(info.layer, crew);
    case StageKind::kMix:
      return impl_->mix(info.layer, crew);
    case StageKind::kRecur:
      return impl_->recur(info.layer, crew);
    case StageKind::kAttention:
      return impl_->attention.run(info.layer, impl_->q.get(), crew);
    case StageKind::kOutput:
      return impl_->output(info.layer, crew);
    case StageKind::kPostAttention:
      return impl_->postNorm(impl_->model->layer(info.layer).postAttentionNorm,
                             impl_->model->layer(info.layer).postAttentionNormBias, crew);
    case StageKind::kFfnUp:
      return impl_->ffnUp(info.layer, crew);
    case StageKind::kFfnDown:
      return impl_->ffnDown(info.layer, crew);
    case StageKind::kPostFfn:
      return impl_->postNorm(impl_->model->layer(info.layer).postFfnNorm,
                             impl_->model->layer(info.layer).postFfnNormBias, crew);
    case StageKind::kRoute:
      return impl_->route(info.layer, crew);
    case StageKind::kExpertsUp:
      return impl_->expertsUp(info.layer, crew);
    case StageKind::kExpertsDown:
      return impl_->expertsDown(info.layer, crew);
    case StageKind::kHead:
      return impl_->head(crew);
  }
}

void Forward::end() { impl_->rows.end(); }

base::Result<void> Forward::step(std::span<const Step> sequences, tensor::ThreadTeam& team) {
  if (auto begun = begin(sequences); !begun) return begun;
  team.run(static_cast<int>(impl_->stages.size()),
           [this](int stage, int thread, int threads) { run(stage, thread, threads); });
  end();
  return {};
}

int Forward::logitRows() const { return static_cast<int>(impl_->rows.wanted().size()); }

std::span<const float> Forward::logits(int row) const {
  assert(row >= 0 && row < logitRows());
  const Config& c = impl_->c;
  return {impl_->logits.get() + area(row, c.vocabSize), static_cast<std::size_t>(c.vocabSize)};
}

void Forward::state(int row, std::span<float> out) const {
  const Impl& impl = *impl_;
  assert(row >= 0 && row < impl.n && std::ssize(out) == impl.c.width && !impl.rows.underWay());
  const float* from = impl.x.get() + area(row, impl.c.width);
  if (impl.c.hasFinalNorm()) {
    impl.normRow(from, impl.model->outputNorm(), impl.model->outputNormBias(), out.data());
  } else {
    std::copy_n(from, impl.c.width, out.data());
  }
}

}  // namespace waferpair::transformer
