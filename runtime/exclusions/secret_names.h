// SPDX-License-Identifier: GPL-3.0-or-later
// Files that hold secrets by custom, known by their names.
#pragma once

#include <string_view>
#include <vector>

namespace waferpair::exclusions {

// The pattern that names the file at `path` (absolute) or a folder that it is in; empty: none does.
// Capitals make no difference.
std::string_view secretPatternOf(std::string_view path);

// Returns all patterns, as in an ignore file.
const std::vector<std::string_view>& secretPatterns();

}  // namespace waferpair::exclusions
