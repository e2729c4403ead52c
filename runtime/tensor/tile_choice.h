// SPDX-License-Identifier: GPL-3.0-or-later
// Whether products of several rows go by the tiles of AMX or by AVX-512. Which is quicker depends
// on the processor, on the format of the weights and on how many rows there are, so it is measured,
// once a process for each format. Both give the same sums to the bit.
//
// Thread-safe.
#pragma once

#include <string>

#include "runtime/tensor/kernels.h"

namespace waferpair::tensor {

// Rows from which on matrices of a format, and activations of so many planes, are multiplied by
// tiles. kNeverTiles: by none, and as long as nothing was measured.
inline constexpr int kNeverTiles = 1 << 30;
int fewestTileRows(Format format, int planes);

// Measures with some panels of `like`, unless its format is measured already. A few milliseconds.
// For Kernels::measure; only where there is AMX.
void measureTiles(const PackedMatrix& like, int planes);

// The name of these kernels and, where they choose between two ways, what was chosen so far:
// "avx2", "avx512, amx for Q8_0 from 6 rows and Q4_0 from 8".
std::string describe(const Kernels& kernels);

}  // namespace waferpair::tensor
