// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/strict/compile.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace waferpair::strict {

namespace {

using wafer::OpKind;

bool isOneOf(const std::string& name, std::initializer_list<const char*> names) {
  return std::ranges::find(names, name) != names.end();
}

// Returns the part that computes an op, by the op's name without "blk.N."; -1 if none does.
int partOf(const wafer::Op& op) {
  const std::string name = op.layer < 0 ? op.name : op.name.substr(op.name.find('.', 4) + 1);
  if (name == "token_embd") return 0;
  if (isOneOf(name, {"attn_norm", "attn_q", "attn_k", "attn_v", "attn_q.bias", "attn_k.bias",
                     "attn_v.bias"})) {
    return 1;
  }
  if (isOneOf(name, {"attn_score", "attn_softmax", "attn_mix"})) return 2;
  if (name == "attn_output") return 3;
  if (isOneOf(name, {"ffn_norm", "ffn_gate", "ffn_up"})) return 4;
  if (name == "ffn_down") return 5;
  return isOneOf(name, {"output_norm", "output"}) ? 6 : -1;
}

}  // namespace

base::Result<wafer::Program> compile(wafer::Plan plan, Decoder& decoder) {
  static constexpr const char* kNames[] = {"embed",  "qkv",      "attention", "output",
                                           "ffn_up", "ffn_down", "head"};
  std::vector<wafer::Stage> stages;
  int part = -1, layer = -1;
  for (int i = 0; i < static_cast<int>(plan.ops.size()); ++i) {
    const wafer::Op& op = plan.ops[i];
    if (op.part > 0) {
      return base::fail("Strict mode: the feed-forward of layer " + std::to_string(op.layer) +
                            " is cut, so its sums come in another order than strict mode has.",
                        "Run the model in fast mode, or with a shorter context.");
    }
    const bool rides = op.kind == OpKind::kTransfer || op.kind == OpKind::kSample;
    const int next = rides ? part : partOf(op);
    if (next < 0) {
      return base::fail("Strict mode: no part of it computes " + op.name + ".",
                        "Run the model in fast mode.");
    }
    if (!rides && (next != part || op.layer != layer)) {
      part = next;
      layer = op.layer;
      const std::string prefix = layer < 0 ? "" : "blk." + std::to_string(layer) + ".";
      stages.push_back({.name = prefix + kNames[part],
                        .firstOp = i,
                        .opCount = 0,
                        .run = [&decoder, part, layer](const wafer::StepContext&, int thread, int) {
                          if (thread != 0) return;
                          switch (part) {
                            case 0:
                              return decoder.embed();
                            case 1:
                              return decoder.qkv(layer);
                            case 2:
                              return decoder.attention(layer);
                            case 3:
                              return decoder.output(layer);
                            case 4:
                              return decoder.ffnUp(layer);
                            case 5:
                              return decoder.ffnDown(layer);
                            default:
                              return decoder.head();
                          }
                        }});
    }
    ++stages.back().opCount;
  }
  return wafer::Program::make(std::move(plan), std::move(stages));
}

}  // namespace waferpair::strict
