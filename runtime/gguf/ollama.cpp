// SPDX-License-Identifier: GPL-3.0-or-later
// What Ollama's converter calls otherwise, or leaves out, of gpt-oss, Gemma 3 and Ministral 3.
// Facts from Ollama's public sources (llama/compat, convert).
#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/gguf/file.h"
#include "runtime/gguf/layout.h"

namespace waferpair::gguf {
namespace {

using Names = std::pair<std::string_view, std::string_view>;  // Ollama's, and the usual one

constexpr std::string_view kGptOss = "gptoss.", kUsualGptOss = "gpt-oss.";
constexpr Names kGptOssTensors[] = {{".attn_out.", ".attn_output."},
                                    {".ffn_norm.", ".post_attention_norm."}};
constexpr Names kGemma3Keys[] = {
    {"gemma3.rope.global.freq_base", "gemma3.rope.freq_base"},
    {"gemma3.rope.local.freq_base", "gemma3.rope.freq_base_swa"},
};
constexpr Names kMistral3Keys[] = {
    {"mistral3.rope.scaling.beta_fast", "mistral3.rope.scaling.yarn_beta_fast"},
    {"mistral3.rope.scaling.beta_slow", "mistral3.rope.scaling.yarn_beta_slow"},
    {"mistral3.rope.scaling.mscale_all_dim", "mistral3.rope.scaling.yarn_log_multiplier"},
    {"mistral3.rope.scaling_beta", "mistral3.attention.temperature_scale"},
};
// Gemma 3 models with so many positions were stretched eightfold.
constexpr std::int64_t kStretchedGemma3 = 131072;

}  // namespace

void File::renameKey(std::string_view written, std::string usual) {
  const auto it = keyIndex_.find(written);
  if (it == keyIndex_.end() || has(usual)) return;
  const std::size_t index = it->second;
  keyIndex_.erase(it);
  names_.push_back(std::make_unique<std::string>(std::move(usual)));
  metadata_[index].key = *names_.back();
  keyIndex_.emplace(*names_.back(), index);
}

void File::renameTensor(std::size_t index, std::string usual) {
  if (tensorIndex_.contains(usual)) return;
  tensorIndex_.erase(tensors_[index].name);
  names_.push_back(std::make_unique<std::string>(std::move(usual)));
  tensors_[index].name = *names_.back();
  tensorIndex_.emplace(*names_.back(), index);
}

void File::setValue(std::string key, ValueType type, std::span<const std::byte> value) {
  const Value place{.type = type, .elementType = type, .offset = bytes_.size() + added_.size()};
  added_.insert(added_.end(), value.begin(), value.end());
  if (const auto it = keyIndex_.find(key); it != keyIndex_.end()) {
    metadata_[it->second].value = place;
    return;
  }
  names_.push_back(std::make_unique<std::string>(std::move(key)));
  keyIndex_.emplace(*names_.back(), metadata_.size());
  metadata_.push_back({*names_.back(), place});
}

void File::setText(std::string key, std::string_view text) {
  std::vector<std::byte> value;
  putString(value, text);
  setValue(std::move(key), ValueType::kString, value);
}

// Tokens behind the last row of the embedding: of pictures.
void File::cutTokens() {
  const TensorInfo* embedding = findTensor("token_embd.weight");
  if (embedding == nullptr || embedding->ne.size() != 2) return;
  for (const char* key :
       {"tokenizer.ggml.tokens", "tokenizer.ggml.scores", "tokenizer.ggml.token_type"}) {
    const auto it = keyIndex_.find(key);
    if (it == keyIndex_.end()) continue;
    Value& list = metadata_[it->second].value;
    if (list.type == ValueType::kArray) list.count = std::min(list.count, embedding->ne[1]);
  }
}

void File::translate() {
  const std::string architecture(stringOr("general.architecture", "").value_or(""));
  if (architecture == "gptoss") {
    setText("general.architecture", "gpt-oss");
    for (std::size_t i = 0; i < metadata_.size(); ++i) {
      const std::string_view key = metadata_[i].key;
      if (!key.starts_with(kGptOss)) continue;
      renameKey(key, std::string(kUsualGptOss) + std::string(key.substr(kGptOss.size())));
    }
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      std::string name(tensors_[i].name);
      if (name.ends_with(".attn_sinks")) renameTensor(i, name + ".weight");
      for (const auto& [own, usual] : kGptOssTensors) {
        const auto at = name.find(own);
        if (at != std::string::npos) renameTensor(i, name.replace(at, own.size(), usual));
      }
    }
    const TensorInfo* gates = findTensor("blk.0.ffn_gate_exps.weight");
    if (gates != nullptr && gates->ne.size() == 3) {
      addNumber("gpt-oss.expert_feed_forward_length", ValueType::kUint64, gates->ne[1]);
    }
    if (!has("gpt-oss.rope.scaling.type")) setText("gpt-oss.rope.scaling.type", "yarn");
    setText("tokenizer.ggml.pre", "gpt-4o");  // what is there is not what it means
  } else if (architecture == "gemma3") {
    const bool isOllamas =
        has("gemma3.mm.tokens_per_image") || has("gemma3.rope.global.freq_base") ||
        has("gemma3.rope.local.freq_base") || !has("gemma3.attention.layer_norm_rms_epsilon");
    if (!isOllamas) return;
    for (const auto& [own, usual] : kGemma3Keys) renameKey(own, std::string(usual));
    addNumber("gemma3.attention.layer_norm_rms_epsilon", ValueType::kFloat32, 1e-6f);
    addNumber("gemma3.rope.freq_base", ValueType::kFloat32, 1e6f);
    if (integerOr("gemma3.context_length", 0).value_or(0) >= kStretchedGemma3 &&
        !has("gemma3.rope.scaling.type")) {
      setText("gemma3.rope.scaling.type", "linear");
      addNumber("gemma3.rope.scaling.factor", ValueType::kFloat32, 8.0f);
    }
    cutTokens();
  } else if (architecture == "mistral3") {
    for (const auto& [own, usual] : kMistral3Keys) renameKey(own, std::string(usual));
    const auto pre = stringOr("tokenizer.ggml.pre", "default");
    if (pre && *pre == "default" && stringOr("tokenizer.ggml.model", "").value_or("") == "gpt2") {
      setText("tokenizer.ggml.pre", "tekken");
    }
  }
}

}  // namespace waferpair::gguf
