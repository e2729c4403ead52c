// SPDX-License-Identifier: GPL-3.0-or-later
// Attention over part of a chunk of the KV cache, with capped scores: for sliding windows, which
// begin anywhere, and for models that bound their scores. The same on every CPU.
#pragma once

#include "runtime/tensor/kernels.h"

namespace waferpair::tensor {

// As Kernels::attendChunk, with two differences: `first` may be any position of the chunk, and each
// score s is taken as cap tanh(s / cap), unless cap is 0.
void attendBounded(const float* query, int heads, int headDim, float scale, float cap,
                   const KvHead& kv, int first, int last, float* max, float* sum, float* out);

}  // namespace waferpair::tensor
