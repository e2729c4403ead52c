// SPDX-License-Identifier: GPL-3.0-or-later
// The ignore files that have a say about a path, each in its folder, and what they say together.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/exclusions/ignore_rules.h"

namespace waferpair::exclusions {

struct RulesOfFolder {
  std::string folder;  // absolute, without a slash at the end: "" is the root of the file system
  std::string file;    // that the rules stand in, absolute
  std::shared_ptr<const IgnoreRules> rules;  // not null
};
// The outermost folder first. Cheap to copy: the rules are shared.
using RuleChain = std::vector<RulesOfFolder>;

struct Verdict {
  IgnoreRules::Match match;
  const RulesOfFolder* of;
};

// Returns the chain's verdict on `path` itself (absolute, clean), whatever holds for the folders
// above it. Meant for a caller that walks down and enters no excluded folder. The innermost file
// with a rule for the path decides.
std::optional<Verdict> judge(const RuleChain& chain, std::string_view path, bool isFolder);

// Decides as git does: a path in an excluded folder is excluded, and no rule takes it back. Empty
// if it is not excluded.
std::optional<Verdict> exclusionOf(const RuleChain& chain, std::string_view path,
                                   bool isFolder = false);

}  // namespace waferpair::exclusions
