// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a chunk whose cache has its keys alone (Config::keysOnly()). Private to this room.
#pragma once

#include <cstddef>

#include "runtime/tensor/kv_chunk.h"

namespace waferpair::transformer {

// Writes the keys of a chunk, laid out as tensor::KvChunk says, where its values would lie in
// `values`, kChunk * kvRowBytes(format, headDim) bytes: the very same numbers.
void keysAsValues(tensor::KvFormat format, const std::byte* keys, int headDim, std::byte* values);

}  // namespace waferpair::transformer
