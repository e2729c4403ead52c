// SPDX-License-Identifier: GPL-3.0-or-later
// The gated delta rule as plain loops, which the compiler turns into those of an instruction set:
// each set's file includes this for itself.
//
// `Set` is a type with internal linkage, so that no other file can get a copy of this that it
// cannot run.
#pragma once

#include <cstddef>

#include "runtime/tensor/kernels.h"

namespace waferpair::tensor {

template <typename Set>
void deltaRuleLoops(const DeltaInputs& in, float* __restrict state, float* __restrict added,
                    float* __restrict out) {
  const int n = in.dim;
  const float *query = in.query, *key = in.key, *value = in.value;
  for (int j = 0; j < n; ++j) added[j] = out[j] = 0;
  for (int i = 0; i < n; ++i) {
    const float* row = state + static_cast<std::ptrdiff_t>(i) * n;
    const float k = key[i];
    for (int j = 0; j < n; ++j) added[j] += k * row[j];
  }
  const float decay = in.decay, beta = in.beta;
  for (int j = 0; j < n; ++j) added[j] = beta * (value[j] - decay * added[j]);
  for (int i = 0; i < n; ++i) {
    float* row = state + static_cast<std::ptrdiff_t>(i) * n;
    const float k = key[i], q = query[i];
    for (int j = 0; j < n; ++j) {
      row[j] = decay * row[j] + k * added[j];
      out[j] += q * row[j];
    }
  }
}

}  // namespace waferpair::tensor
