// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of a model's forward pass and the operations in each. Private to this room.
#pragma once

#include <vector>

#include "runtime/transformer/forward.h"

namespace waferpair::transformer {

std::vector<StageInfo> listStages(const Config& config);

}  // namespace waferpair::transformer
