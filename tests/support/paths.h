// SPDX-License-Identifier: GPL-3.0-or-later
// Where the checkout is, and the programs built from it.
#pragma once

#include <string>

namespace waferpair::test {

// Folders, without a slash at the end.
std::string sourceDir();
std::string programDir();

}  // namespace waferpair::test
