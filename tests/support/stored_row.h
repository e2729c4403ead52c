// SPDX-License-Identifier: GPL-3.0-or-later
// A row of weights as a file could hold it, in any format.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/tensor/block_formats.h"

namespace waferpair::test {

// What quantizeRow() gives or, of a format that is only read, blocks of random bits whose values
// are about as large as the row's.
std::vector<std::byte> storedRow(tensor::Format format, std::span<const float> row);

}  // namespace waferpair::test
