// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/model.h"

#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace waferpair::transformer {
namespace {

using tensor::Format;
using tensor::PackedMatrix;

constexpr const char* kRemedy = "Use a llama-architecture model.";

std::optional<Format> formatOf(gguf::TensorType type) {
  return tensor::findFormat(static_cast<std::uint32_t>(type));
}

std::string shapeText(std::span<const std::uint64_t> ne) {
  std::string text;
  for (const std::uint64_t n : ne) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

// Takes tensors out of a file by name and shape, remembering which; the first error is kept.
class Loader {
 public:
  explicit Loader(const gguf::File& file) : file_(file) {}

  PackedMatrix matrix(const std::string& name, int rows, int cols) {
    const gguf::TensorInfo* info =
        find(name, {static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows)});
    if (info == nullptr) return {};
    auto packed = PackedMatrix::pack(file_.name() + ": " + name, *formatOf(info->type), rows, cols,
                                     file_.data(*info));
    if (!packed) return note(std::move(packed.error())), PackedMatrix();
    return std::move(*packed);
  }

  std::vector<float> vector(const std::string& name, int size) {
    const gguf::TensorInfo* info = find(name, {static_cast<std::uint64_t>(size)});
    if (info == nullptr) return {};
    std::vector<float> values(static_cast<std::size_t>(size));
    tensor::dequantizeRow(*formatOf(info->type), file_.data(*info).data(), values);
    return values;
  }

  // Null, with an error noted, unless the tensor is there in this shape and a type of ours.
  const gguf::TensorInfo* find(const std::string& name, const std::vector<std::uint64_t>& ne) {
    const gguf::TensorInfo* info = file_.findTensor(name);
    if (info == nullptr) {
      note({file_.name() + ": lacks the tensor " + name + ".", kRemedy});
    } else if (info->ne != ne) {
      note({file_.name() + ": tensor " + name + " is " + shapeText(info->ne) +
                ", but the metadata ask for " + shapeText(ne) + ".",
            kRemedy});
    } else if (!formatOf(info->type)) {
      note({file_.name() + ": tensor " + name + " is of type " + tensorTypeName(info->type) + ".",
            "Convert the model to " + tensor::formatNames() + "."});
    } else {
      used_.insert(info->name);
      return info;
    }
    return nullptr;
  }

  // A tensor nobody asked for (a bias, an expert, rotary factors) would change the result.
  void refuseOthers() {
    for (const gguf::TensorInfo& info : file_.tensors()) {
      if (used_.contains(info.name)) continue;
      note({file_.name() + ": has the tensor " + std::string(info.name) +
                ", which is no part of the llama architecture as it is computed here.",
            kRemedy});
    }
  }

  const std::optional<base::Error>& error() const { return error_; }

 private:
  void note(base::Error error) {
    if (!error_) error_ = std::move(error);
  }

  const gguf::File& file_;
  std::unordered_set<std::string_view> used_;
  std::optional<base::Error> error_;
};

LayerWeights loadLayer(Loader& load, const Config& c, int layer) {
  const std::string blk = "blk." + std::to_string(layer) + ".";
  LayerWeights w;
  w.attnNorm = load.vector(blk + "attn_norm.weight", c.width);
  w.query = load.matrix(blk + "attn_q.weight", c.queryWidth(), c.width);
  w.key = load.matrix(blk + "attn_k.weight", c.kvWidth(), c.width);
  w.value = load.matrix(blk + "attn_v.weight", c.kvWidth(), c.width);
  w.output = load.matrix(blk + "attn_output.weight", c.width, c.queryWidth());
  w.ffnNorm = load.vector(blk + "ffn_norm.weight", c.width);
  w.gate = load.matrix(blk + "ffn_gate.weight", c.feedForward, c.width);
  w.up = load.matrix(blk + "ffn_up.weight", c.feedForward, c.width);
  w.down = load.matrix(blk + "ffn_down.weight", c.width, c.feedForward);
  return w;
}

template <typename F>
void forEachMatrix(const LayerWeights& w, F&& f) {
  for (const PackedMatrix* m : {&w.query, &w.key, &w.value, &w.output, &w.gate, &w.up, &w.down}) {
    f(*m);
  }
}

}  // namespace

base::Result<std::shared_ptr<const Model>> Model::load(const std::string& path) {
  auto file = gguf::File::open(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  return load(std::make_shared<const gguf::File>(std::move(*file)));
}

base::Result<std::shared_ptr<const Model>> Model::load(std::shared_ptr<const gguf::File> file) {
  auto config = readConfig(*file);
  if (!config) return tl::unexpected(std::move(config.error()));
  const Config& c = *config;

  std::shared_ptr<Model> model(new Model());
  Loader load(*file);
  const std::string embedding = "token_embd.weight";
  const gguf::TensorInfo* embed = load.find(
      embedding, {static_cast<std::uint64_t>(c.width), static_cast<std::uint64_t>(c.vocabSize)});
  for (int i = 0; i < c.layers && !load.error(); ++i) {
    model->layers_.push_back(loadLayer(load, c, i));
  }
  model->outputNorm_ = load.vector("output_norm.weight", c.width);
  model->output_ =
      load.matrix(c.tiedEmbeddings ? embedding : "output.weight", c.vocabSize, c.width);
  load.refuseOthers();
  if (load.error()) return tl::unexpected(*load.error());

  // Embeddings are read a row at a time, so they stay in the file as they are; a tied head is the
  // same matrix once more, packed.
  model->embeddingFormat_ = *formatOf(embed->type);
  model->embedding_ = file->data(*embed);
  model->config_ = std::move(*config);
  model->file_ = std::move(file);
  return model;
}

void Model::embed(int token, std::span<float> out) const {
  const std::size_t row = tensor::rowBytes(embeddingFormat_, config_.width);
  tensor::dequantizeRow(embeddingFormat_, embedding_.data() + static_cast<std::size_t>(token) * row,
                        out);
}

bool Model::quantized() const {
  bool found = output_.quantized();
  for (const LayerWeights& layer : layers_) {
    forEachMatrix(layer, [&](const PackedMatrix& m) { found = found || m.quantized(); });
  }
  return found;
}

std::size_t Model::bytesPerToken() const {
  std::size_t bytes = output_.bytes();
  for (const LayerWeights& layer : layers_) {
    forEachMatrix(layer, [&](const PackedMatrix& m) { bytes += m.bytes(); });
  }
  return bytes;
}

std::size_t Model::parameters() const {
  const auto width = static_cast<std::size_t>(config_.width);
  const std::size_t embedding = width * static_cast<std::size_t>(config_.vocabSize);
  std::size_t count = outputNorm_.size() + embedding * (config_.tiedEmbeddings ? 1 : 2);
  for (const LayerWeights& layer : layers_) {
    count += layer.attnNorm.size() + layer.ffnNorm.size();
    forEachMatrix(layer, [&](const PackedMatrix& m) {
      count += static_cast<std::size_t>(m.rows()) * static_cast<std::size_t>(m.cols());
    });
  }
  return count;
}

}  // namespace waferpair::transformer
