// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of the mesh's kernels on the host: the same operations, rounded at the same
// places, in the same order. The headers of runtime/mesh state it; vectors here are floats that
// hold FP16 values unless said otherwise.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/tensor/half.h"

namespace waferpair::strict {

// Rounds to the nearest FP16.
inline float roundHalf(float value) { return tensor::toFloat(tensor::toHalf(value)); }

// out[n] = 0, then for k = 0, 1, ...: out[n] = in[k] tile[k][n] + out[n], rounded once to FP16. A
// row of the tile begins `pitch` elements behind the one before.
void multiplyTile(std::span<const float> in, const tensor::Half* tile, std::size_t pitch,
                  std::span<float> out);
// to[i] = to[i] + from[i], rounded to FP16.
void addHalves(std::span<float> to, std::span<const float> from);

// The sums of K-trees (mesh/collectives.h) over a line of PEs, in their order.
class KTree {
 public:
  // Groups of `group` PEs.
  KTree(int pes, int group);

  int pes() const { return pes_; }
  // `parts` are [pes][n] and lost; the sums are the span returned, a part of them.
  std::span<const float> sumHalves(std::span<float> parts) const;
  float sumFloats(std::span<float> parts) const;  // in FP32; n is 1

 private:
  struct Message {
    int from, to;
  };
  int pes_;
  std::vector<Message> messages_;
};

// A matrix in FP16, [rows][columns]. Its rows are dealt out to the PEs of a line.
struct Matrix {
  int rows = 0, columns = 0;
  std::vector<tensor::Half> values;

  const tensor::Half* row(int r) const {
    return values.data() + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns);
  }
};

// MeshGEMV: W^T x, with `rowsEach` rows to a PE.
void gemv(const Matrix& matrix, std::span<const float> x, int rowsEach, const KTree& sums,
          std::span<float> out);
// `x` is dealt out to the PEs, `each` elements to one.
void rmsNorm(std::span<const float> x, std::span<const float> gain, float epsilon, int each,
             const KTree& sums, std::span<float> out);
// The order of one vector of scores: each PE holds the elements at its `positions` and sums them in
// that order.
struct RowOrder {
  std::vector<std::vector<int>> positions;  // [PE][slot]
};
void softmax(std::span<float> scores, float scale, const RowOrder& order, const KTree& sums);
void siluMul(std::span<float> gate, std::span<const float> up);
// Turns pairs (0, 1), (2, 3), ... by angles whose {cos, sin}, FP16 values, are in the table.
void rope(std::span<float> vector, std::span<const float> cosSin);

}  // namespace waferpair::strict
