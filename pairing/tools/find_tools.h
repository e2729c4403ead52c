// SPDX-License-Identifier: GPL-3.0-or-later
// The tools that find places in a project. As ProjectTool::run has them.
#pragma once

#include "pairing/tools/project_tools.h"

namespace waferpair::pairing {

// The lines that have `query`, which is plain text or, with `regex`, an expression; below `path`.
ToolResult searchText(const ToolProject& project, const ToolArguments& arguments,
                      qsizetype mostBytes);
// Where `name` is defined, as far as a look at each line tells, with the code.
ToolResult findSymbol(const ToolProject& project, const ToolArguments& arguments,
                      qsizetype mostBytes);
// What is found wrong, in the file at `path` or in all.
ToolResult readDiagnostics(const ToolProject& project, const ToolArguments& arguments,
                           qsizetype mostBytes);

}  // namespace waferpair::pairing
