// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of a transformer, one table of functions for each instruction set.
//
// Every function computes each of its outputs alone and in a fixed order: the result does not
// depend on how rows, tokens or panels are shared among calls or threads. Buffers may have any
// alignment unless said otherwise; none of the functions allocates.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/tensor/block_formats.h"
#include "runtime/tensor/packed_matrix.h"

namespace waferpair::tensor {

inline constexpr int kSumGroup = 16;  // quants of activations that are summed up

// Activations that a matrix is applied to: `count` rows of `cols` floats. For quantized weights the
// same rows in blocks of 32: quants in -127..127, value = scale * quant. What a group of weights
// has in common, an offset or a minimum, is multiplied by the sum of the group's quants.
struct Rows {
  int count = 0, cols = 0;
  const float* values = nullptr;        // [count][cols]
  const std::int8_t* quants = nullptr;  // [count][cols]
  const float* scales = nullptr;        // [count][cols / 32]
  const std::int16_t* sums = nullptr;   // [count][cols / 16], of the quants
};

inline constexpr int kChunk = 64;    // positions of the KV cache that attention takes at once
inline constexpr int kKeyBlock = 8;  // positions interleaved in the cache of keys

// One KV head's part of the cache, from position 0 on; positions beyond those asked for may hold
// anything finite.
struct KvHead {
  const Half* keys = nullptr;    // [positions / 8][headDim][8 positions]
  const Half* values = nullptr;  // [positions][headDim]
};

struct Kernels {
  const char* name;  // "generic", "avx2"

  // out[t * outStride + r] = sum over k of W[r][k] x[t][k], or += with `add`, for the rows r of
  // panels [first, last) and all t. Quantized weights use x.quants, x.scales and x.sums, the others
  // x.values.
  void (*matmul)(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                 std::int64_t outStride, bool add);

  // quants [n], scales [n / 32], sums [n / 16] <- values, n a multiple of 32.
  void (*quantize)(const float* values, int n, std::int8_t* quants, float* scales,
                   std::int16_t* sums);

  // out[i] = gain[i] x[i] / sqrt(mean of squares + epsilon)
  void (*rmsNorm)(const float* x, const float* gain, int n, float epsilon, float* out);

  // Rotates each pair (x[2i], x[2i + 1]) by the angle whose cosine and sine are cosSin[2i], [2i +
  // 1].
  void (*rope)(float* x, const float* cosSin, int n);

  // gate[i] <- silu(gate[i]) up[i], silu(z) = z / (1 + exp(-z))
  void (*siluMul)(float* gate, const float* up, int n);

  // Attention of `heads` query heads that share one KV head over positions [first, last) of a
  // single chunk (first a multiple of kChunk, last - first in 1..kChunk), unnormalized:
  //   max[h] = largest score, sum[h] = sum of exp(score - max), out[h] = sum of exp(score - max)
  //   value
  // query: [heads][headDim], scores are q.k * scale; out: [heads][headDim].
  void (*attendChunk)(const float* query, int heads, int headDim, float scale, const KvHead& kv,
                      int first, int last, float* max, float* sum, float* out);

  // out[i] = values[i] as F32 / F16.
  void (*toFloats)(const Half* values, int n, float* out);
  void (*toHalves)(const float* values, int n, Half* out);
};

// The best table this CPU can run; chosen once. WAFERPAIR_KERNELS=generic in the environment
// overrules it, for comparing.
const Kernels& kernels();
// All that this CPU can run, generic first.
std::span<const Kernels* const> availableKernels();

// In place: x <- exp(x - max) / sum. Reference for sampling; double sums.
void softmax(std::span<float> x);

}  // namespace waferpair::tensor
