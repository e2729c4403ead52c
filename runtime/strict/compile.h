// SPDX-License-Identifier: GPL-3.0-or-later
// The same list of ops, computed strictly: a plan's Program whose stages are a Decoder's parts
// instead of the fused host kernels.
#pragma once

#include "runtime/base/result.h"
#include "runtime/strict/decoder.h"
#include "runtime/wafer/plan/program.h"

namespace waferpair::strict {

// Runs decode steps of one row, begun with Decoder::begin(). `decoder` outlives the program. The
// error names the first op that no part computes.
base::Result<wafer::Program> compile(wafer::Plan plan, Decoder& decoder);

}  // namespace waferpair::strict
