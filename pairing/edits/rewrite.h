// SPDX-License-Identifier: GPL-3.0-or-later
// Puts code into a text that a small model wrote for the lines of a task, which it saw alone: they
// are to be the same lines, changed as the instruction says. Nothing is taken on trust: the code
// takes the target's place only by what that defines, is indented as it is, brings its imports to
// the file's head and keeps the comments. It is refused where it lacks the definition, changes
// nothing, is something else of the file, leaves lines out, does plainly not what it was told
// (wishes.h), or breaks what hung together before.
#pragma once

#include "editor/text/result.h"
#include "editor/text/snapshot.h"
#include "pairing/edits/edit_request.h"

namespace waferpair::pairing {

// The task's text with the code in it; each line of `code` ends with LF. Fails with why it is not
// offered.
editor::Result<editor::Snapshot> rewritten(const EditTask& task, const QByteArray& code);

}  // namespace waferpair::pairing
