// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <utility>

#include "runtime/transformer/tensor_format.h"

namespace waferpair::transformer {
namespace {

using tensor::Format;
using tensor::PackedMatrix;

constexpr const char* kOtherFile = "Use another file of this model.";
constexpr std::string_view kEmbedding = "token_embd.weight";

std::string shapeText(std::span<const std::uint64_t> ne) {
  std::string text;
  for (const std::uint64_t n : ne) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

// Row r of a head is row order[r] of it in the file. As LayerWeights says: of a file that rotates
// (i, i + half) together the two become neighbors.
std::vector<int> headOrder(const Config& c) {
  std::vector<int> order(static_cast<std::size_t>(c.headDim));
  std::iota(order.begin(), order.end(), 0);
  if (c.pairs == RopePairs::kHalves) {
    for (int i = 0; i < c.ropeDim; ++i) {
      order[static_cast<std::size_t>(i)] = i / 2 + (i % 2) * (c.ropeDim / 2);
    }
  }
  return order;
}

std::vector<float> reordered(const std::vector<float>& values, std::span<const int> order) {
  std::vector<float> out(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t within = i % order.size();
    out[i] = values[i - within + static_cast<std::size_t>(order[within])];
  }
  return out;
}

// Takes tensors out of a file by name and shape, remembering which; the first error is kept. Where
// it only checks, what it gives is empty.
class Loader {
 public:
  enum class Mode { kLoad, kCheck };
  Loader(const gguf::File& file, Mode mode) : file_(file), mode_(mode) {}

  // With the rows of each head, order.size() of them, reordered, if there is an order.
  PackedMatrix matrix(const std::string& name, int rows, int cols,
                      std::span<const int> order = {}) {
    const gguf::TensorInfo* info =
        find(name, {static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows)});
    if (info == nullptr || mode_ == Mode::kCheck) return {};
    PackedMatrix packed = pack(*info, rows, cols, file_.data(*info), order);
    leave(*info);
    return packed;
  }

  // A matrix for each expert, one after another in the file.
  std::vector<PackedMatrix> experts(const std::string& name, int count, int rows, int cols) {
    const gguf::TensorInfo* info =
        find(name, {static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows),
                    static_cast<std::uint64_t>(count)});
    std::vector<PackedMatrix> matrices;
    if (info == nullptr || mode_ == Mode::kCheck) return matrices;
    const std::span<const std::byte> data = file_.data(*info);
    const std::size_t size = data.size() / static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count) && !error_; ++i) {
      matrices.push_back(pack(*info, rows, cols, data.subspan(i * size, size)));
    }
    leave(*info);
    return matrices;
  }

  // Both of a head from attn_kv_b, where the rows of its keys come before those of its values.
  void absorb(const std::string& name, const Config& c, LayerWeights& w) {
    const LatentAttention& l = c.latent;
    const auto heads = static_cast<std::size_t>(c.heads);
    const auto plain = static_cast<std::size_t>(l.plainDim);
    const auto values = static_cast<std::size_t>(l.valueDim);
    const gguf::TensorInfo* info =
        find(name, {static_cast<std::uint64_t>(l.rank), heads * (plain + values)});
    if (info == nullptr || mode_ == Mode::kCheck) return;
    const Format format = *formatOf(info->type);
    const std::span<const std::byte> data = file_.data(*info);
    const std::size_t row = data.size() / (heads * (plain + values));
    for (std::size_t head = 0; head < heads; ++head) {
      const auto mine = data.subspan(head * (plain + values) * row, (plain + values) * row);
      auto keys = transposed(name, format, mine.first(plain * row), l.plainDim, l.rank);
      auto packed = PackedMatrix::pack(file_.name() + ": " + name, format, l.valueDim, l.rank,
                                       mine.subspan(plain * row));
      if (!keys) return note(std::move(keys.error()));
      if (!packed) return note(std::move(packed.error()));
      w.keysToLatent.push_back(std::move(*keys));
      w.latentToValues.push_back(std::move(*packed));
    }
    leave(*info);
  }

  std::vector<float> vector(const std::string& name, int size) {
    return values(name, {static_cast<std::uint64_t>(size)});
  }

  // A vector for each expert, one after another.
  std::vector<float> vectors(const std::string& name, int count, int size) {
    return values(name, {static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(count)});
  }

  std::vector<float> values(const std::string& name, const std::vector<std::uint64_t>& ne) {
    const gguf::TensorInfo* info = find(name, ne);
    if (info == nullptr || mode_ == Mode::kCheck) return {};
    std::vector<float> values(info->elements());
    tensor::dequantizeRow(*formatOf(info->type), file_.data(*info).data(), values);
    return values;
  }

  // Null, with an error noted, unless the tensor is there in this shape and a type of ours.
  const gguf::TensorInfo* find(const std::string& name, const std::vector<std::uint64_t>& ne) {
    const gguf::TensorInfo* info = file_.findTensor(name);
    if (info == nullptr) {
      note({file_.name() + ": lacks the tensor " + name + ".", kOtherFile});
    } else if (info->ne != ne) {
      note({file_.name() + ": tensor " + name + " is " + shapeText(info->ne) +
                ", but the metadata ask for " + shapeText(ne) + ".",
            kOtherFile});
    } else if (!formatOf(info->type)) {
      note({file_.name() + ": tensor " + name + " is of type " + tensorTypeName(info->type) + ".",
            "Convert the model to " + tensor::formatNames() + "."});
    } else {
      used_.insert(info->name);
      return info;
    }
    return nullptr;
  }

  // A tensor nobody asked for (a bias, an expert, rotary factors) would change the result. Those
  // beside the text's own (of pictures, sound, and drafts, whose layers come last) would not.
  void refuseOthers(const Config& c) {
    for (const gguf::TensorInfo& info : file_.tensors()) {
      if (used_.contains(info.name) || isBesideText(info.name)) continue;
      if (findArchitecture(c.architecture)->draftLayers && layerOf(info.name) >= c.layers) continue;
      note({file_.name() + ": has the tensor " + std::string(info.name) +
                ", which is not part of the architecture as it is computed here.",
            kOtherFile});
    }
  }

  // Zero or infinity would make every number of the model meaningless.
  void checkFactors(const std::string& name, std::span<const float> factors) {
    for (const float factor : factors) {
      if (factor > 0 && std::isfinite(factor)) continue;
      note({file_.name() + ": tensor " + name + " holds " + std::to_string(factor) +
                ", where only positive factors make sense.",
            kOtherFile});
    }
  }

  // Marks a tensor that says once more what others do.
  void ignore(const std::string& name) {
    if (const gguf::TensorInfo* info = file_.findTensor(name)) used_.insert(info->name);
  }

  // Has the system bring what a layer needs from the disk, while the one before is packed.
  void announceLayer(int layer) const {
    if (mode_ == Mode::kCheck) return;
    for (const gguf::TensorInfo& info : file_.tensors()) {
      if (layerOf(info.name) == layer) file_.announce(info);
    }
  }

  const std::optional<base::Error>& error() const { return error_; }
  void giveUp() { note({file_.name() + ": was not loaded to its end.", "Load it again."}); }

 private:
  void note(base::Error error) {
    if (!error_) error_ = std::move(error);
  }

  // Empty, with an error noted, if it cannot be done.
  PackedMatrix pack(const gguf::TensorInfo& info, int rows, int cols,
                    std::span<const std::byte> data, std::span<const int> order = {}) {
    auto packed =
        PackedMatrix::pack(file_.name() + ": " + std::string(info.name), *formatOf(info.type), rows,
                           cols, data, {.order = order, .threads = threads_});
    if (!packed) return note(std::move(packed.error())), PackedMatrix();
    return std::move(*packed);
  }

  // What is packed is not read from the file again, but for embeddings: a model is in memory once.
  void leave(const gguf::TensorInfo& info) const {
    if (info.name != kEmbedding) file_.forget(info);
  }

  // [rows][cols] as [cols][rows]. Blocks do not survive that: their values become F16.
  base::Result<PackedMatrix> transposed(const std::string& name, Format format,
                                        std::span<const std::byte> data, int rows, int cols) {
    const auto width = static_cast<std::size_t>(cols), height = static_cast<std::size_t>(rows);
    const std::size_t row = data.size() / height;
    std::vector<float> line(width), turned(width * height);
    for (std::size_t r = 0; r < height; ++r) {
      tensor::dequantizeRow(format, data.data() + r * row, line);
      for (std::size_t i = 0; i < width; ++i) turned[i * height + r] = line[i];
    }
    const bool plain = tensor::infoOf(format).quants == tensor::Quants::kNone;
    const Format to = plain ? format : Format::kF16;
    const std::vector<std::byte> bytes = tensor::quantizeRow(to, turned);
    return PackedMatrix::pack(file_.name() + ": " + name, to, cols, rows, bytes);
  }

  static int layerOf(std::string_view name) {
    constexpr std::string_view kPrefix = "blk.";
    int layer = -1;
    if (!name.starts_with(kPrefix)) return layer;
    std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), layer);
    return layer;
  }

  static bool isBesideText(std::string_view name) {
    for (const char* prefix : {"v.", "mm.", "a.", "s.", "mtp."}) {
      if (name.starts_with(prefix)) return true;
    }
    return false;
  }

  const gguf::File& file_;
  const Mode mode_;
  const int threads_ = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 8);
  std::unordered_set<std::string_view> used_;
  std::optional<base::Error> error_;
};

