// SPDX-License-Identifier: GPL-3.0-or-later
// Every architecture in Eigen and double precision, each from its own definition and straight from
// the file: nothing of the code under test is asked what a model is made of.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <span>

#include "runtime/gguf/file.h"

namespace waferpair::transformer {

// Logits [tokens][vocab] of a whole sequence from position 0. Keys and values are rounded to F16 as
// the cache keeps them, and nothing else is rounded.
Eigen::MatrixXd architectureLogits(const gguf::File& file, std::span<const std::int32_t> tokens);

}  // namespace waferpair::transformer
