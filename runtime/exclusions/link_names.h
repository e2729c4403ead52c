// SPDX-License-Identifier: GPL-3.0-or-later
// All names under which a path leads to its file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace waferpair::exclusions {

// Returns the path without "." and "..", double slashes and one at the end; a relative path is of
// the working folder. No link is looked at.
std::string cleanPath(std::string_view path);

// `path`, cleaned, then each path that following one more link on the way makes of it; the last is
// the file's own. Ends early where links go round. At most as many system calls as there are
// folders on the way.
std::vector<std::string> namesOf(std::string_view path);

}  // namespace waferpair::exclusions
