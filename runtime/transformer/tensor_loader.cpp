// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/tensor_loader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "runtime/tensor/damage.h"
#include "runtime/tensor/elementwise.h"
#include "runtime/transformer/tensor_format.h"

namespace waferpair::transformer {
namespace {

using tensor::Format;
using tensor::PackedMatrix;

constexpr const char* kOtherFile = "Use another file of this model.";

std::string shapeText(std::span<const std::uint64_t> ne) {
  std::string text;
  for (const std::uint64_t n : ne) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

}  // namespace

PackedMatrix TensorLoader::matrix(const std::string& name, int rows, int cols) {
  return someRows(name, rows, cols, {});
}

PackedMatrix TensorLoader::someRows(const std::string& name, int rows, int cols,
                                    std::span<const int> from) {
  const gguf::TensorInfo* info =
      find(name, {static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows)});
  if (info == nullptr) return {};
  const Stored tensor = stored(*info);
  if (mode_ == Mode::kCheck) return {};
  const int taken = from.empty() ? rows : static_cast<int>(from.size());
  PackedMatrix packed =
      pack(*info, tensor.format, taken, cols, tensor.data, tensor.factors[0], from);
  leave(*info);
  return packed;
}

PackedMatrix TensorLoader::headMatrix(const std::string& name, int rows, int cols,
                                      std::span<const int> order) {
  std::vector<int> from(static_cast<std::size_t>(rows));
  for (std::size_t r = 0; r < from.size(); ++r) {
    const std::size_t within = r % order.size();
    from[r] = static_cast<int>(r - within) + order[within];
  }
  return someRows(name, rows, cols, from);
}

std::vector<PackedMatrix> TensorLoader::experts(const std::string& name, int count, int rows,
                                                int cols) {
  const gguf::TensorInfo* info =
      find(name, {static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows),
                  static_cast<std::uint64_t>(count)});
  std::vector<PackedMatrix> matrices;
  if (info == nullptr) return matrices;
  const Stored tensor = stored(*info, count);
  if (mode_ == Mode::kCheck) return matrices;
  const std::size_t size = tensor.data.size() / static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count) && !error_; ++i) {
    matrices.push_back(pack(*info, tensor.format, rows, cols, tensor.data.subspan(i * size, size),
                            tensor.factors[i]));
  }
  leave(*info);
  return matrices;
}

void TensorLoader::absorb(const std::string& name, const Config& c, LayerWeights& w) {
  const LatentAttention& l = c.latent;
  const auto heads = static_cast<std::size_t>(c.heads);
  const auto plain = static_cast<std::size_t>(l.plainDim);
  const auto values = static_cast<std::size_t>(l.valueDim);
  const gguf::TensorInfo* info =
      find(name, {static_cast<std::uint64_t>(l.rank), heads * (plain + values)});
  if (info == nullptr) return;
  const Stored tensor = stored(*info);
  if (mode_ == Mode::kCheck) return;
  const float factor = tensor.factors[0];
  const std::size_t row = tensor.data.size() / (heads * (plain + values));
  for (std::size_t head = 0; head < heads; ++head) {
    const auto mine = tensor.data.subspan(head * (plain + values) * row, (plain + values) * row);
    auto keys =
        transposed(name, tensor.format, mine.first(plain * row), l.plainDim, l.rank, factor);
    if (!keys) return note(std::move(keys.error()));
    w.keysToLatent.push_back(std::move(*keys));
    w.latentToValues.push_back(
        pack(*info, tensor.format, l.valueDim, l.rank, mine.subspan(plain * row), factor));
  }
  leave(*info);
}

std::vector<float> TensorLoader::vector(const std::string& name, int size) {
  return values(name, {static_cast<std::uint64_t>(size)});
}

std::vector<float> TensorLoader::row(const std::string& name, int size) {
  const gguf::TensorInfo* info = file_.findTensor(name);
  return info != nullptr && info->ne.size() == 2 ? vectors(name, 1, size) : vector(name, size);
}

std::vector<float> TensorLoader::vectors(const std::string& name, int count, int size) {
  return values(name, {static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(count)});
}

std::vector<float> TensorLoader::values(const std::string& name,
                                        const std::vector<std::uint64_t>& ne) {
  const gguf::TensorInfo* info = find(name, ne);
  if (info == nullptr) return {};
  const Stored tensor = stored(*info);
  if (mode_ == Mode::kCheck) return {};
  std::vector<float> values(info->elements());
  tensor::dequantizeRow(tensor.format, tensor.data.data(), values);
  tensor::scale(values.data(), tensor.factors[0], static_cast<int>(values.size()));
  return values;
}

