// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/strict/layout.h"

#include <algorithm>
#include <string>

namespace waferpair::strict {

Layout Layout::of(const wafer::Plan& plan) {
  return {.block = plan.placement.block,
          .head = plan.placement.regions.back().rect.grid(),
          .profile = plan.profile};
}

int Layout::group(int pes) const {
  return static_cast<int>(wafer::ceilDiv(pes, profile.groups(pes)));
}

std::vector<std::vector<Dims>> keyDims(const transformer::Config& config, int pes) {
  const int each = static_cast<int>(wafer::ceilDiv(config.kvWidth(), pes));
  std::vector<std::vector<Dims>> of(static_cast<std::size_t>(pes));
  for (int pe = 0; pe < pes; ++pe) {
    const int last = std::min((pe + 1) * each, config.kvWidth());
    for (int dim = pe * each; dim < last;) {
      const int head = dim / config.headDim, first = head * config.headDim;
      const int end = std::min(last, first + config.headDim);
      of[static_cast<std::size_t>(pe)].push_back({head, dim - first, end - first});
      dim = end;
    }
  }
  return of;
}

MixedOrder mixedOrder(const transformer::Config& config, int pes) {
  MixedOrder order;
  order.each = static_cast<int>(wafer::ceilDiv(config.kvWidth(), pes)) * config.groupSize();
  for (const std::vector<Dims>& held : keyDims(config, pes)) {
    for (const Dims& dims : held) {
      for (int query = 0; query < config.groupSize(); ++query) {
        const int first = (dims.head * config.groupSize() + query) * config.headDim;
        for (int dim = dims.begin; dim < dims.end; ++dim) order.rows.push_back(first + dim);
      }
    }
  }
  return order;
}

base::Result<void> check(const transformer::Config& c) {
  const struct {
    bool is;
    const char* what;
  } beyond[] = {
      {c.norm != transformer::NormKind::kRms, "layer norm"},
      {c.activation != transformer::Activation::kSilu, "an activation other than SiLU"},
      {!c.gated, "a feed-forward without a gate"},
      {c.experts > 0, "experts"},
      {c.latent.rank > 0, "latent attention"},
      {c.recurrent.kernel > 0, "recurrent layers"},
      {c.outputBias || c.ffnBias, "biases of output or feed-forward"},
      {c.sinks, "attention sinks"},
      {c.headNorms, "norms of heads"},
      {c.postNorms, "norms behind attention and feed-forward"},
      {c.encoder, "attention to what comes behind"},
      {c.parallel, "a feed-forward beside attention"},
      {c.window > 0, "windowed attention"},
      {c.temperature != 0, "queries scaled by their position"},
      {c.noRopeEvery > 0, "layers without rotary positions"},
      {c.attentionCap != 0 || c.logitCap != 0, "soft caps"},
      {c.embeddingScale != 1 || c.residualScale != 1 || c.logitScale != 1,
       "scales of embedding, residual or logits"},
  };
  for (const auto& [is, what] : beyond) {
    if (is) {
      return base::fail(std::string("Strict mode does not compute ") + what + ", which " +
                            c.architecture + " has.",
                        "Run it in fast mode, or take a model of the plain llama or qwen2 kind.");
    }
  }
  return {};
}

}  // namespace waferpair::strict
