// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of a model, packed for the kernels.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/gguf/file.h"
#include "runtime/tensor/packed_matrix.h"
#include "runtime/transformer/adapters.h"
#include "runtime/transformer/config.h"

namespace waferpair::transformer {

// Shapes are [rows][columns]; a matrix maps a vector of `columns` to one of `rows`. What a model
// does not have is empty. Where the file pairs the halves of a head for rotary positions, the rows
// of each head of query and key, their biases and norms are in another order than in the file: the
// pairs are neighbors, (2i, 2i + 1). Scores are sums over a head and do not see the difference.
struct LayerWeights {
  std::vector<float> attnNorm, attnNormBias;  // [d]
  tensor::PackedMatrix query;                 // [heads * headDim][d]
  tensor::PackedMatrix key;                   // [kvHeads * headDim][d]
  tensor::PackedMatrix value;                 // [kvHeads * headDim][d]
  tensor::PackedMatrix output;                // [d][attendedWidth]
  // Of latent attention: `key` is [ropeDim + rank][d], what is rotated before the latent. Queries
  // are [heads * (plainDim + ropeDim)] of d, or of queryRank values. A head's query is taken to
  // latents by its matrix of keys, transposed, and what was attended to back by that of values.
  tensor::PackedMatrix queryDown;                    // [queryRank][d]
  std::vector<float> queryDownNorm, latentNorm;      // [queryRank], [rank]
  std::vector<tensor::PackedMatrix> keysToLatent;    // [heads] of [rank][plainDim]
  std::vector<tensor::PackedMatrix> latentToValues;  // [heads] of [valueDim][rank]
  tensor::PackedMatrix queryGate;  // [heads * headDim][d]; of attention with gates
  // Of recurrent layers, in place of attention: what the convolution takes, as RecurrentLayers has
  // it; for each head a row of beta and alpha, with kDecay of the step alone, which `alpha` has;
  // its gates. `output` is [d][heads * headDim].
  tensor::PackedMatrix mixed;              // [channels][d]
  tensor::PackedMatrix headGate;           // [heads * headDim][d]
  tensor::PackedMatrix beta, alpha;        // [heads][d]
  std::vector<float> convolution;          // [kernel][channels], the oldest position first
  std::vector<float> convolutionBias;      // [channels]
  std::vector<float> stepBias, decayRate;  // [heads]
  std::vector<float> passing;              // [heads], weights of values with kDecay
  std::vector<float> headNorm;             // [headDim], with kDecay [heads * headDim]
  std::vector<float> queryBias, keyBias, valueBias, outputBias;
  std::vector<float> queryNorm, keyNorm;                        // [headDim]
  std::vector<float> sinks;                                     // [heads], a logit of each
  std::vector<float> postAttentionNorm, postAttentionNormBias;  // [d]
  std::vector<float> ffnNorm, ffnNormBias;                      // [d]
  tensor::PackedMatrix gate;                                    // [f][d]
  tensor::PackedMatrix up;                                      // [f][d]
  tensor::PackedMatrix down;                                    // [d][f]
  std::vector<float> gateBias, upBias, downBias;
  // The weights of layers with experts, one for each; gate, up and down are there too where every
  // token uses one more.
  tensor::PackedMatrix router;  // [experts][d]
  std::vector<tensor::PackedMatrix> gates, ups, downs;
  std::vector<float> routerBias;                        // [experts]
  std::vector<float> selectionBias;                     // [experts]
  std::vector<float> sharedGate;                        // [d]
  std::vector<float> gateBiases, upBiases, downBiases;  // [experts][f], of downs [experts][d]
  std::vector<float> postFfnNorm, postFfnNormBias;      // [d]
};

// What an encoder adds to the rows of its embedding, and the norm of the sums.
struct EmbeddingParts {
  std::vector<float> positions;       // [contextLength][d]
  std::vector<float> types;           // [typeRows][d]
  std::vector<float> norm, normBias;  // [d]
};

// What a model that ranks texts makes of a state: classes act(dense state + denseBias) + classBias,
// where it has a dense layer, whose values may be normed; else classes state + classBias.
struct RankingHead {
  Pooling pooling = Pooling::kLast;     // of the states of a text
  bool gelu = false;                    // act; else tanh
  std::vector<float> dense, denseBias;  // [d][d], [d]
  std::vector<float> norm;              // [d]
  std::vector<float> classes;           // [classes][d]; empty: the model does not rank
  std::vector<float> classBias;         // [classes]
};

// Called while a model is loaded, with the share of it that is there, 0 to 1; false gives up.
using LoadProgress = std::function<bool(double share)>;

// Immutable after load(); any number of Forwards may share it from any threads.
class Model {
 public:
  // Fails, naming file and tensor, if one is missing, of another shape, of a type that is none of
  // tensor::allFormats(), or not part of the architecture; if an adapter does not fit; or when
  // `progress` gave up.
  static base::Result<std::shared_ptr<const Model>> load(const std::string& path,
                                                         std::span<const AdapterFile> adapters = {},
                                                         const LoadProgress& progress = {});
  static base::Result<std::shared_ptr<const Model>> load(std::shared_ptr<const gguf::File> file,
                                                         Adapters adapters = {},
                                                         const LoadProgress& progress = {});
  // Tells whether load() would take the file, as far as its header says. Reads no weights.
  static base::Result<void> check(const gguf::File& file, const Adapters& adapters = {});

  const Config& config() const { return config_; }
  const gguf::File& file() const { return *file_; }
  const Adapters& adapters() const { return adapters_; }
  const LayerWeights& layer(int i) const { return layers_[static_cast<std::size_t>(i)]; }
  const std::vector<float>& outputNorm() const { return outputNorm_; }          // [d]
  const std::vector<float>& outputNormBias() const { return outputNormBias_; }  // [d] or empty
  const RankingHead& ranking() const { return ranking_; }
  const EmbeddingParts& embeddingParts() const { return embeddingParts_; }
  // The factors that divide the frequencies of rotary positions, [ropeDim / 2] or empty.
  const std::vector<float>& ropeFactors() const { return ropeFactors_; }
  const tensor::PackedMatrix& output() const { return output_; }  // [vocab][d]; of encoders none
  // The row of token_embd.weight, with what adapters add, of a token in 0..vocabSize-1.
  void embed(int token, std::span<float> out) const;

  // The head, and every matrix of every layer, experts' too.
  void forEachMatrix(const std::function<void(const tensor::PackedMatrix&)>& look) const;
  bool quantized() const;  // at least one matrix
  // Bytes of matrices read to decode one token, the KV cache left out; of experts, those it uses.
  std::size_t bytesPerToken() const;
  std::size_t parameters() const;  // each weight once, also where the head is tied

 private:
  Model() = default;
  Config config_;
  std::shared_ptr<const gguf::File> file_;
  Adapters adapters_;
  std::vector<LayerWeights> layers_;
  std::vector<float> outputNorm_, outputNormBias_, ropeFactors_;
  RankingHead ranking_;
  EmbeddingParts embeddingParts_;
  tensor::PackedMatrix output_;
  tensor::Format embeddingFormat_ = tensor::Format::kF32;
  std::span<const std::byte> embedding_;  // in file_, or the sums with adapters
  std::vector<std::byte> embeddingSums_;
};

}  // namespace waferpair::transformer
