// SPDX-License-Identifier: GPL-3.0-or-later
// A model's weights as PEs hold them: dequantized, rounded to FP16, [in][out].
#pragma once

#include <memory>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/strict/layout.h"
#include "runtime/transformer/model.h"

namespace waferpair::strict {

struct LayerWeights {
  Matrix query, key, value;  // columns as transformer::LayerWeights' rows
  Matrix output;             // rows in mixedOrder()
  Matrix gate, up, down;
  std::vector<float> attentionNorm, ffnNorm;         // FP16 values, as the biases
  std::vector<float> queryBias, keyBias, valueBias;  // empty: none
};

struct Weights {
  std::shared_ptr<const transformer::Model> model;  // has the embedding
  Layout layout;
  MixedOrder mixed;
  std::vector<LayerWeights> layers;
  std::vector<float> finalNorm;
  Matrix head;

  // The error is check()'s. Takes two bytes a weight.
  static base::Result<std::shared_ptr<const Weights>> make(
      std::shared_ptr<const transformer::Model> model, const Layout& layout);
  // A token's row, rounded.
  std::vector<float> embedding(int token) const;
};

}  // namespace waferpair::strict
