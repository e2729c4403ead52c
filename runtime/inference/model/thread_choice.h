// SPDX-License-Identifier: GPL-3.0-or-later
// The number of threads that compute a model's steps quickest on this computer.
#pragma once

#include <cstddef>

#include "runtime/transformer/forward.h"

namespace waferpair::inference {

// The most that a model is given: one a core, and not more than a small model gains from.
int mostThreads();

// The threads that a model is worth which reads so many bytes a token, by that alone: for models
// that are not loaded, or take too long to be measured.
int threadsFor(std::size_t bytesPerToken);

// Times steps of one token by teams of 1 to forward.maxThreads() threads, by turns, for some tens
// of milliseconds. The quickest team counts, a smaller one if it is as quick within a tenth.
int quickestThreads(transformer::Forward& forward);

}  // namespace waferpair::inference
