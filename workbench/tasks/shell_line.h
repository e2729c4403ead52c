// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines that /bin/sh reads.
#pragma once

#include <QString>

#include "programs/program_command.h"

namespace waferpair::workbench {

programs::ProgramCommand shellLine(const QString& line);
bool isShellLine(const programs::ProgramCommand& command);
// Returns the text as one word of a shell: "it's" is 'it'\''s'.
QString quotedForShell(QString text);
// Returns the line of a shell's command, else the command as it would be typed.
QString shownLine(const programs::ProgramCommand& command);

}  // namespace waferpair::workbench
