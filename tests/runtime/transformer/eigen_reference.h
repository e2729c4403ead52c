// SPDX-License-Identifier: GPL-3.0-or-later
// The llama architecture in Eigen and double precision, straight from its definition: what the fast
// forward pass is tested against.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <span>

#include "runtime/transformer/model.h"

namespace waferpair::transformer {

// States [tokens][d] behind the final norm, and logits [tokens][vocab], of a whole sequence from
// position 0. Weights are taken from the file, keys and values are rounded to F16 as the cache
// keeps them, and nothing else is rounded.
Eigen::MatrixXd referenceStates(const Model& model, std::span<const std::int32_t> tokens);
Eigen::MatrixXd referenceLogits(const Model& model, std::span<const std::int32_t> tokens);

}  // namespace waferpair::transformer