void loadLatent(Loader& load, const Config& c, const std::string& blk, LayerWeights& w) {
  const LatentAttention& l = c.latent;
  if (l.queryRank > 0) {
    w.queryDown = load.matrix(blk + "attn_q_a.weight", l.queryRank, c.width);
    w.queryDownNorm = load.vector(blk + "attn_q_a_norm.weight", l.queryRank);
    w.query = load.matrix(blk + "attn_q_b.weight", c.plainQueryWidth(), l.queryRank);
  } else {
    w.query = load.matrix(blk + "attn_q.weight", c.plainQueryWidth(), c.width);
  }
  // In the file the latent comes first.
  std::vector<int> order(static_cast<std::size_t>(c.headDim));
  for (int i = 0; i < c.headDim; ++i) {
    order[static_cast<std::size_t>(i)] = i < c.ropeDim ? l.rank + i : i - c.ropeDim;
  }
  w.key = load.matrix(blk + "attn_kv_a_mqa.weight", c.headDim, c.width, order);
  w.latentNorm = load.vector(blk + "attn_kv_a_norm.weight", l.rank);
  const std::string keys = blk + "attn_k_b.weight", values = blk + "attn_v_b.weight";
  if (l.split) {
    w.keysToLatent = load.experts(keys, c.heads, l.rank, l.plainDim);
    w.latentToValues = load.experts(values, c.heads, l.valueDim, l.rank);
  } else {
    load.absorb(blk + "attn_kv_b.weight", c, w);
    load.ignore(keys);
    load.ignore(values);
  }
  w.output = load.matrix(blk + "attn_output.weight", c.width, c.attendedWidth());
}

