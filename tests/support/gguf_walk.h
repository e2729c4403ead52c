// SPDX-License-Identifier: GPL-3.0-or-later
// Reads everything a GGUF file offers, as the fuzz targets and mutation tests do: under a sanitizer
// this shows any value or tensor that reaches outside the file.
#pragma once

#include <cstdint>

#include "runtime/gguf/file.h"

namespace waferpair::test {

// Returns a sum of what it read, so that no read is left out.
std::uint64_t walk(const gguf::File& file);

}  // namespace waferpair::test
