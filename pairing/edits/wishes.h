// SPDX-License-Identifier: GPL-3.0-or-later
// What an instruction plainly asks for, as far as words tell: a name that goes, another that comes,
// something thrown. It tells an answer that cannot be right from others, and never that one is.
#pragma once

#include <QString>

#include "pairing/edits/read_code.h"

namespace waferpair::pairing {

// The part of the instruction that was plainly not done, for the user: "“var” is still there";
// empty: nothing is known to be missing.
QString unmetWish(const QString& instruction, const Rewriting& code);

// The instruction asks for more than there was, and for nothing that goes.
bool onlyAdds(const QString& instruction);

}  // namespace waferpair::pairing