void loadExperts(Loader& load, const Config& c, const std::string& blk, LayerWeights& w) {
  w.router = load.matrix(blk + "ffn_gate_inp.weight", c.experts, c.width);
  w.gates = load.experts(blk + "ffn_gate_exps.weight", c.experts, c.feedForward, c.width);
  w.ups = load.experts(blk + "ffn_up_exps.weight", c.experts, c.feedForward, c.width);
  w.downs = load.experts(blk + "ffn_down_exps.weight", c.experts, c.width, c.feedForward);
  if (c.expertBias) {
    w.routerBias = load.vector(blk + "ffn_gate_inp.bias", c.experts);
    w.gateBiases = load.vectors(blk + "ffn_gate_exps.bias", c.experts, c.feedForward);
    w.upBiases = load.vectors(blk + "ffn_up_exps.bias", c.experts, c.feedForward);
    w.downBiases = load.vectors(blk + "ffn_down_exps.bias", c.experts, c.width);
  }
  if (c.selectionBias) w.selectionBias = load.vector(blk + "exp_probs_b.bias", c.experts);
  if (c.sharedFeedForward > 0) {
    w.gate = load.matrix(blk + "ffn_gate_shexp.weight", c.sharedFeedForward, c.width);
    w.up = load.matrix(blk + "ffn_up_shexp.weight", c.sharedFeedForward, c.width);
    w.down = load.matrix(blk + "ffn_down_shexp.weight", c.width, c.sharedFeedForward);
  }
}

