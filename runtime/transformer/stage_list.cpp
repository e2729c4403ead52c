// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/stage_list.h"

namespace waferpair::transformer {
namespace {

// An operation, and whether this model has it.
struct Part {
  const char* name;
  bool present = true;
};

class Lister {
 public:
  void add(StageKind kind, int layer, const char* name, std::initializer_list<Part> parts) {
    const std::string prefix = layer < 0 ? "" : "blk." + std::to_string(layer) + ".";
    StageInfo stage;
    stage.kind = kind;
    stage.layer = layer;
    stage.name = prefix + name;
    for (const Part& part : parts) {
      if (part.present) stage.ops.push_back(prefix + part.name);
    }
    stage.tail = kind == StageKind::kHead;
    stages.push_back(std::move(stage));
  }

  std::vector<StageInfo> stages;
};

void addLatentAttention(Lister& list, const Config& c, int layer) {
  const bool low = c.latent.queryRank > 0;
  list.add(StageKind::kQkv, layer, "qkv",
           {{"attn_norm"}, {low ? "attn_q_a" : "attn_q"}, {"attn_kv_a_mqa"}});
  list.add(StageKind::kLatents, layer, "latents",
           {{"attn_q_a_norm", low}, {"attn_q_b", low}, {"attn_kv_a_norm"}});
  list.add(StageKind::kAbsorb, layer, "absorb", {{"attn_k_b"}});
  list.add(StageKind::kAttention, layer, "attention",
           {{"attn_score"}, {"attn_softmax"}, {"attn_mix"}});
  list.add(StageKind::kValues, layer, "values", {{"attn_v_b"}});
  list.add(StageKind::kOutput, layer, "output", {{"attn_output"}});
}

void addRecurrence(Lister& list, const Config& c, int layer) {
  const bool delta = c.recurrent.rule == RecurrentLayers::Rule::kDelta;
  const bool joined = c.recurrent.joined, apart = delta && !joined;
  list.add(StageKind::kMix, layer, "mix",
           {{"attn_norm"},
            {"ssm_in", !delta},
            {"attn_qkv", delta},
            {"attn_gate", delta},
            {"ssm_ba", joined},
            {"ssm_beta", apart},
            {"ssm_alpha", apart}});
  list.add(StageKind::kRecur, layer, "recur",
           {{"ssm_conv1d"},
            {"ssm_conv1d.bias", !delta},
            {"ssm_delta", delta},
            {"ssm_scan", !delta},
            {"ssm_norm", delta}});
  list.add(StageKind::kOutput, layer, "output", {{"ssm_norm", !delta}, {"ssm_out"}});
}

// Whether the FFN has a norm of its own in front.
bool hasFfnNorm(const Config& c) { return c.preNorms && !c.parallel; }

void addAttention(Lister& list, const Config& c, int layer) {
  list.add(StageKind::kQkv, layer, "qkv",
           {{"attn_norm", c.hasAttentionNorm(layer)},
            {"attn_q"},
            {"attn_k"},
            {"attn_v"},
            {"attn_q.bias", c.qkvBias},
            {"attn_k.bias", c.qkvBias},
            {"attn_v.bias", c.qkvBias}});
  if (c.headNorms) {
    list.add(StageKind::kHeadNorms, layer, "head_norms", {{"attn_q_norm"}, {"attn_k_norm"}});
  }
  list.add(StageKind::kAttention, layer, "attention",
           {{"attn_score"}, {"attn_softmax"}, {"attn_sinks", c.sinks}, {"attn_mix"}});
  list.add(StageKind::kOutput, layer, "output",
           {{"attn_output"}, {"attn_output.bias", c.outputBias}});
}

}  // namespace

std::vector<StageInfo> listStages(const Config& c) {
  Lister list;
  list.add(StageKind::kEmbed, -1, "embed", {{"token_embd"}});
  for (int layer = 0; layer < c.layers; ++layer) {
    if (c.isRecurrent(layer)) {
      addRecurrence(list, c, layer);
    } else if (c.latent.rank > 0) {
      addLatentAttention(list, c, layer);
    } else {
      addAttention(list, c, layer);
    }
    if (c.postNorms) {
      list.add(StageKind::kPostAttention, layer, "post_attention",
               {{c.normsSums ? "attn_output_norm" : "post_attention_norm"}});
    }
    if (c.hasExperts(layer)) {
      const bool shared = c.sharedFeedForward > 0;
      list.add(StageKind::kRoute, layer, "ffn_route",
               {{"ffn_norm", hasFfnNorm(c)},
                {"ffn_gate_inp"},
                {"ffn_gate_inp.bias", c.expertBias},
                {"ffn_gate_inp_shexp", c.sharedGate},
                {"exp_probs_b.bias", c.selectionBias}});
      list.add(StageKind::kExpertsUp, layer, "ffn_up",
               {{"ffn_choice"},
                {"ffn_gate_exps"},
                {"ffn_up_exps"},
                {"ffn_gate_exps.bias", c.expertBias},
                {"ffn_up_exps.bias", c.expertBias},
                {"ffn_gate_shexp", shared},
                {"ffn_up_shexp", shared}});
      list.add(
          StageKind::kExpertsDown, layer, "ffn_down",
          {{"ffn_down_exps"}, {"ffn_down_exps.bias", c.expertBias}, {"ffn_down_shexp", shared}});
      continue;
    }
    list.add(StageKind::kFfnUp, layer, "ffn_up",
             {{"ffn_norm", hasFfnNorm(c)},
              {"ffn_gate", c.gated},
              {"ffn_up"},
              {"ffn_gate.bias", c.ffnBias && c.gated},
              {"ffn_up.bias", c.ffnBias}});
    list.add(StageKind::kFfnDown, layer, "ffn_down", {{"ffn_down"}, {"ffn_down.bias", c.ffnBias}});
    if (c.postNorms) {
      list.add(StageKind::kPostFfn, layer, "post_ffn",
               {{c.normsSums ? "layer_output_norm" : "post_ffw_norm"}});
    }
  }
  if (!c.encoder || c.hasFinalNorm()) {
    list.add(StageKind::kHead, -1, "head", {{"output_norm"}, {"output", !c.encoder}});
  }
  return std::move(list.stages);
}

}  // namespace waferpair::transformer
