// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/model_weights.h"

#include <numeric>

namespace waferpair::transformer {
namespace {

using tensor::PackedMatrix;

// Row r of a head is row order[r] of it in the file. As LayerWeights says: of a file that rotates
// (i, i + half) together the two become neighbors.
std::vector<int> headOrder(const Config& c) {
  std::vector<int> order(static_cast<std::size_t>(c.headDim));
  std::iota(order.begin(), order.end(), 0);
  if (c.pairs == RopePairs::kHalves) {
    for (int i = 0; i < c.ropeDim; ++i) {
      order[static_cast<std::size_t>(i)] = i / 2 + (i % 2) * (c.ropeDim / 2);
    }
  }
  return order;
}

std::vector<float> reordered(const std::vector<float>& values, std::span<const int> order) {
  std::vector<float> out(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t within = i % order.size();
    out[i] = values[i - within + static_cast<std::size_t>(order[within])];
  }
  return out;
}

std::vector<int> rowsFrom(int first, int count) {
  std::vector<int> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

void loadLatent(TensorLoader& load, const Config& c, const std::string& blk, LayerWeights& w) {
  const LatentAttention& l = c.latent;
  if (l.queryRank > 0) {
    w.queryDown = load.matrix(blk + "attn_q_a.weight", l.queryRank, c.width);
    w.queryDownNorm = load.vector(blk + "attn_q_a_norm.weight", l.queryRank);
    w.query = load.matrix(blk + "attn_q_b.weight", c.plainQueryWidth(), l.queryRank);
  } else {
    w.query = load.matrix(blk + "attn_q.weight", c.plainQueryWidth(), c.width);
  }
  // In the file the latent comes first.
  std::vector<int> order(static_cast<std::size_t>(c.headDim));
  for (int i = 0; i < c.headDim; ++i) {
    order[static_cast<std::size_t>(i)] = i < c.ropeDim ? l.rank + i : i - c.ropeDim;
  }
  w.key = load.headMatrix(blk + "attn_kv_a_mqa.weight", c.headDim, c.width, order);
  w.latentNorm = load.vector(blk + "attn_kv_a_norm.weight", l.rank);
  const std::string keys = blk + "attn_k_b.weight", values = blk + "attn_v_b.weight";
  if (l.split) {
    w.keysToLatent = load.experts(keys, c.heads, l.rank, l.plainDim);
    w.latentToValues = load.experts(values, c.heads, l.valueDim, l.rank);
  } else {
    load.absorb(blk + "attn_kv_b.weight", c, w);
    load.ignore(keys);
    load.ignore(values);
  }
  w.output = load.matrix(blk + "attn_output.weight", c.width, c.attendedWidth());
}

void loadExperts(TensorLoader& load, const Config& c, const std::string& blk, LayerWeights& w) {
  w.router = load.matrix(blk + "ffn_gate_inp.weight", c.experts, c.width);
  w.gates = load.experts(blk + "ffn_gate_exps.weight", c.experts, c.feedForward, c.width);
  w.ups = load.experts(blk + "ffn_up_exps.weight", c.experts, c.feedForward, c.width);
  w.downs = load.experts(blk + "ffn_down_exps.weight", c.experts, c.width, c.feedForward);
  if (c.expertBias) {
    w.routerBias = load.vector(blk + "ffn_gate_inp.bias", c.experts);
    w.gateBiases = load.vectors(blk + "ffn_gate_exps.bias", c.experts, c.feedForward);
    w.upBiases = load.vectors(blk + "ffn_up_exps.bias", c.experts, c.feedForward);
    w.downBiases = load.vectors(blk + "ffn_down_exps.bias", c.experts, c.width);
  }
  if (c.selectionBias) w.selectionBias = load.row(blk + "exp_probs_b.bias", c.experts);
  if (c.sharedFeedForward > 0) {
    w.gate = load.matrix(blk + "ffn_gate_shexp.weight", c.sharedFeedForward, c.width);
    w.up = load.matrix(blk + "ffn_up_shexp.weight", c.sharedFeedForward, c.width);
    w.down = load.matrix(blk + "ffn_down_shexp.weight", c.width, c.sharedFeedForward);
    if (c.sharedGate) w.sharedGate = load.row(blk + "ffn_gate_inp_shexp.weight", c.width);
  }
}

// A row of each position, where the file has one of each channel.
std::vector<float> turnedKernel(const std::vector<float>& file, const RecurrentLayers& r) {
  std::vector<float> turned(file.size());
  const auto kernel = static_cast<std::size_t>(r.kernel);
  const auto channels = static_cast<std::size_t>(r.channels());
  for (std::size_t i = 0; i < file.size(); ++i) {
    turned[i % kernel * channels + i / kernel] = file[i];
  }
  return turned;
}

// Of each group the betas of its heads, then their alphas.
void loadJoined(TensorLoader& load, const Config& c, const std::string& name, LayerWeights& w) {
  const RecurrentLayers& r = c.recurrent;
  std::vector<int> betas, alphas;
  const int each = r.heads / r.groups;
  for (int i = 0; i < r.heads; ++i) {
    betas.push_back(i / each * 2 * each + i % each);
    alphas.push_back(betas.back() + each);
  }
  w.beta = load.someRows(name, 2 * r.heads, c.width, betas);
  w.alpha = load.someRows(name, 2 * r.heads, c.width, alphas);
}

void loadDelta(TensorLoader& load, const Config& c, const std::string& blk, LayerWeights& w) {
  const RecurrentLayers& r = c.recurrent;
  w.mixed = load.matrix(blk + "attn_qkv.weight", r.channels(), c.width);
  w.headGate = load.matrix(blk + "attn_gate.weight", r.valueWidth(), c.width);
  if (r.joined) {
    loadJoined(load, c, blk + "ssm_ba.weight", w);
  } else {
    w.beta = load.matrix(blk + "ssm_beta.weight", r.heads, c.width);
    w.alpha = load.matrix(blk + "ssm_alpha.weight", r.heads, c.width);
  }
  w.decayRate = load.vector(blk + "ssm_a", r.heads);
  w.headNorm = load.vector(blk + "ssm_norm.weight", r.headDim);
}

// One matrix has gates, then what the convolution takes, then steps.
void loadMamba(TensorLoader& load, const Config& c, const std::string& blk, LayerWeights& w) {
  const RecurrentLayers& r = c.recurrent;
  const std::string in = blk + "ssm_in.weight";
  const int all = r.valueWidth() + r.channels() + r.heads;
  const auto rows = [&](int first, int count) {
    return load.someRows(in, all, c.width, rowsFrom(first, count));
  };
  w.headGate = rows(0, r.valueWidth());
  w.mixed = rows(r.valueWidth(), r.channels());
  w.alpha = rows(r.valueWidth() + r.channels(), r.heads);
  w.convolutionBias = load.vector(blk + "ssm_conv1d.bias", r.channels());
  w.decayRate = load.vectors(blk + "ssm_a", r.heads, 1);
  w.passing = load.vectors(blk + "ssm_d", r.heads, 1);
  const std::string norm = blk + "ssm_norm.weight";
  w.headNorm = r.groups == 1 ? load.row(norm, r.valueWidth())
                             : load.vectors(norm, r.groups, r.valueWidth() / r.groups);
}

void loadRecurrent(TensorLoader& load, const Config& c, const std::string& blk, LayerWeights& w) {
  const RecurrentLayers& r = c.recurrent;
  if (r.rule == RecurrentLayers::Rule::kDelta) {
    loadDelta(load, c, blk, w);
  } else {
    loadMamba(load, c, blk, w);
  }
  w.convolution = turnedKernel(load.vectors(blk + "ssm_conv1d.weight", r.channels(), r.kernel), r);
  w.stepBias = load.vector(blk + "ssm_dt.bias", r.heads);
  w.output = load.matrix(blk + "ssm_out.weight", c.width, r.valueWidth());
}

// Queries of each head, and behind them its gates.
void loadGatedQueries(TensorLoader& load, const Config& c, const std::string& name,
                      std::span<const int> order, LayerWeights& w) {
  std::vector<int> queries, gates;
  for (int head = 0; head < c.heads; ++head) {
    for (int i = 0; i < c.headDim; ++i) {
      queries.push_back(2 * head * c.headDim + order[static_cast<std::size_t>(i)]);
      gates.push_back((2 * head + 1) * c.headDim + i);
    }
  }
  w.query = load.someRows(name, 2 * c.queryWidth(), c.width, queries);
  w.queryGate = load.someRows(name, 2 * c.queryWidth(), c.width, gates);
}

// One matrix and one vector have the rows of all queries, then of keys, then of values.
void loadJoinedQkv(TensorLoader& load, const Config& c, const std::string& name,
                   std::span<const int> order, LayerWeights& w) {
  const int queries = c.queryWidth(), keys = c.kvWidth(), all = queries + 2 * keys;
  const auto heads = [&](int first, int count) {
    std::vector<int> from(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      const int within = i % c.headDim;
      from[static_cast<std::size_t>(i)] =
          first + i - within + order[static_cast<std::size_t>(within)];
    }
    return from;
  };
  w.query = load.someRows(name + ".weight", all, c.width, heads(0, queries));
  w.key = load.someRows(name + ".weight", all, c.width, heads(queries, keys));
  w.value = load.someRows(name + ".weight", all, c.width, rowsFrom(queries + keys, keys));
  if (!c.qkvBias) return;
  const std::vector<float> bias = load.vector(name + ".bias", all);
  if (bias.empty()) return;  // nothing is loaded, or an error was noted
  const auto part = [&](int first, int count) {
    return std::vector<float>(bias.begin() + first, bias.begin() + first + count);
  };
  w.queryBias = reordered(part(0, queries), order);
  w.keyBias = reordered(part(queries, keys), order);
  w.valueBias = part(queries + keys, keys);
}

void loadQkv(TensorLoader& load, const Config& c, const std::string& blk,
             std::span<const int> order, LayerWeights& w) {
  if (c.joinedQkv) return loadJoinedQkv(load, c, blk + "attn_qkv", order, w);
  if (c.outputGate) {
    loadGatedQueries(load, c, blk + "attn_q.weight", order, w);
  } else {
    w.query = load.headMatrix(blk + "attn_q.weight", c.queryWidth(), c.width, order);
  }
  w.key = load.headMatrix(blk + "attn_k.weight", c.kvWidth(), c.width, order);
  w.value = load.matrix(blk + "attn_v.weight", c.kvWidth(), c.width);
  if (!c.qkvBias) return;
  w.queryBias = reordered(load.vector(blk + "attn_q.bias", c.queryWidth()), order);
  w.keyBias = reordered(load.vector(blk + "attn_k.bias", c.kvWidth()), order);
  w.valueBias = load.vector(blk + "attn_v.bias", c.kvWidth());
}

void loadAttention(TensorLoader& load, const Config& c, const std::string& blk, LayerWeights& w) {
  const std::vector<int> order = headOrder(c);
  loadQkv(load, c, blk, order, w);
  w.output = load.matrix(blk + "attn_output.weight", c.width, c.queryWidth());
  if (c.outputBias) w.outputBias = load.vector(blk + "attn_output.bias", c.width);
  if (c.headNorms) {
    const int queries = c.jointNorms ? c.queryWidth() : c.headDim;
    const int keys = c.jointNorms ? c.kvWidth() : c.headDim;
    w.queryNorm = reordered(load.vector(blk + "attn_q_norm.weight", queries), order);
    w.keyNorm = reordered(load.vector(blk + "attn_k_norm.weight", keys), order);
  }
  if (c.sinks) w.sinks = load.vector(blk + "attn_sinks.weight", c.heads);
}

LayerWeights loadLayer(TensorLoader& load, const Config& c, int layer) {
  const std::string blk = "blk." + std::to_string(layer) + ".";
  const bool normBias = c.norm == NormKind::kLayer && c.normBias;
  LayerWeights w;
  if (c.hasAttentionNorm(layer)) {
    w.attnNorm = load.vector(blk + "attn_norm.weight", c.width);
    if (normBias) w.attnNormBias = load.vector(blk + "attn_norm.bias", c.width);
  }
  if (c.isRecurrent(layer)) {
    loadRecurrent(load, c, blk, w);
  } else if (c.latent.rank > 0) {
    loadLatent(load, c, blk, w);
  } else {
    loadAttention(load, c, blk, w);
  }
  if (c.postNorms) {
    const std::string attention = blk + (c.normsSums ? "attn_output_norm" : "post_attention_norm");
    const std::string ffn = blk + (c.normsSums ? "layer_output_norm" : "post_ffw_norm");
    w.postAttentionNorm = load.vector(attention + ".weight", c.width);
    w.postFfnNorm = load.vector(ffn + ".weight", c.width);
    if (normBias) w.postAttentionNormBias = load.vector(attention + ".bias", c.width);
    if (normBias) w.postFfnNormBias = load.vector(ffn + ".bias", c.width);
  }
  if (c.preNorms && !c.parallel) {
    const std::string ffnNorm = blk + std::string(c.ffnNorm);
    w.ffnNorm = load.vector(ffnNorm + ".weight", c.width);
    if (normBias) w.ffnNormBias = load.vector(ffnNorm + ".bias", c.width);
  }
  if (c.hasExperts(layer)) {
    loadExperts(load, c, blk, w);
    return w;
  }
  const int f = c.denseWidth(layer);
  if (c.joinedGate) {
    w.gate = load.someRows(blk + "ffn_up.weight", 2 * f, c.width, rowsFrom(0, f));
    w.up = load.someRows(blk + "ffn_up.weight", 2 * f, c.width, rowsFrom(f, f));
  } else {
    if (c.gated) w.gate = load.matrix(blk + "ffn_gate.weight", f, c.width);
    w.up = load.matrix(blk + "ffn_up.weight", f, c.width);
  }
  w.down = load.matrix(blk + "ffn_down.weight", c.width, f);
  if (c.ffnBias) {
    if (c.gated) w.gateBias = load.vector(blk + "ffn_gate.bias", f);
    w.upBias = load.vector(blk + "ffn_up.bias", f);
    w.downBias = load.vector(blk + "ffn_down.bias", c.width);
  }
  return w;
}

EmbeddingParts loadEmbeddingParts(TensorLoader& load, const Config& c) {
  EmbeddingParts parts;
  if (c.positionRows)
    parts.positions = load.vectors("position_embd.weight", c.contextLength, c.width);
  if (c.typeRows > 0) parts.types = load.vectors("token_types.weight", c.typeRows, c.width);
  if (!c.embeddingNorm) return parts;
  parts.norm = load.vector("token_embd_norm.weight", c.width);
  if (c.normBias) parts.normBias = load.vector("token_embd_norm.bias", c.width);
  return parts;
}

RankingHead loadRanking(TensorLoader& load, const Config& c) {
  RankingHead head;
  head.pooling = c.rankPooling;
  head.gelu = c.firstPlain;
  if (c.classes == 0) return head;
  const auto optional = [&](const char* name, int size) {
    return load.has(name) ? load.vector(name, size) : std::vector<float>();
  };
  head.classes = load.vectors("cls.output.weight", c.classes, c.width);
  head.classBias = optional("cls.output.bias", c.classes);
  if (!load.has("cls.weight")) return head;
  head.dense = load.vectors("cls.weight", c.width, c.width);
  head.denseBias = optional("cls.bias", c.width);
  head.norm = optional("cls.norm.weight", c.width);
  return head;
}

}  // namespace

ModelWeights loadWeights(TensorLoader& load, const Config& c, const LoadProgress& progress) {
  ModelWeights w;
  const std::string embedding(kEmbedding);
  w.embedding = load.find(
      embedding, {static_cast<std::uint64_t>(c.width), static_cast<std::uint64_t>(c.vocabSize)});
  if (w.embedding != nullptr) {
    load.refuseDamaged(*w.embedding);
    w.embeddingSums = load.embeddingSums(*w.embedding);
  }
  load.announceLayer(0);
  for (int i = 0; i < c.layers && !load.error(); ++i) {
    load.announceLayer(i + 1);
    if (progress && !progress(static_cast<double>(i) / c.layers)) load.giveUp();
    w.layers.push_back(loadLayer(load, c, i));
  }
  w.embeddingParts = loadEmbeddingParts(load, c);
  if (c.hasFinalNorm()) w.outputNorm = load.vector("output_norm.weight", c.width);
  if (c.hasFinalNorm() && c.norm == NormKind::kLayer && c.normBias)
    w.outputNormBias = load.vector("output_norm.bias", c.width);
  if (!c.ropeFactors.empty()) {
    const std::string factors(c.ropeFactors);
    w.ropeFactors = load.vector(factors, c.ropeDim / 2);
    load.checkFactors(factors, w.ropeFactors);
    for (const char* other : {"rope_factors_long.weight", "rope_factors_short.weight"}) {
      if (factors.starts_with("rope_factors_")) load.ignore(other);
    }
  }
  w.ranking = loadRanking(load, c);
  if (!c.encoder)
    w.output = load.matrix(c.tiedEmbeddings ? embedding : "output.weight", c.vocabSize, c.width);
  load.refuseOthers(c);
  return w;
}

}  // namespace waferpair::transformer
