// SPDX-License-Identifier: GPL-3.0-or-later
// waferctl's subcommands that need a model or a server; estimate.h, place.h and catalog.h have
// the others.
//
// Each adds itself to the program. When it is parsed it runs and, unless all went well, throws
// CLI::RuntimeError with the exit code.
#pragma once

#include <CLI/CLI.hpp>

#include "runtime/base/result.h"

namespace waferpair::waferctl {

inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;

CLI::App* addCompleteCommand(CLI::App& app);    // complete FILE:LINE:COL
CLI::App* addGenerateCommand(CLI::App& app);    // generate [PROMPT|-]
CLI::App* addBenchCommand(CLI::App& app);       // bench
CLI::App* addStatusCommand(CLI::App& app);      // status
CLI::App* addInspectCommand(CLI::App& app);     // inspect FILE...
CLI::App* addQuantizeCommand(CLI::App& app);    // quantize IN OUT --format F
CLI::App* addConnectCommand(CLI::App& app);     // connect [CLIENT]
CLI::App* addLspCommand(CLI::App& app);         // lsp
CLI::App* addTraceCommand(CLI::App& app);       // trace info|export FILE
CLI::App* addMeshCommand(CLI::App& app);        // mesh list|show|run|trace PROGRAM
CLI::App* addPerplexityCommand(CLI::App& app);  // perplexity MODEL FILE...

// Says on standard error what is wrong and what to do, and ends the command.
[[noreturn]] void giveUp(const base::Error& error, int exitCode = kFailure);

}  // namespace waferpair::waferctl
