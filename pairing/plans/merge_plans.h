// SPDX-License-Identifier: GPL-3.0-or-later
// One plan of what two windows made of it.
#pragma once

#include "pairing/plans/plan.h"

namespace waferpair::pairing {

// `ours` and `theirs` both began as `base`. A step that only one of them changed is as it is there;
// one that both did is as ours has it, as is the order. No step of either that is new is lost.
Plan mergedPlan(const Plan& base, const Plan& ours, const Plan& theirs);

}  // namespace waferpair::pairing