void loadAttention(Loader& load, const Config& c, const std::string& blk, LayerWeights& w) {
  const std::vector<int> order = headOrder(c);
  w.query = load.matrix(blk + "attn_q.weight", c.queryWidth(), c.width, order);
  w.key = load.matrix(blk + "attn_k.weight", c.kvWidth(), c.width, order);
  w.value = load.matrix(blk + "attn_v.weight", c.kvWidth(), c.width);
  w.output = load.matrix(blk + "attn_output.weight", c.width, c.queryWidth());
  if (c.qkvBias) {
    w.queryBias = reordered(load.vector(blk + "attn_q.bias", c.queryWidth()), order);
    w.keyBias = reordered(load.vector(blk + "attn_k.bias", c.kvWidth()), order);
    w.valueBias = load.vector(blk + "attn_v.bias", c.kvWidth());
  }
  if (c.outputBias) w.outputBias = load.vector(blk + "attn_output.bias", c.width);
  if (c.headNorms) {
    w.queryNorm = reordered(load.vector(blk + "attn_q_norm.weight", c.headDim), order);
    w.keyNorm = reordered(load.vector(blk + "attn_k_norm.weight", c.headDim), order);
  }
  if (c.sinks) w.sinks = load.vector(blk + "attn_sinks.weight", c.heads);
}

LayerWeights loadLayer(Loader& load, const Config& c, int layer) {
  const std::string blk = "blk." + std::to_string(layer) + ".";
  const bool layerNorm = c.norm == NormKind::kLayer;
  LayerWeights w;
  w.attnNorm = load.vector(blk + "attn_norm.weight", c.width);
  if (layerNorm) w.attnNormBias = load.vector(blk + "attn_norm.bias", c.width);
  if (c.latent.rank > 0) {
    loadLatent(load, c, blk, w);
  } else {
    loadAttention(load, c, blk, w);
  }
  if (c.postNorms) {
    w.postAttentionNorm = load.vector(blk + "post_attention_norm.weight", c.width);
    w.postFfnNorm = load.vector(blk + "post_ffw_norm.weight", c.width);
  }
  const std::string ffnNorm = blk + std::string(c.ffnNorm);
  w.ffnNorm = load.vector(ffnNorm + ".weight", c.width);
  if (layerNorm) w.ffnNormBias = load.vector(ffnNorm + ".bias", c.width);
  if (c.hasExperts(layer)) {
    loadExperts(load, c, blk, w);
    return w;
  }
  const int f = c.denseWidth(layer);
  if (c.gated) w.gate = load.matrix(blk + "ffn_gate.weight", f, c.width);
  w.up = load.matrix(blk + "ffn_up.weight", f, c.width);
  w.down = load.matrix(blk + "ffn_down.weight", c.width, f);
  if (c.ffnBias) {
    if (c.gated) w.gateBias = load.vector(blk + "ffn_gate.bias", f);
    w.upBias = load.vector(blk + "ffn_up.bias", f);
    w.downBias = load.vector(blk + "ffn_down.bias", c.width);
  }
  return w;
}

struct Weights {
  std::vector<LayerWeights> layers;
  std::vector<float> outputNorm, outputNormBias, ropeFactors;
  PackedMatrix output;
  const gguf::TensorInfo* embedding = nullptr;  // not null without an error
};

