// SPDX-License-Identifier: GPL-3.0-or-later
// RMS norm and softmax of vectors that lie along a row or column of PEs, each PE with its part.
#pragma once

#include <vector>

#include "runtime/mesh/collectives.h"

namespace waferpair::mesh {

// out = in / sqrt(mean(in^2) + epsilon) * gain.
//
// Arithmetic, with ^16 and ^32 for the rounding to FP16 and FP32: on a PE s = 0, then for each
// element in order s = (in in + s)^32, rounded once; the K-tree sums s in FP32;
// r = (1 / (sqrt(m))^32)^32 with m = ((s (1 / elements)^32)^32 + epsilon^32)^32; and
// out = ((in r)^16 gain)^16, where in r passes through FP32.
struct RmsNorm {
  int vectors = 1;   // one after another, in `in` and `out`
  int length = 0;    // elements of each on a PE; all have the same
  int elements = 0;  // of each on all PEs of a line, what the sum is divided by
  float epsilon = 0;
  std::uint32_t in = 0;    // FP16 [vectors][length]
  std::uint32_t gain = 0;  // FP16 [length], of all vectors
  std::uint32_t out = 0;   // FP16 [vectors][length]; may be `in`
  std::uint32_t sums = 0;  // FP32 [vectors], to work in
};
base::Result<void> rmsNorm(Builder& builder, const RmsNorm& op, const Along& along);

// Elements from one vector of scores to the next where each has `count`: they begin on words of
// SRAM.
constexpr int scorePitch(int count) { return (count + 3) / 4 * 4; }

// scores = exp(scale scores - max) / sum, in place.
//
// Arithmetic: t = (scale^32 score)^16, by way of FP32; m = the largest t of the line;
// e = (exp((t - m)^16))^16, with std::exp of a float; on a PE s = 0, then for each element in order
// s = (s + e)^32; the K-tree sums s in FP32; r = (1 / s)^32; score = (e r)^16, by way of FP32.
struct Softmax {
  int vectors = 1;
  std::vector<int> counts = {};  // by PE of the line: elements of each vector, 0 or more
  float scale = 1;
  std::uint32_t scores = 0;  // FP16 [vectors][scorePitch(count)]
  std::uint32_t maxima = 0;  // FP16 [vectors], to work in
  std::uint32_t sums = 0;    // FP32 [vectors], to work in
};
// Lines are whole: `along.segment` is 0.
base::Result<void> softmax(Builder& builder, const Softmax& op, const Along& along);

}  // namespace waferpair::mesh
