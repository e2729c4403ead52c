// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a transformer that decide what it costs on a wafer: no weights, no tokenizer. They
// are read from a Hugging Face config.json or a SHAPE.json (resources/wafer/shapes), or filled in
// by a caller that has the model open.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/tensor/block_formats.h"

namespace waferpair::wafer {

// Multi-head latent attention, absorbed: one KV head, whose key is `ropeDim` rotated values and a
// latent, and whose values are the latents. Without a rank there is none.
struct LatentParts {
  int rank = 0;       // of a latent
  int queryRank = 0;  // of what queries are made from; 0: they are made from the hidden state
  int plainDim = 0;   // of a head's query before it is taken to latents, what is not rotated
  int ropeDim = 0;
  int valueDim = 0;  // of a head's value, which is made of the latent that it attended to

  bool operator==(const LatentParts&) const = default;
};

// Layers that keep a state in place of keys and values. Each head has a matrix of what its keys
// stand for, which a position asks and changes (transformer/config.h, RecurrentLayers); queries,
// keys and values pass a short convolution first. The state is kept in FP32.
struct RecurrentParts {
  int kernel = 0;                   // positions of the convolution; 0: there are no such layers
  int groups = 0;                   // of queries and keys
  int heads = 0;                    // of values
  int stateDim = 0;                 // of a key
  int headDim = 0;                  // of a value
  bool delta = true;                // the gated delta rule; else Mamba-2's
  bool joined = false;              // of the delta rule: one matrix gives its two factors of a head
  std::vector<int> attention = {};  // the layers that have attention all the same, in order

  bool at(int layer) const {
    return kernel > 0 && !std::binary_search(attention.begin(), attention.end(), layer);
  }
  int keyWidth() const { return groups * stateDim; }
  int valueWidth() const { return heads * headDim; }
  int channels() const { return 2 * keyWidth() + valueWidth(); }  // of the convolution
  // A position is taken to channels, gates, and for each head how much is kept and put in.
  int inputWidth() const { return channels() + valueWidth() + (delta ? 2 : 1) * heads; }

  bool operator==(const RecurrentParts&) const = default;
};

// The parts of a layer beside, or in place of, the matrices and norms of a plain llama layer.
struct LayerParts {
  bool gated = true;        // ffn_gate beside ffn_up
  bool layerNorm = false;   // norms take the mean away first
  bool normBias = true;     // layer norms have biases
  bool qkvBias = false;     // of q, k and v
  bool outputBias = false;  // of the attention's output
  bool ffnBias = false;     // of gate, up and down
  bool headNorms = false;   // an RMS norm of each head of q and of k
  bool outputGate = false;  // the matrix of q gives a gate, too, of what a head attends to
  bool preNorms = true;     // norms of what attention and FFN take
  bool postNorms = false;   // norms of what attention and FFN add to the residual stream
  bool normsSums = false;   // with post_norms: of the residual stream with it
  bool parallel = false;    // the FFN takes what attention takes: one norm, and one sum with both
  int experts = 0;          // a layer has so many FFNs, and a router; 0: one
  int expertsUsed = 0;      // by each token
  bool expertBias = false;  // of the router, and of gate, up and down of each expert
  // Of models with experts: the first layers have one FFN, and no router; the others one more
  // beside the experts, which each token uses.
  int leadingDense = 0;        // layers
  int denseWidth = 0;          // of their FFN
  int sharedWidth = 0;         // 0: none
  bool sharedGate = false;     // what that gives is scaled by a product with the normed input
  bool selectionBias = false;  // added to what experts are chosen by
  bool sigmoid = false;        // scores are taken through sigmoids; else through a softmax,
  bool sumsAll = false;        // whose sum is over all experts, not over the chosen
  int expertGroups = 1, expertGroupsUsed = 1;  // of more than one, the best are chosen first
  LatentParts latent = {};
  RecurrentParts recurrent = {};
  int sinks = 0;               // logits that join the softmax, one a head
  int window = 0;              // positions that a windowed layer attends to; 0: all layers see all
  int fullAttentionEvery = 0;  // with a window, each n-th layer sees all; 0: none does
  bool fullFirst = false;      // these are the first of each n, not the last
  // Of models that make states of whole texts, with no head behind.
  bool encoder = false;
  bool embeddingNorm = false;  // rows of the embedding are normed
  bool firstPlain = false;     // attention of the first layer has no norm in front
  int addedRows = 0;           // of a table of positions, and of types, added to the embedding's
  static constexpr int kKvBlock = 32;
  int kvBlockBytes = 64;  // that kKvBlock elements of the KV cache take: 64 in FP16

  // Positions that this layer attends to at most; 0 = all.
  int windowOf(int layer) const {
    const int turn = layer + (fullFirst ? 0 : 1);
    return fullAttentionEvery > 0 && turn % fullAttentionEvery == 0 ? 0 : window;
  }
  bool hasExperts(int layer) const { return experts > 0 && layer >= leadingDense; }
  bool hasAttentionNorm(int layer) const { return preNorms && !(firstPlain && layer == 0); }
  bool hasFinalNorm() const { return !normsSums; }
  // Whether the FFN has a norm of its own in front.
  bool hasFfnNorm() const { return preNorms && !parallel; }
  bool operator==(const LayerParts&) const = default;
};

// The formats in which the PEs keep the matrices of each kind. If layers differ, the one with the
// most bits counts for all. Plain floats are FP16 there, whatever they are in a file.
struct WeightFormats {
  tensor::Format embedding = tensor::Format::kF16, head = tensor::Format::kF16;
  tensor::Format query = tensor::Format::kF16, key = tensor::Format::kF16;
  tensor::Format value = tensor::Format::kF16, output = tensor::Format::kF16;  // of the attention
  tensor::Format router = tensor::Format::kF16;
  tensor::Format gate = tensor::Format::kF16, up = tensor::Format::kF16;  // of experts too
  tensor::Format down = tensor::Format::kF16;
  // Of the experts that every token uses, and of the FFN of leading layers without experts.
  tensor::Format sharedGate = tensor::Format::kF16, sharedUp = tensor::Format::kF16;
  tensor::Format sharedDown = tensor::Format::kF16;
  // Of latent attention, whose `key` makes the latents and `value` the values of these.
  tensor::Format queryDown = tensor::Format::kF16, keyToLatent = tensor::Format::kF16;
  // Of recurrent layers: of the channels, of the gates, of the factors of heads, of the output.
  tensor::Format recurrentIn = tensor::Format::kF16, recurrentGate = tensor::Format::kF16;
  tensor::Format recurrentHeads = tensor::Format::kF16, recurrentOut = tensor::Format::kF16;

