// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/config.h"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "runtime/gguf/file.h"

namespace waferpair::transformer {
namespace {

// Bounds keep every product of two sizes within an int, the activations within a few hundred
// megabytes, and stop absurd files early. They lie above the largest models of this architecture.
constexpr std::int64_t kMostLayers = 1024, kMostWidth = 1 << 15, kMostFeedForward = 1 << 18;
constexpr std::int64_t kMostHeads = 1024, kMostHeadDim = 512, kMostQueryWidth = 1 << 15;
constexpr std::int64_t kMostContext = 1 << 18, kMostVocab = 1 << 20;
constexpr const char* kConvert = "Use a llama-architecture model in F32, F16 or Q8_0.";

// Collects the first error, so that the keys can be read one line each.
class Reader {
 public:
  explicit Reader(const gguf::File& file) : file_(file) {}

  int size(std::string_view key, std::int64_t least, std::int64_t most) {
    return check(key, file_.integer(key), least, most);
  }
  int sizeOr(std::string_view key, std::int64_t fallback, std::int64_t least, std::int64_t most) {
    return check(key, file_.integerOr(key, fallback), least, most);
  }
  float positiveOr(std::string_view key, double fallback) {
    const auto value = file_.numberOr(key, fallback);
    if (!value) return note(value.error()), 0;
    const auto narrowed = static_cast<float>(*value);
    if (!(narrowed > 0) || !std::isfinite(narrowed)) reject(key, "must be positive");
    return narrowed;
  }
  // For features that change the result and are not computed: `key` absent or equal to `neutral`.
  void neutral(std::string_view key, double neutral) {
    const auto value = file_.numberOr(key, neutral);
    if (!value) return note(value.error());
    if (*value != neutral) reject(key, "is " + std::to_string(*value) + ", which is not supported");
  }
  void reject(std::string_view key, std::string why) {
    note({file_.name() + ": " + std::string(key) + " " + std::move(why) + ".", kConvert});
  }
  void note(base::Error error) {
    if (ok()) error_ = std::move(error);
  }
  bool ok() const { return error_.what.empty(); }
  const base::Error& error() const { return error_; }

 private:
  int check(std::string_view key, const base::Result<std::int64_t>& value, std::int64_t least,
            std::int64_t most) {
    if (!value) return note(value.error()), 1;
    if (*value >= least && *value <= most) return static_cast<int>(*value);
    reject(key, "is " + std::to_string(*value) + ", outside " + std::to_string(least) + " to " +
                    std::to_string(most));
    return 1;
  }

  const gguf::File& file_;
  base::Error error_;
};

void readRope(const gguf::File& file, Reader& read, Config& config) {
  config.ropeDim = read.sizeOr("llama.rope.dimension_count", config.headDim, 2, config.headDim);
  config.ropeBase = read.positiveOr("llama.rope.freq_base", config.ropeBase);
  if (config.ropeDim % 2 != 0) read.reject("llama.rope.dimension_count", "must be even");
  const auto scaling = file.stringOr("llama.rope.scaling.type", "none");
  if (!scaling) {
    read.note(scaling.error());
  } else if (*scaling != "none") {
    read.reject("llama.rope.scaling.type",
                "is \"" + std::string(*scaling) + "\", which is not supported");
  }
  read.neutral("llama.rope.scale_linear", 1);
}

}  // namespace

base::Result<Config> readConfig(const gguf::File& file) {
  const auto architecture = file.string("general.architecture");
  if (!architecture) return tl::unexpected(architecture.error());
  if (*architecture != "llama") {
    return base::fail(file.name() + ": is a model of the architecture \"" +
                          std::string(*architecture) + "\", and only llama can be run.",
                      kConvert);
  }

  Reader read(file);
  Config config;
  config.name = file.stringOr("general.name", "").value_or("");
  config.layers = read.size("llama.block_count", 1, kMostLayers);
  config.width = read.size("llama.embedding_length", 1, kMostWidth);
  config.feedForward = read.size("llama.feed_forward_length", 1, kMostFeedForward);
  config.heads = read.size("llama.attention.head_count", 1, kMostHeads);
  config.kvHeads = read.sizeOr("llama.attention.head_count_kv", config.heads, 1, config.heads);
  if (config.heads % config.kvHeads != 0) {
    read.reject("llama.attention.head_count_kv", "does not divide head_count");
  }
  config.headDim =
      read.sizeOr("llama.attention.key_length", config.width / config.heads, 2, kMostHeadDim);
  if (config.headDim % 2 != 0) read.reject("llama.attention.key_length", "must be even");
  if (std::int64_t{config.heads} * config.headDim > kMostQueryWidth) {
    read.reject("llama.attention.key_length",
                "times head_count is more than " + std::to_string(kMostQueryWidth));
  }
  read.sizeOr("llama.attention.value_length", config.headDim, config.headDim, config.headDim);
  config.normEpsilon =
      read.positiveOr("llama.attention.layer_norm_rms_epsilon", config.normEpsilon);
  config.contextLength = read.size("llama.context_length", 1, kMostContext);
  readRope(file, read, config);
  read.neutral("llama.expert_count", 0);
  if (!read.ok()) return tl::unexpected(read.error());

  const gguf::TensorInfo* embedding = file.findTensor("token_embd.weight");
  if (embedding == nullptr || embedding->ne.size() != 2 ||
      embedding->ne[1] > static_cast<std::uint64_t>(kMostVocab)) {
    return base::fail(file.name() + ": lacks a matrix token_embd.weight of at most " +
                          std::to_string(kMostVocab) + " rows.",
                      kConvert);
  }
  config.vocabSize = static_cast<int>(embedding->ne[1]);
  config.tiedEmbeddings = file.findTensor("output.weight") == nullptr;
  return config;
}

}  // namespace waferpair::transformer
