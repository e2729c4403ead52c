// SPDX-License-Identifier: GPL-3.0-or-later
// The key of fuzzed session files, shared by the target and its seeds.
#pragma once

#include "runtime/inference/engine/session_file.h"

namespace waferpair::test {

// A chunk has three pages, two of windowed layers.
inline const inference::SessionKey kFuzzSessionKey{
    .model = 1,
    .format = tensor::KvFormat::kF16,
    .pages = {.ofChunk = 3, .windowed = 2, .bytes = 256},
    .states = {},
    .vocabulary = 300};

}  // namespace waferpair::test
