// SPDX-License-Identifier: GPL-3.0-or-later
// A command line as data, of which scripts/make_man_pages.py makes the manual page and what shells
// complete. A program prints it when --describe-options is all that it is called with.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace waferpair::waferctl {

bool wantsOptionTable(int argc, char** argv);

// JSON: name, version, description, footer, positionals, options, commands; what is hidden from
// --help is left out.
std::string optionTable(const CLI::App& app, const std::string& version);

}  // namespace waferpair::waferctl
