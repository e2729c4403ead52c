// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/model.h"

#include <utility>

#include "runtime/transformer/model_weights.h"
#include "runtime/transformer/tensor_format.h"

namespace waferpair::transformer {
namespace {

using tensor::PackedMatrix;

template <typename F>
void forEachMatrix(const LayerWeights& w, F&& f) {
  for (const PackedMatrix* m :
       {&w.queryDown, &w.query, &w.queryGate, &w.key, &w.value, &w.mixed, &w.headGate, &w.beta,
        &w.alpha, &w.output, &w.gate, &w.up, &w.down, &w.router}) {
    if (m->rows() > 0) f(*m);
  }
  for (const auto* matrices : {&w.keysToLatent, &w.latentToValues}) {
    for (const PackedMatrix& m : *matrices) f(m);
  }
}
template <typename F>
void forEachExpertMatrix(const LayerWeights& w, F&& f) {
  for (const auto* matrices : {&w.gates, &w.ups, &w.downs}) {
    for (const PackedMatrix& m : *matrices) f(m);
  }
}

std::size_t vectorSizes(const LayerWeights& w) {
  std::size_t count = 0;
  for (const auto* v : {&w.attnNorm,
                        &w.attnNormBias,
                        &w.queryBias,
                        &w.keyBias,
                        &w.valueBias,
                        &w.outputBias,
                        &w.queryNorm,
                        &w.keyNorm,
                        &w.postAttentionNorm,
                        &w.ffnNorm,
                        &w.ffnNormBias,
                        &w.gateBias,
                        &w.upBias,
                        &w.downBias,
                        &w.postFfnNorm,
                        &w.sinks,
                        &w.routerBias,
                        &w.gateBiases,
                        &w.upBiases,
                        &w.downBiases,
                        &w.queryDownNorm,
                        &w.latentNorm,
                        &w.selectionBias,
                        &w.sharedGate,
                        &w.convolution,
                        &w.stepBias,
                        &w.decayRate,
                        &w.headNorm,
                        &w.convolutionBias,
                        &w.passing,
                        &w.postAttentionNormBias,
                        &w.postFfnNormBias}) {
    count += v->size();
  }
  return count;
}

}  // namespace

base::Result<std::shared_ptr<const Model>> Model::load(const std::string& path,
                                                       std::span<const AdapterFile> adapters,
                                                       const LoadProgress& progress) {
  auto opened = gguf::File::open(path);
  if (!opened) return tl::unexpected(std::move(opened.error()));
  auto file = std::make_shared<const gguf::File>(std::move(*opened));
  auto added = Adapters::open(adapters, *file);
  if (!added) return tl::unexpected(std::move(added.error()));
  return load(std::move(file), std::move(*added), progress);
}

base::Result<std::shared_ptr<const Model>> Model::load(std::shared_ptr<const gguf::File> file,
                                                       Adapters adapters,
                                                       const LoadProgress& progress) {
  auto config = readConfig(*file);
  if (!config) return tl::unexpected(std::move(config.error()));
  TensorLoader load(*file, adapters, TensorLoader::Mode::kLoad);
  ModelWeights weights = loadWeights(load, *config, progress);
  if (load.error()) return tl::unexpected(*load.error());

  std::shared_ptr<Model> model(new Model());
  model->layers_ = std::move(weights.layers);
  model->outputNorm_ = std::move(weights.outputNorm);
  model->outputNormBias_ = std::move(weights.outputNormBias);
  model->ranking_ = std::move(weights.ranking);
  model->embeddingParts_ = std::move(weights.embeddingParts);
  model->ropeFactors_ = std::move(weights.ropeFactors);
  model->output_ = std::move(weights.output);
  // Embeddings are read a row at a time, so they stay in the file as they are, unless something is
  // added to them; a tied head is the same matrix once more, packed.
  model->embeddingFormat_ = *adapters.formatOf(*weights.embedding);
  model->embedding_ = file->data(*weights.embedding);
  model->embeddingSums_ = std::move(weights.embeddingSums);
  if (!model->embeddingSums_.empty()) model->embedding_ = model->embeddingSums_;
  model->adapters_ = std::move(adapters);
  model->config_ = std::move(*config);
  model->file_ = std::move(file);
  return model;
}

base::Result<void> Model::check(const gguf::File& file, const Adapters& adapters) {
  const auto config = readConfig(file);
  if (!config) return tl::unexpected(config.error());
  TensorLoader load(file, adapters, TensorLoader::Mode::kCheck);
  loadWeights(load, *config);
  if (load.error()) return tl::unexpected(*load.error());
  return {};
}

void Model::embed(int token, std::span<float> out) const {
  const std::size_t row = tensor::rowBytes(embeddingFormat_, config_.width);
  tensor::dequantizeRow(embeddingFormat_, embedding_.data() + static_cast<std::size_t>(token) * row,
                        out);
}

void Model::forEachMatrix(const std::function<void(const PackedMatrix&)>& look) const {
  if (output_.rows() > 0) look(output_);
  for (const LayerWeights& layer : layers_) {
    transformer::forEachMatrix(layer, look);
    forEachExpertMatrix(layer, look);
  }
}

bool Model::quantized() const {
  bool found = false;
  forEachMatrix([&](const PackedMatrix& m) { found = found || m.quantized(); });
  return found;
}

std::size_t Model::bytesPerToken() const {
  std::size_t bytes = output_.bytes(), experts = 0;
  for (const LayerWeights& layer : layers_) {
    transformer::forEachMatrix(layer, [&](const PackedMatrix& m) { bytes += m.bytes(); });
    forEachExpertMatrix(layer, [&](const PackedMatrix& m) { experts += m.bytes(); });
  }
  if (config_.experts == 0) return bytes;
  return bytes + experts / static_cast<std::size_t>(config_.experts) *
                     static_cast<std::size_t>(config_.expertsUsed);
}

std::size_t Model::parameters() const {
  const auto width = static_cast<std::size_t>(config_.width);
  const std::size_t embedding = width * static_cast<std::size_t>(config_.vocabSize);
  std::size_t count = embedding * (config_.tiedEmbeddings ? 1 : 2);
  const EmbeddingParts& e = embeddingParts_;
  const RankingHead& r = ranking_;
  for (const auto* v : {&outputNorm_, &outputNormBias_, &e.positions, &e.types, &e.norm,
                        &e.normBias, &r.dense, &r.denseBias, &r.norm, &r.classes, &r.classBias}) {
    count += v->size();
  }
  for (const LayerWeights& layer : layers_) {
    count += vectorSizes(layer);
    const auto add = [&](const PackedMatrix& m) {
      count += static_cast<std::size_t>(m.rows()) * static_cast<std::size_t>(m.cols());
    };
    transformer::forEachMatrix(layer, add);
    forEachExpertMatrix(layer, add);
  }
  return count;
}

}  // namespace waferpair::transformer
