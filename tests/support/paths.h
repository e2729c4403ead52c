// SPDX-License-Identifier: GPL-3.0-or-later
// The paths of the checkout and of the programs built from it.
#pragma once

#include <string>

namespace waferpair::test {

// Folders, without a slash at the end.
std::string sourceDir();
std::string programDir();

}  // namespace waferpair::test
