// SPDX-License-Identifier: GPL-3.0-or-later
// The keys that all commands have by now, by category, as a text to read or print.
#pragma once

#include <QString>

class QTextDocument;

namespace waferpair::gui {

class CommandRegistry;

// In HTML: a table for each category, of the commands that have a key and whose name, help or key
// holds `wanted`; empty: all of them. Returns an empty text where there is none.
QString keySheet(const CommandRegistry& commands, const QString& wanted = {});

// Makes it a document for paper: black on white, in small letters, with a head that says what it
// is.
void fillKeySheet(QTextDocument* paper, const CommandRegistry& commands);

}  // namespace waferpair::gui
