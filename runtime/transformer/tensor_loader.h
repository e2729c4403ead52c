// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the tensors of a model out of its file. Private to this room.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/transformer/adapters.h"
#include "runtime/transformer/model.h"
#include "runtime/transformer/tensor_format.h"

namespace waferpair::transformer {

// Takes tensors out of a file by name and shape, with what adapters add to them, remembering which;
// the first error is kept. Where it only checks, what it gives is empty.
class TensorLoader {
 public:
  enum class Mode { kLoad, kCheck };
  // Both outlive it.
  TensorLoader(const gguf::File& file, const Adapters& adapters, Mode mode)
      : file_(file), adapters_(adapters), mode_(mode) {}

  tensor::PackedMatrix matrix(const std::string& name, int rows, int cols);

  // Of a matrix of so many rows those that `from` names, in its order.
  tensor::PackedMatrix someRows(const std::string& name, int rows, int cols,
                                std::span<const int> from);

  // Reads a matrix with the rows of each head, order.size() of them, reordered.
  tensor::PackedMatrix headMatrix(const std::string& name, int rows, int cols,
                                  std::span<const int> order);

  // A matrix for each expert, one after another in the file.
  std::vector<tensor::PackedMatrix> experts(const std::string& name, int count, int rows, int cols);

  // Both of a head from attn_kv_b, where the rows of its keys come before those of its values.
  void absorb(const std::string& name, const Config& c, LayerWeights& w);

  std::vector<float> vector(const std::string& name, int size);

  // A vector, or a matrix of one row.
  std::vector<float> row(const std::string& name, int size);

  // A vector for each expert, one after another.
  std::vector<float> vectors(const std::string& name, int count, int size);

  std::vector<float> values(const std::string& name, const std::vector<std::uint64_t>& ne);

  bool has(const std::string& name) const { return file_.findTensor(name) != nullptr; }

  // Null, with an error noted, unless the tensor is there in this shape and a type of ours.
  const gguf::TensorInfo* find(const std::string& name, const std::vector<std::uint64_t>& ne);

  // Embeddings as they are looked up, in the adapters' format; empty if they add nothing to them.
  std::vector<std::byte> embeddingSums(const gguf::TensorInfo& embedding) const;

  // A tensor nobody asked for (a bias, an expert, rotary factors) would change the result. Those
  // beside the text's own (of pictures, sound, and drafts, whose layers come last) would not.
  void refuseOthers(const Config& c);

  // Zero or infinity would make every number of the model meaningless.
  void checkFactors(const std::string& name, std::span<const float> factors);

  // Of a tensor that is read where it lies; others are looked at as they are taken.
  void refuseDamaged(const gguf::TensorInfo& info);

  // Marks a tensor that says once more what others do, and so must not be changed alone.
  void ignore(const std::string& name);

  // Has the system bring what a layer needs from the disk, while the one before is packed.
  void announceLayer(int layer) const;

  const std::optional<base::Error>& error() const { return error_; }
  void giveUp() { note({file_.name() + ": was not loaded to its end.", "Load it again."}); }

 private:
  // A tensor as it is to be packed: as the file has it, or with what adapters add.
  struct Stored {
    tensor::Format format = tensor::Format::kF32;
    std::span<const std::byte> data;  // in the file, or in `sums`
    std::vector<float> factors;       // of each matrix in it
    std::vector<std::byte> sums;
  };
  // Reads a tensor of `count` matrices; where it only checks, it looks at the factors alone.
  Stored stored(const gguf::TensorInfo& info, int count = 1);
  // Empty, with an error noted, if it cannot be done.
  tensor::PackedMatrix pack(const gguf::TensorInfo& info, tensor::Format format, int rows, int cols,
                            std::span<const std::byte> data, float factor,
                            std::span<const int> from = {});
  // Returns the factors of `count` matrices that lie in the tensor NAME.weight: those of
  // NAME.scale, which files in NVFP4 have, else ones.
  std::vector<float> factorsOf(const gguf::TensorInfo& info, int count = 1);
  // What is packed is not read from the file again, but for embeddings: a model is in memory once.
  void leave(const gguf::TensorInfo& info) const;
  void note(base::Error error);

  // [rows][cols] as [cols][rows]. Blocks do not survive that: their values become F16.
  base::Result<tensor::PackedMatrix> transposed(const std::string& name, tensor::Format format,
                                                std::span<const std::byte> data, int rows, int cols,
                                                float factor);

  static int layerOf(std::string_view name);

  static bool isBesideText(std::string_view name);

  const gguf::File& file_;
  const Adapters& adapters_;
  const Mode mode_;
  const int threads_ = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 8);
  std::unordered_set<std::string_view> used_;
  std::optional<base::Error> error_;
};

}  // namespace waferpair::transformer
