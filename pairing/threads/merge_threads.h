// SPDX-License-Identifier: GPL-3.0-or-later
// One thread of what two windows made of it.
#pragma once

#include "pairing/threads/thread.h"

namespace waferpair::pairing {

// `ours` and `theirs` both began as `base`. What only one of them changed is as it is there; what
// both did is as ours has it. No message of either that is new is lost.
Thread mergedThread(const Thread& base, const Thread& ours, const Thread& theirs);

}  // namespace waferpair::pairing
