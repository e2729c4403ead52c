// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl experiment`: figures by name. `waferctl gpu`: the model of GPUs beside every published
// rate that it is held to.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace waferpair::waferctl {

// The kind of a question and its settings; `json` for programs.
base::Result<void> printExperiment(const std::vector<std::string>& words, bool json,
                                   std::ostream& out);
// Every row, those that are missed too, and the mean error of those that nothing is fitted to.
base::Result<void> printGpuRows(std::ostream& out);

void addExperimentCommands(CLI::App& app);

}  // namespace waferpair::waferctl
