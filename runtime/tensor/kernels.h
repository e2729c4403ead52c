// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of a transformer, one table of functions for each instruction set.
//
// Every function computes each of its outputs alone and in a fixed order: the result does not
// depend on how rows, tokens or panels are shared among calls or threads. Buffers may have any
// alignment unless said otherwise; none of the functions allocates.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/tensor/block_formats.h"
#include "runtime/tensor/kv_chunk.h"
#include "runtime/tensor/packed_matrix.h"

namespace waferpair::tensor {

inline constexpr int kSumGroup = 16;  // quants of activations that are summed up

// The bits that activations are rounded to where weights are quantized.
enum class Activations : std::uint8_t { k8Bits, k16Bits };

inline constexpr int kFineSteps = 254;  // of the second plane in a step of the first

// Activations that a matrix is applied to: `count` rows of `cols` floats. For quantized weights the
// same rows in blocks of 32: quants in -127..127, in one plane or two. value = scale * quant, or
// scale * (kFineSteps * first + second), of 16 bits. What a group of weights has in common, an
// offset or a minimum, is multiplied by the sum of the group's quants.
struct Rows {
  int count = 0, cols = 0;
  const float* values = nullptr;        // [count][cols]
  const std::int8_t* quants = nullptr;  // [count][planes][cols]
  const float* scales = nullptr;        // [count][cols / 32]
  const std::int16_t* sums = nullptr;   // [count][planes][cols / 16], of the quants
  int planes = 1;

  // `some` rows from row `first` on.
  Rows part(int first, int some) const {
    const auto ahead = static_cast<std::int64_t>(first) * cols;
    return {.count = some,
            .cols = cols,
            .values = values + ahead,
            .quants = quants + ahead * planes,
            .scales = scales + ahead / kBlock,
            .sums = sums + ahead / kSumGroup * planes,
            .planes = planes};
  }
};
constexpr int planesOf(Activations activations) {
  return activations == Activations::k16Bits ? 2 : 1;
}
// Returns the activations of 8 or 16 bits; none for another number.
constexpr std::optional<Activations> findActivations(int bits) {
  if (bits == 8) return Activations::k8Bits;
  if (bits == 16) return Activations::k16Bits;
  return std::nullopt;
}

// Query heads of one or more tokens that share a KV head: rows, those of a token together.
struct Queries {
  const float* values = nullptr;  // [tokens * heads][headDim]
  int tokens = 0, heads = 0;      // heads of each token
  int headDim = 0;
  float scale = 1;  // of a score
  float cap = 0;    // a score s is taken as cap tanh(s / cap), unless this is 0
  int rows() const { return tokens * heads; }
};

// The attention of rows over the positions so far: the largest score, and sums relative to it. So
// positions can be taken chunk by chunk; in the end, the attention is out / sum.
struct Attended {
  float* max = nullptr;  // [rows], at first -infinity
  float* sum = nullptr;  // [rows] of exp(score - max), at first 0
  float* out = nullptr;  // [rows][headDim], sum of exp(score - max) value, at first 0
};

// What a position puts into a head's state of a gated delta rule: vectors of `dim` values.
struct DeltaInputs {
  int dim = 0;
  const float *query = nullptr, *key = nullptr, *value = nullptr;
  float decay = 1, beta = 0;
};

struct Kernels {
  const char* name;  // "generic", "avx2", "avx512", "amx", "avx512+amx", "neon", "neon-dot"

  // out[t * outStride + r] = sum over k of W[r][k] x[t][k], or += with `add`, for the rows r of
  // panels [first, last) and all t. Quantized weights use x.quants, x.scales and x.sums, the others
  // x.values.
  void (*matmul)(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                 std::int64_t outStride, bool add);

  // Has products with matrices like this one, by activations of so many planes, go the quickest way
  // from now on, which is measured once for each format. Null where there is but one way. No result
  // depends on it. Any thread.
  void (*measure)(const PackedMatrix& like, int planes) = nullptr;

  // quants [n], scales [n / 32], sums [n / 16] <- values, n a multiple of 32.
  void (*quantize)(const float* values, int n, std::int8_t* quants, float* scales,
                   std::int16_t* sums);
  // The same in two planes, quants [2][n] and sums [2][n / 16]: the first is what quantize() gives,
  // the second what that rounded away.
  void (*quantizeFinely)(const float* values, int n, std::int8_t* quants, float* scales,
                         std::int16_t* sums);

  // out[i] = gain[i] x[i] / sqrt(mean of squares + epsilon)
  void (*rmsNorm)(const float* x, const float* gain, int n, float epsilon, float* out);

  // Rotates each pair (x[2i], x[2i + 1]) by the angle whose cosine and sine are cosSin[2i], [2i +
  // 1].
  void (*rope)(float* x, const float* cosSin, int n);

  // gate[i] <- silu(gate[i]) up[i], silu(z) = z / (1 + exp(-z))
  void (*siluMul)(float* gate, const float* up, int n);

  // Adds a chunk's positions ranges[token] to what the rows of each token have attended to; an
  // empty range changes nothing.
  void (*attend)(const Queries& queries, const KvChunk& chunk, const ChunkRange* ranges,
                 const Attended& to);

  // The gated delta rule (arXiv 2412.06464) on a state S [dim][dim] of keys by values:
  //   S <- decay S;  added = beta (value - S^T key);  S <- S + key added^T;  out = S^T query
  // None of the vectors overlaps another.
  void (*deltaRule)(const DeltaInputs& in, float* state, float* added, float* out);

  // Index of the largest of x[0 .. n), the lowest among equals; NaN counts as less than any number,
  // and where nothing is above -infinity the answer is 0.
  int (*argmax)(const float* x, int n);

  // Sum of exp(x[i] - max) over what is above max - 87, where max is finite and none is larger: all
  // but what single precision has no proper number for. NaN adds nothing.
  double (*sumExp)(const float* x, int n, float max);

  // out[i] = values[i] as F32 / F16.
  void (*toFloats)(const Half* values, int n, float* out);
  void (*toHalves)(const float* values, int n, Half* out);
};

// The best table this CPU can run; chosen once. WAFERPAIR_KERNELS in the environment overrules it,
// for comparing, with the name of another; one that is not there is told on the standard error.
const Kernels& kernels();
// Returns all kernels that this CPU can run, from generic to the best.
std::span<const Kernels* const> availableKernels();
// One of them; the error lists their names.
base::Result<const Kernels*> findKernels(std::string_view name);

// Computes x <- exp(x - max) / sum in place. Reference for sampling; double sums.
void softmax(std::span<float> x);

}  // namespace waferpair::tensor
