// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/config_positions.h"

#include <optional>
#include <string>
#include <vector>

#include "runtime/gguf/file.h"

namespace waferpair::transformer {
namespace {

constexpr const char* kRopeFactors = "rope_freqs.weight";
constexpr const char* kLongFactors = "rope_factors_long.weight";
constexpr const char* kShortFactors = "rope_factors_short.weight";

// For each layer whether it is of a kind, of which each n-th is not: n, 0 where all are; none where
// the layers follow no such rule.
std::optional<int> ruleOf(const std::vector<bool>& flags, int layers) {
  for (int every = 0; every <= layers; ++every) {
    bool isSame = flags.size() >= static_cast<std::size_t>(layers);
    for (int layer = 0; isSame && layer < layers; ++layer) {
      isSame = flags[static_cast<std::size_t>(layer)] == (every == 0 || (layer + 1) % every != 0);
    }
    if (isSame) return every;
  }
  return std::nullopt;
}

// Factors for contexts up to the one that a model was first trained for, and for longer ones: keys
// of both kinds cannot stand side by side in a cache, so the model's context decides.
void readLongFactors(MetadataReader& read, const gguf::File& file, Config& c) {
  if (file.findTensor(kLongFactors) == nullptr && file.findTensor(kShortFactors) == nullptr) {
    read.ignore("rope.scaling.original_context_length");
    read.neutral("rope.scaling.attn_factor", 1);
    return;
  }
  RopeScaling& scaling = c.ropeScaling;
  scaling.originalContext = read.positive("rope.scaling.original_context_length");
  scaling.attentionFactor = read.positiveOr("rope.scaling.attn_factor", 1);
  const bool isLong = static_cast<float>(c.contextLength) > scaling.originalContext;
  c.ropeFactors = isLong ? kLongFactors : kShortFactors;
}

}  // namespace

void readRope(MetadataReader& read, const gguf::File& file, const Architecture& a, Config& c) {
  if (!a.latent) {
    c.ropeDim = read.sizeOr("rope.dimension_count", c.headDim, 2, c.headDim);
    if (c.ropeDim % 2 != 0) read.reject("rope.dimension_count", "must be even");
  }
  c.ropeBase = read.positiveOr("rope.freq_base", static_cast<double>(c.ropeBase));

  // Without a type a factor is a linear one, as the oldest files have it in scale_linear.
  if (file.findTensor(kRopeFactors) != nullptr) c.ropeFactors = kRopeFactors;
  RopeScaling& scaling = c.ropeScaling;
  const std::string type = read.textOr("rope.scaling.type", "linear");
  const float oldFactor = read.positiveOr("rope.scale_linear", 1);
  if (a.longFactors && (type == "longrope" || !read.has("rope.scaling.type"))) {
    readLongFactors(read, file, c);
  } else if (type == "none" || type.empty()) {
    for (const char* key : {"rope.scaling.factor", "rope.scaling.original_context_length",
                            "rope.scaling.yarn_log_multiplier"}) {
      read.ignore(key);
    }
  } else if (type == "linear") {
    scaling.factor = read.positiveOr("rope.scaling.factor", static_cast<double>(oldFactor));
    if (scaling.factor != 1) scaling.kind = RopeScaling::Kind::kLinear;
    read.ignore("rope.scaling.original_context_length");
    read.neutral("rope.scaling.attn_factor", 1);
  } else if (type == "yarn") {
    scaling.kind = RopeScaling::Kind::kYarn;
    scaling.wholePairs = a.yarnWholePairs;
    if (c.ropeBase <= 1) read.reject("rope.freq_base", "must be over 1 for YaRN");
    scaling.factor = read.positive("rope.scaling.factor");
    scaling.originalContext = read.positive("rope.scaling.original_context_length");
    scaling.attentionFactor = read.positiveOr("rope.scaling.attn_factor", 1) *
                              read.positiveOr("rope.scaling.yarn_attn_factor", 1);
    scaling.betaFast = read.positiveOr("rope.scaling.yarn_beta_fast", 32);
    scaling.betaSlow = read.positiveOr("rope.scaling.yarn_beta_slow", 1);
    read.neutral("rope.scaling.yarn_ext_factor", 1);
    if (a.latent) {
      // Of the scores, as readScales() has it; what is rotated keeps its length.
      scaling.scoreMultiplier = read.positive("rope.scaling.yarn_log_multiplier");
      scaling.logMultiplier = 1;
      for (const char* key : {"rope.scaling.attn_factor", "rope.scaling.yarn_attn_factor"}) {
        read.neutral(key, 1);
      }
    } else if (a.yarnMultiplier) {
      scaling.logMultiplier = read.notNegativeOr("rope.scaling.yarn_log_multiplier", 0);
      read.neutral("rope.scaling.mscale", 1);
    } else {
      read.neutral("rope.scaling.yarn_log_multiplier", 0);
    }
  } else {
    read.reject("rope.scaling.type", "is \"" + type + "\", which is not supported");
  }
}

namespace {

// A number, or for each layer whether it has the window, as far as a number says the same.
void readPattern(MetadataReader& read, const Architecture& a, Config& c) {
  const char* key = "attention.sliding_window_pattern";
  const auto windowed = read.flagsOf(key);
  if (!windowed) {
    c.fullAttentionEvery = read.sizeOr(key, a.fullAttentionEvery, 0, kMostLayers);
    return;
  }
  if (const auto every = ruleOf(*windowed, c.layers)) {
    c.fullAttentionEvery = *every;
    return;
  }
  read.reject(key, "has windows at layers in a way that is not supported");
}

}  // namespace

void readWindow(MetadataReader& read, const Architecture& a, Config& c) {
  if (a.window == Presence::kNever) return;
  const char* key = "attention.sliding_window";
  c.window = a.window == Presence::kAlways ? read.size(key, 1, kMostContext)
                                           : read.sizeOr(key, a.defaultWindow, 0, kMostContext);
  readPattern(read, a, c);
  if (a.windowedRopeBase > 0 || (a.windowedPlain && c.window > 0)) {
    const float usual = a.windowedPlain ? c.ropeBase : a.windowedRopeBase;
    c.windowedRopeBase = read.positiveOr("rope.freq_base_swa", static_cast<double>(usual));
  } else {
    read.neutral("rope.freq_base_swa", static_cast<double>(c.ropeBase));
  }
}

}  // namespace waferpair::transformer
