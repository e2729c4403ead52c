// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/model/compile.h"

#include <algorithm>
#include <map>
#include <string>

namespace waferpair::inference {
namespace {

constexpr std::string_view kRemedy =
    "This is a defect of Waferpair: the planner and the forward pass disagree.";

// `first`: where the sequence's rows of logits begin.
void choose(const transformer::Forward& forward, HostSequence& sequence, int first) {
  for (int row = 0; row < sequence.shown; ++row)
    (*sequence.onLogits)(row, forward.logits(first + row));
  if (sequence.sampler == nullptr) return;
  first += sequence.shown;
  // Row 0 is the last that is sure.
  for (int& row = sequence.accepted = 0;; ++row) {
    sequence.token = sequence.sampler->next(forward.logits(first + row));
    if (row + 1 == sequence.logits - sequence.shown || sequence.token != sequence.draft[row])
      return;
  }
}

// The last op: choosing a token is part of the program like any other computation.
wafer::Stage sampleStage(int op, const transformer::Forward& forward) {
  return {.name = "sample",
          .firstOp = op,
          .opCount = 1,
          .run = [&forward](const wafer::StepContext& context, int thread, int threads) {
            int row = 0, turn = 0;
            const HostStep& host = *static_cast<HostStep*>(context.user);
            for (std::size_t i = 0; i < host.sequences.size(); ++i) {
              HostSequence& sequence = host.sequences[i];
              if (sequence.logits == 0) continue;
              if (turn++ % threads == thread) {
                choose(forward, sequence, row);
                host.contexts[i].accepted = sequence.accepted;
              }
              row += sequence.logits;
            }
          }};
}

// States are added up by whoever is shown them once the step has ended (CompiledModel::OnState).
wafer::Stage poolStage(int op) {
  return {
      .name = "pool", .firstOp = op, .opCount = 1, .run = [](const wafer::StepContext&, int, int) {
      }};
}

// Returns the widest format among the layers' tensors of each name; a tensor that cannot be
// computed with does not concern the planner.
wafer::WeightFormats formatsOf(const transformer::Config& config, const gguf::File& file,
                               const transformer::Adapters& adapters) {
  std::map<std::string_view, tensor::Format> widest;
  for (const gguf::TensorInfo& info : file.tensors()) {
    std::string_view name = info.name;
    if (name.starts_with("blk.")) name.remove_prefix(std::min(name.find('.', 4) + 1, name.size()));
    const auto format = adapters.formatOf(info);
    if (!format) continue;
    const auto [kept, first] = widest.try_emplace(name, *format);
    if (wafer::bitsOf256(*format) > wafer::bitsOf256(kept->second)) kept->second = *format;
  }
  const auto of = [&](std::string_view name, std::string_view otherwise) {
    auto found = widest.find(name);
    if (found == widest.end()) found = widest.find(otherwise);
    return found == widest.end() ? tensor::Format::kF16 : found->second;
  };
  const auto wider = [&](std::string_view first, std::string_view second) {
    const tensor::Format one = of(first, second), other = of(second, first);
    return wafer::bitsOf256(one) > wafer::bitsOf256(other) ? one : other;
  };
  const auto shared = [&](const std::string& name) {
    return wider(name + ".weight", name + "_shexp.weight");
  };
  wafer::WeightFormats as{.embedding = of("token_embd.weight", ""),
                          .head = of("output.weight", "token_embd.weight"),
                          .query = of("attn_q.weight", "attn_q_b.weight"),
                          .key = of("attn_k.weight", "attn_kv_a_mqa.weight"),
                          .value = of("attn_v.weight", "attn_v_b.weight"),
                          .output = of("attn_output.weight", ""),
                          .router = of("ffn_gate_inp.weight", ""),
                          .gate = of("ffn_gate_exps.weight", "ffn_gate.weight"),
                          .up = of("ffn_up_exps.weight", "ffn_up.weight"),
                          .down = of("ffn_down_exps.weight", "ffn_down.weight"),
                          .sharedGate = shared("ffn_gate"),
                          .sharedUp = shared("ffn_up"),
                          .sharedDown = shared("ffn_down"),
                          .queryDown = of("attn_q_a.weight", ""),
                          .keyToLatent = of("attn_k_b.weight", ""),
                          .recurrentIn = of("attn_qkv.weight", "ssm_in.weight"),
                          .recurrentGate = of("attn_gate.weight", ""),
                          .recurrentHeads = wider("ssm_beta.weight", "ssm_alpha.weight"),
                          .recurrentOut = of("ssm_out.weight", "")};
  // A tied head stays as it is, whatever is added to embeddings.
  if (const gguf::TensorInfo* tied = file.findTensor("token_embd.weight");
      tied && !widest.contains("output.weight"))
    as.head = tensor::findFormat(static_cast<std::uint32_t>(tied->type)).value_or(as.head);
  if (widest.contains("ssm_ba.weight")) as.recurrentHeads = of("ssm_ba.weight", "");
  if (config.joinedQkv) as.query = as.key = as.value = of("attn_qkv.weight", "");
  if (config.joinedGate) as.gate = as.up;
  // One matrix for both: that of the keys is transposed as it is loaded, which makes floats of it.
  if (widest.contains("attn_kv_b.weight")) {
    as.value = of("attn_kv_b.weight", "");
    as.keyToLatent = tensor::Format::kF16;
  }
  return as;
}

wafer::LatentParts latentOf(const transformer::Config& config) {
  const transformer::LatentAttention& latent = config.latent;
  if (latent.rank == 0) return {};
  return {.rank = latent.rank,
          .queryRank = latent.queryRank,
          .plainDim = latent.plainDim,
          .ropeDim = config.ropeDim,
          .valueDim = latent.valueDim};
}

wafer::RecurrentParts recurrentOf(const transformer::Config& config) {
  const transformer::RecurrentLayers& recurrent = config.recurrent;
  if (recurrent.kernel == 0) return {};
  wafer::RecurrentParts parts{.kernel = recurrent.kernel,
                              .groups = recurrent.groups,
                              .heads = recurrent.heads,
                              .stateDim = recurrent.stateDim,
                              .headDim = recurrent.headDim,
                              .delta = recurrent.rule == transformer::RecurrentLayers::Rule::kDelta,
                              .joined = recurrent.joined};
  for (int layer = 0; layer < config.layers; ++layer)
    if (!config.isRecurrent(layer)) parts.attention.push_back(layer);
  return parts;
}

}  // namespace

wafer::ModelShape shapeOf(const transformer::Config& config, const gguf::File& file,
                          const transformer::Adapters& adapters) {
  wafer::ModelShape shape;
  shape.name = config.name;
  shape.hiddenSize = config.width;
  shape.intermediateSize = config.feedForward;
  shape.layers = config.layers;
  shape.heads = config.heads;
  shape.kvHeads = config.kvHeads;
  shape.headDim = config.headDim;
  shape.vocabSize = config.vocabSize;
  shape.maxContext = config.contextLength;
  shape.tiedEmbeddings = config.tiedEmbeddings;
  shape.parts = {.gated = config.gated,
                 .layerNorm = config.norm == transformer::NormKind::kLayer,
                 .normBias = config.normBias,
                 .qkvBias = config.qkvBias,
                 .outputBias = config.outputBias,
                 .ffnBias = config.ffnBias,
                 .headNorms = config.headNorms,
                 .outputGate = config.outputGate,
                 .preNorms = config.preNorms,
                 .postNorms = config.postNorms,
                 .normsSums = config.normsSums,
                 .parallel = config.parallel,
                 .experts = config.experts,
                 .expertsUsed = config.expertsUsed,
                 .expertBias = config.expertBias,
                 .leadingDense = config.leadingDense,
                 .denseWidth = config.denseFeedForward,
                 .sharedWidth = config.sharedFeedForward,
                 .sharedGate = config.sharedGate,
                 .selectionBias = config.selectionBias,
                 .sigmoid = config.gating == transformer::Gating::kSigmoid,
                 .sumsAll = config.gating == transformer::Gating::kSoftmax && !config.sharesAddUp,
                 .expertGroups = config.expertGroups,
                 .expertGroupsUsed = config.expertGroupsUsed,
                 .latent = latentOf(config),
                 .recurrent = recurrentOf(config),
                 .sinks = config.sinks ? config.heads : 0,
                 .window = config.window,
                 .fullAttentionEvery = config.fullAttentionEvery,
                 .fullFirst = config.fullFirst,
                 .encoder = config.encoder,
                 .embeddingNorm = config.embeddingNorm,
                 .firstPlain = config.firstPlain,
                 .addedRows = (config.positionRows ? config.contextLength : 0) + config.typeRows};
  shape.formats = formatsOf(config, file, adapters);
  return shape;
}

base::Result<wafer::Program> compile(wafer::Plan plan, transformer::Forward& forward) {
  const std::vector<wafer::Op>& ops = plan.ops;
  std::vector<wafer::Stage> stages;
  size_t next = 0;  // the first op that no stage computes yet
  for (int i = 0; i < static_cast<int>(forward.stages().size()); ++i) {
    const transformer::StageInfo& info = forward.stages()[i];
    wafer::Stage stage;
    stage.name = info.name;
    stage.firstOp = static_cast<int>(next);
    for (const std::string& name : info.ops) {
      if (next == ops.size() || ops[next].name != name)
        return base::fail("Stage " + info.name + " computes " + name + ", but the program's op " +
                              std::to_string(next) + " is " +
                              (next == ops.size() ? "past its end" : ops[next].name) + ".",
                          std::string(kRemedy));
      ++next;
    }
    // Moves go with what they carry, and so do the other parts of a feed-forward that is cut.
    while (next < ops.size() && (ops[next].kind == wafer::OpKind::kTransfer || ops[next].part > 0))
      ++next;
    stage.opCount = static_cast<int>(next) - stage.firstOp;
    stage.run = [&forward, i](const wafer::StepContext&, int thread, int threadCount) {
      forward.run(i, thread, threadCount);
    };
    stages.push_back(std::move(stage));
  }
  const bool ends = next + 1 == ops.size() && (ops[next].kind == wafer::OpKind::kSample ||
                                               ops[next].kind == wafer::OpKind::kPool);
  if (!ends)
    return base::fail("No stage computes op " + std::to_string(next) + " of the program" +
                          (next < ops.size() ? " (" + ops[next].name + ")" : "") + ".",
                      std::string(kRemedy));
  stages.push_back(ops[next].kind == wafer::OpKind::kPool
                       ? poolStage(static_cast<int>(next))
                       : sampleStage(static_cast<int>(next), forward));
  return wafer::Program::make(std::move(plan), std::move(stages));
}

}  // namespace waferpair::inference
