// SPDX-License-Identifier: GPL-3.0-or-later
// Whether products of several rows go by the tiles of AMX or by AVX-512. Which is quicker depends
// on the processor, on the format of the weights and on how many rows there are, so it is measured,
// once a process for each format. Both give the same sums to the bit.
//
// Thread-safe.
#pragma once

#include <span>
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

// What multiplies matrices of these formats with these kernels: their name or, where they choose
// between two ways, what was chosen, "avx512, amx for Q4_K from 6 rows, Q6_K from 10 rows".
std::string describe(const Kernels& kernels, std::span<const Format> formats,
                     Activations activations);

}  // namespace waferpair::tensor
