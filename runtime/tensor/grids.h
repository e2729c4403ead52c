// SPDX-License-Identifier: GPL-3.0-or-later
// The grids of the formats IQ2 and IQ3: which points of eight or four levels they know. Facts from
// ggml's public sources (ggml-common.h). Private to this room and its tests.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "runtime/tensor/block_formats.h"

namespace waferpair::tensor {

// Levels 0..2 of eight values, or 0..7 of four, of which the others are 0.
using GridPoint = std::array<std::uint8_t, 8>;

// The points by their numbers; the format has a grid.
std::span<const GridPoint> gridOf(Format format);

}  // namespace waferpair::tensor
