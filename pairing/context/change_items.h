// SPDX-License-Identifier: GPL-3.0-or-later
// The changes of git as items that go along with a question, each judged by the gate. Reads the
// disk; one thread.
#pragma once

#include "pairing/context/context_collector.h"
#include "pairing/context/git_changes.h"

namespace waferpair::pairing {

// Adds the change of a file, or why it does not go along: also for a secret that stands elsewhere
// in the file, as it is on disk and as it was in either commit.
void addChange(ContextCollector* collector, const FileChange& change);

}  // namespace waferpair::pairing
