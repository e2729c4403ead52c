// SPDX-License-Identifier: GPL-3.0-or-later
// How a token of a job's output came about. With the program of its model, which a step can be
// charged to again (wafer::Program::replay), that is all there is to know of it.
#pragma once

#include <chrono>
#include <cstdint>

#include "runtime/inference/sampling/considered.h"
#include "runtime/wafer/plan/program.h"

namespace waferpair::inference {

// The step that a sequence took, as the host fed it.
struct TokenStep {
  wafer::StepContext context = {};
  int sequences = 1;                // that shared it on the host: jobs, and lines that compete
  std::chrono::nanoseconds took{};  // of the host, for all of them
};

struct TokenRecord {
  std::int32_t token = -1;
  Considered considered = {};
  TokenStep step = {};
  int row = 0;             // of its step: the row behind which it was chosen
  bool drafted = false;    // it had been guessed, and the step verified it
  bool contested = false;  // its line was chosen among several that competed
};

}  // namespace waferpair::inference
