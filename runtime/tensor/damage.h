// SPDX-License-Identifier: GPL-3.0-or-later
// Tells weights that a flipped bit or a bad copy spoiled: a model with one of them writes garbage,
// and nothing else would say why.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "runtime/tensor/block_formats.h"

namespace waferpair::tensor {

// Returns what is wrong in the data of a tensor, whole blocks of `format`, as in "the scale of
// block 12 is inf"; none: nothing was found. A number is wrong that is not finite, and one that is
// hundreds of times as large as all others of a tensor which has many. The work is shared by so
// many threads.
std::optional<std::string> damageIn(Format format, std::span<const std::byte> data,
                                    int threads = 1);

}  // namespace waferpair::tensor
