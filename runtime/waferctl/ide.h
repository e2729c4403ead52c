// SPDX-License-Identifier: GPL-3.0-or-later
// waferctl ide: drives a window that was started with --automation (docs/automation.md).
#pragma once

#include <CLI/CLI.hpp>

namespace waferpair::waferctl {

CLI::App* addIdeCommand(CLI::App& app);

}  // namespace waferpair::waferctl
