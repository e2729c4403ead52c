// SPDX-License-Identifier: GPL-3.0-or-later
// Encoders in Eigen and double precision, each from its own definition and straight from the file.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <span>

#include "runtime/gguf/file.h"

namespace waferpair::transformer {

// States [tokens][width] of a whole text. `secondFrom`: the first token of the second of two texts,
// or as many as there are tokens. Keys and values are rounded to F16, and nothing else is rounded.
Eigen::MatrixXd encoderStates(const gguf::File& file, std::span<const std::int32_t> tokens,
                              int secondFrom);

}  // namespace waferpair::transformer
