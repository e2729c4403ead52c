// SPDX-License-Identifier: GPL-3.0-or-later
// Tells which files of a project are noise (build outputs, caches) by its .gitignore files, as git
// reads them. This is for listing only; exclusions.h decides what the model may see.
#pragma once

#include <string>
#include <string_view>

#include "runtime/exclusions/rule_chain.h"

namespace waferpair::exclusions {

// Returns the rules from above that apply to `root` (absolute, clean): .git/info/exclude and the
// .gitignore files from the repository's root down to, but without, `root`. The chain is empty if
// these rules exclude `root` itself, since a user who opens it wants to see it. Reads the disk.
RuleChain gitRulesAbove(const std::string& root);

// `above` and the .gitignore of `folder`, if there is one that may be used: as git, no link is
// followed. Reads the disk.
RuleChain gitRulesIn(const RuleChain& above, const std::string& folder);

// Returns true if a caller that walks down, and enters no noisy folder, should leave `path` out as
// noise. Version control's own folders are noise.
bool isNoise(const RuleChain& rules, std::string_view path, bool isFolder);

}  // namespace waferpair::exclusions
