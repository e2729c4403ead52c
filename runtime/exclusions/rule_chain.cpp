// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/rule_chain.h"

#include <algorithm>

namespace waferpair::exclusions {

std::optional<Verdict> judge(const RuleChain& chain, std::string_view path, bool isFolder) {
  for (auto of = chain.rbegin(); of != chain.rend(); ++of) {
    const std::size_t length = of->folder.size();
    if (path.size() <= length + 1 || path[length] != '/' || !path.starts_with(of->folder)) continue;
    if (const auto match = of->rules->match(path.substr(length + 1), isFolder))
      return Verdict{*match, &*of};
  }
  return std::nullopt;
}

std::optional<Verdict> exclusionOf(const RuleChain& chain, std::string_view path, bool isFolder) {
  if (chain.empty()) return std::nullopt;
  std::size_t end = chain.front().folder.size();
  while (end < path.size()) {
    end = std::min(path.find('/', end + 1), path.size());
    const auto verdict = judge(chain, path.substr(0, end), isFolder || end < path.size());
    if (verdict && verdict->match.excludes) return verdict;
  }
  return std::nullopt;
}

}  // namespace waferpair::exclusions
