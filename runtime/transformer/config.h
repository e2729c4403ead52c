// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of a llama-architecture model, from the metadata of a GGUF file.
#pragma once

#include <string>

#include "runtime/base/result.h"

namespace waferpair::gguf {
class File;
}

namespace waferpair::transformer {

struct Config {
  std::string name;        // general.name, may be empty
  int layers = 0;          // llama.block_count
  int width = 0;           // llama.embedding_length: d
  int feedForward = 0;     // llama.feed_forward_length: f
  int heads = 0;           // llama.attention.head_count
  int kvHeads = 0;         // llama.attention.head_count_kv
  int headDim = 0;         // llama.attention.key_length, else width / heads
  int ropeDim = 0;         // llama.rope.dimension_count: leading values of a head that are rotated
  float ropeBase = 10000;  // llama.rope.freq_base
  float normEpsilon = 1e-5f;    // llama.attention.layer_norm_rms_epsilon
  int contextLength = 0;        // llama.context_length: positions the model was trained for
  int vocabSize = 0;            // rows of token_embd.weight
  bool tiedEmbeddings = false;  // no output.weight: the head is token_embd.weight

  int queryWidth() const { return heads * headDim; }
  int kvWidth() const { return kvHeads * headDim; }
  int groupSize() const { return heads / kvHeads; }  // query heads that share a KV head
};

// The error names the file and the key, and for an architecture other than llama says which it is.
base::Result<Config> readConfig(const gguf::File& file);

}  // namespace waferpair::transformer
