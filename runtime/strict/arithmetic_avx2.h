// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of arithmetic.h for eight elements at a time, on x86. Private to this room.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/tensor/half.h"

namespace waferpair::strict::avx2 {

// Each does whole groups of eight and returns how many elements that makes.
std::size_t multiplyTile(std::span<const float> in, const tensor::Half* tile, std::size_t pitch,
                         std::span<float> out);
std::size_t addHalves(std::span<float> to, std::span<const float> from);

}  // namespace waferpair::strict::avx2
