// SPDX-License-Identifier: GPL-3.0-or-later
// The request to a small model to write the lines of a task anew: they alone, as if they stood at
// the left margin, then the instruction. What is the same for the next instruction comes first, so
// that a server has read it already.
#pragma once

#include "editor/text/result.h"
#include "pairing/edits/edit_request.h"

namespace waferpair::pairing {

// How often a model is asked in all, where its answers cannot be used. More gains nothing: what a
// model gets right it gets right in one of the first two, and what comes later is ever wilder.
inline constexpr int kMostAttempts = 2;
// Of the second attempt.
inline constexpr double kAgainTemperature = 0.7;

// An answer of more than about twice the lines is cut. Fails where they have more than `mostBytes`.
// `attempt`: 1, or 2, which is in other words and behind an example.
editor::Result<ModelRequest> rewriteRequest(const EditTask& task, qint64 mostBytes = kMostEditBytes,
                                            int attempt = 1);

}  // namespace waferpair::pairing