  static WeightFormats all(tensor::Format format);
};

struct ModelShape {
  std::string name;          // for messages; may be empty
  int hiddenSize = 0;        // d
  int intermediateSize = 0;  // f
  int layers = 0;
  int heads = 0;
  int kvHeads = 0;
  int headDim = 0;
  int vocabSize = 0;
  int maxContext = 0;           // positions; 0 = not said
  bool tiedEmbeddings = false;  // lm_head is the embedding's transpose
  LayerParts parts = {};        // a config.json does not say them, nor these
  WeightFormats formats = {};
  std::string source = {};  // where the numbers come from; may be empty
  bool guess = false;       // nobody has published them

  int queryWidth() const { return heads * headDim; }
  int kvWidth() const { return kvHeads * headDim; }
  int attentionLayers() const;
  // Each token uses all weights, and every layer has attention.
  bool isDense() const { return parts.experts == 0 && parts.recurrent.kernel == 0; }
  // Of what a position keeps in a layer with attention: keys and values, or the keys, which are the
  // values too.
  int cacheWidth() const { return (parts.latent.rank > 0 ? 1 : 2) * kvWidth(); }
  // Of a layer's feed-forward: how many columns it has, each expert of it if it has some.
  int columns(int layer) const {
    return parts.experts > 0 && !parts.hasExperts(layer) ? parts.denseWidth : intermediateSize;
  }
  // Weights of the matrices of a layer, with so many of its experts.
  std::int64_t layerParameters(int layer, int experts) const;
  // The number of weights in the matrices; norm gains and biases are left out.
  std::int64_t parameters() const;
  // The number of weights that a token is multiplied with: of the experts those that it uses, of
  // the embedding one row.
  std::int64_t activeParameters() const;
};

// The shape itself, or which size is missing or absurd and what it should be. In a shape that
// passes heads is a multiple of kvHeads and every byte count of the planner fits 64 bits.
base::Result<ModelShape> checkShape(ModelShape shape);

// Far beyond any model, and small enough that no product of three overflows 64 bits.
inline constexpr int kMostWidth = 1 << 20;
inline constexpr int kMostLayers = 1 << 12;
inline constexpr int kMostHeads = 1 << 14;
inline constexpr int kMostKernel = 1 << 6;
inline constexpr int kMostExperts = 1 << 10;
inline constexpr int kMostVocabulary = 1 << 24;
inline constexpr int kMostContext = 1 << 24;

// Reads a config.json: hidden_size, intermediate_size, num_hidden_layers, num_attention_heads,
// vocab_size; optional num_key_value_heads (else as many as heads), head_dim (else hidden_size /
// heads), max_position_embeddings, tie_word_embeddings. Other fields are ignored.
//
// A SHAPE.json has more, all optional: source (text), guess (true or false), and
//   parts    gated, layer_norm, norm_bias, qkv_bias, output_bias, ffn_bias, head_norms,
//            output_gate, pre_norms, post_norms, parallel_ffn, expert_bias (true or false; gated,
//            norm_bias and pre_norms are true unless they are said), num_experts,
//            num_experts_per_tok,
//            attention_sinks, sliding_window, sliding_window_pattern, kv_format ("F16", "Q8_0"); of
//            experts leading_dense_layers, dense_intermediate_size, shared_intermediate_size,
//            shared_gate, selection_bias, sigmoid_scores, norm_topk_prob, n_group, topk_group; of
//            latent attention, whose head_dim is the sum of the first two, kv_lora_rank,
//            qk_rope_head_dim, qk_nope_head_dim, v_head_dim, q_lora_rank; of recurrent layers
//            conv_kernel, recurrent_groups, recurrent_heads, state_dim, recurrent_head_dim,
//            delta_rule, joined_factors, attention_layers (a list of those that are not recurrent,
//            from 0)
//   weights  formats of the matrices, "MXFP4" and so on: all, embedding, head, query, key, value,
//            output, router, gate, up, down, shared_gate, shared_up, shared_down, query_down,
//            key_to_latent, recurrent_in, recurrent_gate, recurrent_heads, recurrent_out; `all`
//            counts for those that are not named
// Within these two an unknown field is an error. So is a mixture of experts, or a model with
// recurrent layers, without `parts`: the config.json of one has names of its own for what counts.
base::Result<ModelShape> parseShape(std::string_view json, std::string name = {});
// Parses as parseShape does, from a file of at most 16 MiB; `name` is the path.
base::Result<ModelShape> readShape(const std::string& path);

// A shape that is compiled in, by name; the error lists the names there are.
base::Result<ModelShape> findShape(std::string_view name);
std::vector<std::string> shapeNames();
// Returns the shape that a user names: a compiled-in shape, else a file.
base::Result<ModelShape> loadShape(const std::string& nameOrPath);

}  // namespace waferpair::wafer
