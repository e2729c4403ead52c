// SPDX-License-Identifier: GPL-3.0-or-later
// Names that a function which was written anew must not lose: what small models forget.
#pragma once

#include <QByteArray>
#include <QString>

#include "pairing/edits/read_code.h"

namespace waferpair::pairing {

// A local variable that was set and is only used now; empty: none.
QByteArray unsetName(const Rewriting& code);

// A name that is read now and nothing in the file, nor the language, has; empty: none, or that is
// not known of the language. `text`: the whole file, with the function and its imports in it.
QByteArray unknownName(const QByteArray& text, const Rewriting& code);

// What was called or read of something else and is not any more, where the instruction asks for
// nothing but another form; empty: none.
QByteArray lostUse(const QString& instruction, const Rewriting& code);

// A name that there was, which the instruction has for what is to be added, and which stands in
// none of the lines that are new; empty: none.
QByteArray unusedName(const QString& instruction, const Rewriting& code);

}  // namespace waferpair::pairing