Weights loadAll(Loader& load, const Config& c, const LoadProgress& progress = {}) {
  Weights w;
  const std::string embedding(kEmbedding);
  w.embedding = load.find(
      embedding, {static_cast<std::uint64_t>(c.width), static_cast<std::uint64_t>(c.vocabSize)});
  load.announceLayer(0);
  for (int i = 0; i < c.layers && !load.error(); ++i) {
    load.announceLayer(i + 1);
    if (progress && !progress(static_cast<double>(i) / c.layers)) load.giveUp();
    w.layers.push_back(loadLayer(load, c, i));
  }
  w.outputNorm = load.vector("output_norm.weight", c.width);
  if (c.norm == NormKind::kLayer) w.outputNormBias = load.vector("output_norm.bias", c.width);
  if (c.ropeFactors) {
    w.ropeFactors = load.vector("rope_freqs.weight", c.ropeDim / 2);
    load.checkFactors("rope_freqs.weight", w.ropeFactors);
  }
  w.output = load.matrix(c.tiedEmbeddings ? embedding : "output.weight", c.vocabSize, c.width);
  load.refuseOthers(c);
  return w;
}

template <typename F>
void forEachMatrix(const LayerWeights& w, F&& f) {
  for (const PackedMatrix* m :
       {&w.queryDown, &w.query, &w.key, &w.value, &w.output, &w.gate, &w.up, &w.down, &w.router}) {
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
  for (const auto* v :
       {&w.attnNorm,      &w.attnNormBias, &w.queryBias,    &w.keyBias,           &w.valueBias,
        &w.outputBias,    &w.queryNorm,    &w.keyNorm,      &w.postAttentionNorm, &w.ffnNorm,
        &w.ffnNormBias,   &w.gateBias,     &w.upBias,       &w.downBias,          &w.postFfnNorm,
        &w.sinks,         &w.routerBias,   &w.gateBiases,   &w.upBiases,          &w.downBiases,
        &w.queryDownNorm, &w.latentNorm,   &w.selectionBias}) {
    count += v->size();
  }
  return count;
}

}  // namespace

base::Result<std::shared_ptr<const Model>> Model::load(const std::string& path,
                                                       const LoadProgress& progress) {
  auto file = gguf::File::open(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  return load(std::make_shared<const gguf::File>(std::move(*file)), progress);
}

base::Result<std::shared_ptr<const Model>> Model::load(std::shared_ptr<const gguf::File> file,
                                                       const LoadProgress& progress) {
  auto config = readConfig(*file);
  if (!config) return tl::unexpected(std::move(config.error()));
  Loader load(*file, Loader::Mode::kLoad);
  Weights weights = loadAll(load, *config, progress);
  if (load.error()) return tl::unexpected(*load.error());

  std::shared_ptr<Model> model(new Model());
  model->layers_ = std::move(weights.layers);
  model->outputNorm_ = std::move(weights.outputNorm);
  model->outputNormBias_ = std::move(weights.outputNormBias);
  model->ropeFactors_ = std::move(weights.ropeFactors);
  model->output_ = std::move(weights.output);
  // Embeddings are read a row at a time, so they stay in the file as they are; a tied head is the
  // same matrix once more, packed.
  model->embeddingFormat_ = *formatOf(weights.embedding->type);
  model->embedding_ = file->data(*weights.embedding);
  model->config_ = std::move(*config);
  model->file_ = std::move(file);
  return model;
}

base::Result<void> Model::check(const gguf::File& file) {
  const auto config = readConfig(file);
  if (!config) return tl::unexpected(config.error());
  Loader load(file, Loader::Mode::kCheck);
  loadAll(load, *config);
  if (load.error()) return tl::unexpected(*load.error());
  return {};
}

void Model::embed(int token, std::span<float> out) const {
  const std::size_t row = tensor::rowBytes(embeddingFormat_, config_.width);
  tensor::dequantizeRow(embeddingFormat_, embedding_.data() + static_cast<std::size_t>(token) * row,
                        out);
}

void Model::forEachMatrix(const std::function<void(const PackedMatrix&)>& look) const {
  look(output_);
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
  std::size_t count =
      outputNorm_.size() + outputNormBias_.size() + embedding * (config_.tiedEmbeddings ? 1 : 2);
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
