// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of a llama-architecture model, packed for the kernels.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/gguf/file.h"
#include "runtime/tensor/packed_matrix.h"
#include "runtime/transformer/config.h"

namespace waferpair::transformer {

// Shapes are [rows][columns]; a matrix maps a vector of `columns` to one of `rows`.
struct LayerWeights {
  std::vector<float> attnNorm;  // [d]
  tensor::PackedMatrix query;   // [heads * headDim][d]
  tensor::PackedMatrix key;     // [kvHeads * headDim][d]
  tensor::PackedMatrix value;   // [kvHeads * headDim][d]
  tensor::PackedMatrix output;  // [d][heads * headDim]
  std::vector<float> ffnNorm;   // [d]
  tensor::PackedMatrix gate;    // [f][d]
  tensor::PackedMatrix up;      // [f][d]
  tensor::PackedMatrix down;    // [d][f]
};

// Immutable after load(); any number of Forwards may share it from any threads.
class Model {
 public:
  // Fails, naming file and tensor, if one is missing, of another shape, or of a type that is none
  // of tensor::allFormats().
  static base::Result<std::shared_ptr<const Model>> load(const std::string& path);
  static base::Result<std::shared_ptr<const Model>> load(std::shared_ptr<const gguf::File> file);

  const Config& config() const { return config_; }
  const gguf::File& file() const { return *file_; }
  const LayerWeights& layer(int i) const { return layers_[static_cast<std::size_t>(i)]; }
  const std::vector<float>& outputNorm() const { return outputNorm_; }  // [d]
  const tensor::PackedMatrix& output() const { return output_; }        // [vocab][d]
  // The row of token_embd.weight of a token in 0..vocabSize-1.
  void embed(int token, std::span<float> out) const;

  bool quantized() const;  // at least one matrix
  // Bytes of matrices read to decode one token, the KV cache left out.
  std::size_t bytesPerToken() const;
  std::size_t parameters() const;  // each weight once, also where the head is tied

 private:
  Model() = default;
  Config config_;
  std::shared_ptr<const gguf::File> file_;
  std::vector<LayerWeights> layers_;
  std::vector<float> outputNorm_;
  tensor::PackedMatrix output_;
  tensor::Format embeddingFormat_ = tensor::Format::kF32;
  std::span<const std::byte> embedding_;  // in file_
};

}  // namespace waferpair::transformer
