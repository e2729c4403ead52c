// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the lines that an instruction is about: those selected, else the function or block around
// the caret, else the whole text. What belongs together is seen by the indentation, in any
// language.
#pragma once

#include "editor/text/snapshot.h"
#include "pairing/edits/edit_request.h"

namespace waferpair::pairing {

struct Target {
  enum class Kind { kSelection, kBlock, kText };
  Kind kind = Kind::kText;
  LineRange lines;
};

// `anchor` and `caret` are the ends of the selection, in bytes, in any order. A selection that ends
// at the very start of a line leaves that line out.
Target targetAt(const editor::Snapshot& text, qint64 anchor, qint64 caret);

}  // namespace waferpair::pairing
