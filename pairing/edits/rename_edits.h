// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that give a name another name, wherever it stands as a word of its own.
#pragma once

#include "pairing/edits/plain_edits.h"

namespace waferpair::pairing {

// Returns what "rename A to B" may mean: in the lines that the task is about, in the whole text,
// and there in comments and strings, too; each only where it is more than the one before. Empty
// where the instruction is none of that form.
QVector<PlainEdit> renames(const QString& instruction, const PlainTask& task);

}  // namespace waferpair::pairing
