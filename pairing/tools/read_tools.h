// SPDX-License-Identifier: GPL-3.0-or-later
// The tools that give a file's lines and the names of files. As ProjectTool::run has them.
#pragma once

#include "pairing/tools/project_tools.h"

namespace waferpair::pairing {

// Lines first_line to last_line (from 1; both may be missing) of the file at `path`.
ToolResult readFile(const ToolProject& project, const ToolArguments& arguments,
                    qsizetype mostBytes);
// The files below `path`, as a tree; or, by name, those that match `pattern`.
ToolResult listFiles(const ToolProject& project, const ToolArguments& arguments,
                     qsizetype mostBytes);

}  // namespace waferpair::pairing
