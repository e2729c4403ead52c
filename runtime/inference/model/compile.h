// SPDX-License-Identifier: GPL-3.0-or-later
// Compiles a transformer into a wafer program, whose stages are the only way its tokens are
// computed.
//
// The planner and the forward pass were written apart; this is where they are held to one list:
// each op of the plan is computed by exactly one stage of the host, in order and by the same name.
// An op without a counterpart on the host (moving activations to the next block) rides with the
// stage before.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "runtime/base/result.h"
#include "runtime/gguf/file.h"
#include "runtime/inference/sampling/sampler.h"
#include "runtime/transformer/forward.h"
#include "runtime/wafer/plan/program.h"

namespace waferpair::inference {

// The logits of one sequence in a step, and what is done with them.
struct HostSequence {
  int logits = 0;              // rows of them
  Sampler* sampler = nullptr;  // the "sample" op asks it, after a step with logits
  // The last tokens of the step, where they are guesses: the sampler is asked for each row of
  // logits in turn, from that in front of them on, as long as it answers what the draft says.
  std::span<const std::int32_t> draft = {};
  int accepted = 0;  // how many of them it answered
  int token = -1;    // its last answer
  // Called with so many rows of logits, ahead of those that the sampler is asked for.
  int shown = 0;
  const std::function<void(int row, std::span<const float> logits)>* onLogits = nullptr;
  // Called with the state of each token behind the step, if somebody wants them.
  const std::function<void(std::span<const float> state)>* onState = nullptr;
};

// The sequences of a step, in order, and what the program knows of each, where `accepted` is noted;
// StepContext::user points to them while the program runs it.
// Threads share them out, so samplers of different sequences may be asked at the same time.
struct HostStep {
  std::span<HostSequence> sequences;
  std::span<wafer::StepContext> contexts;
};

// Returns the shape that the wafer is planned for: the sizes, and the formats of the file's
// matrices with what adapters add to them.
wafer::ModelShape shapeOf(const transformer::Config& config, const gguf::File& file,
                          const transformer::Adapters& adapters = {});

// `forward` runs the stages and outlives the program. The error names the first op or stage that
// has no counterpart.
base::Result<wafer::Program> compile(wafer::Plan plan, transformer::Forward& forward);

}  // namespace waferpair::inference