const gguf::TensorInfo* TensorLoader::find(const std::string& name,
                                           const std::vector<std::uint64_t>& ne) {
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

std::vector<std::byte> TensorLoader::embeddingSums(const gguf::TensorInfo& embedding) const {
  if (mode_ == Mode::kCheck || !adapters_.change(embedding)) return {};
  return adapters_.applied(embedding, file_.data(embedding), std::array{1.0f}, threads_);
}

void TensorLoader::refuseOthers(const Config& c) {
  for (const gguf::TensorInfo& info : file_.tensors()) {
    if (used_.contains(info.name) || isBesideText(info.name)) continue;
    // These are for activations that are rounded to NVFP4, too; here they are not.
    if (info.name.ends_with(".input_scale")) continue;
    if (findArchitecture(c.architecture)->draftLayers && layerOf(info.name) >= c.layers) continue;
    note({file_.name() + ": has the tensor " + std::string(info.name) +
              ", which is not part of the architecture as it is computed here.",
          kOtherFile});
  }
}

void TensorLoader::checkFactors(const std::string& name, std::span<const float> factors) {
  for (const float factor : factors) {
    if (factor > 0 && std::isfinite(factor)) continue;
    note({file_.name() + ": tensor " + name + " holds " + std::to_string(factor) +
              ", where only positive factors make sense.",
          kOtherFile});
  }
}

void TensorLoader::ignore(const std::string& name) {
  const gguf::TensorInfo* info = file_.findTensor(name);
  if (info == nullptr) return;
  used_.insert(info->name);
  if (adapters_.change(*info)) {
    note({file_.name() + ": tensor " + name +
              " is computed from another one, which the adapter does not change.",
          "Use an adapter of the matrices that the file has once."});
  }
}

void TensorLoader::announceLayer(int layer) const {
  if (mode_ == Mode::kCheck) return;
  for (const gguf::TensorInfo& info : file_.tensors()) {
    if (layerOf(info.name) == layer) file_.announce(info);
  }
}

TensorLoader::Stored TensorLoader::stored(const gguf::TensorInfo& info, int count) {
  Stored tensor;
  tensor.factors = factorsOf(info, count);
  if (mode_ == Mode::kCheck) return tensor;
  tensor.format = *formatOf(info.type);
  tensor.data = file_.data(info);
  refuseDamaged(info);
  // Adapters of embeddings are for looking them up; a head that is the same matrix stays as it is.
  if (info.name == kEmbedding || !adapters_.change(info)) return tensor;
  tensor.format = *adapters_.formatOf(info);
  tensor.sums = adapters_.applied(info, tensor.data, tensor.factors, threads_);
  tensor.data = tensor.sums;
  tensor.factors.assign(tensor.factors.size(), 1);
  return tensor;
}

PackedMatrix TensorLoader::pack(const gguf::TensorInfo& info, Format format, int rows, int cols,
                                std::span<const std::byte> data, float factor,
                                std::span<const int> from) {
  auto packed = PackedMatrix::pack(file_.name() + ": " + std::string(info.name), format, rows, cols,
                                   data, {.from = from, .threads = threads_, .factor = factor});
  if (!packed) return note(std::move(packed.error())), PackedMatrix();
  return std::move(*packed);
}

std::vector<float> TensorLoader::factorsOf(const gguf::TensorInfo& info, int count) {
  std::vector<float> ones(static_cast<std::size_t>(count), 1);
  constexpr std::string_view kWeight = ".weight";
  // Embeddings are looked up in the file, where no factor is applied.
  if (info.name == kEmbedding || !info.name.ends_with(kWeight)) return ones;
  std::string name(info.name);
  name.replace(name.size() - kWeight.size(), kWeight.size(), ".scale");
  if (file_.findTensor(name) == nullptr) return ones;
  std::vector<float> factors = vector(name, count);
  if (factors.empty()) return ones;  // nothing is loaded, or an error was noted
  for (const float factor : factors) {
    if (std::isfinite(factor)) continue;
    note(
        {file_.name() + ": tensor " + name + " holds " + std::to_string(factor) + ".", kOtherFile});
  }
  return factors;
}

void TensorLoader::refuseDamaged(const gguf::TensorInfo& info) {
  if (mode_ == Mode::kCheck) return;
  const auto damage = tensor::damageIn(*formatOf(info.type), file_.data(info), threads_);
  if (!damage) return;
  note({file_.name() + ": tensor " + std::string(info.name) + " is damaged: " + *damage + '.',
        "Download or copy the file again, and compare its SHA-256 with the publisher's."});
}

void TensorLoader::leave(const gguf::TensorInfo& info) const {
  if (info.name != kEmbedding) file_.forget(info);
}

void TensorLoader::note(base::Error error) {
  if (!error_) error_ = std::move(error);
}

base::Result<PackedMatrix> TensorLoader::transposed(const std::string& name, Format format,
                                                    std::span<const std::byte> data, int rows,
                                                    int cols, float factor) {
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
  return PackedMatrix::pack(file_.name() + ": " + name, to, cols, rows, bytes, {.factor = factor});
}

int TensorLoader::layerOf(std::string_view name) {
  constexpr std::string_view kPrefix = "blk.";
  int layer = -1;
  if (!name.starts_with(kPrefix)) return layer;
  std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), layer);
  return layer;
}

bool TensorLoader::isBesideText(std::string_view name) {
  for (const char* prefix : {"v.", "mm.", "a.", "s.", "mtp."}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace waferpair::transformer
