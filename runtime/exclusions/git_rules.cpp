// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/git_rules.h"

#include <utility>

#include "runtime/base/guest_file.h"
#include "runtime/exclusions/file_stamp.h"

namespace waferpair::exclusions {
namespace {

// A longer file is not a list of patterns; the folder is then listed without it.
constexpr std::size_t kLongest = 4 << 20;

void add(RuleChain* chain, const std::string& folder, const std::string& file) {
  const auto text = base::readGuestFile(file, kLongest, base::Links::kRefuse);
  if (!text || !*text) return;
  auto rules = std::make_shared<const IgnoreRules>(**text);
  if (!rules->empty()) chain->push_back({folder, file, std::move(rules)});
}

}  // namespace

RuleChain gitRulesAbove(const std::string& root) {
  std::string top = root;
  while (!FileStamp::of(top + "/.git").exists) {
    if (top.empty()) return {};
    top.resize(top.rfind('/'));
  }
  RuleChain chain;
  add(&chain, top, top + "/.git/info/exclude");
  for (std::string folder = top; folder.size() < root.size();) {
    add(&chain, folder, folder + "/.gitignore");
    folder = root.substr(0, std::min(root.find('/', folder.size() + 1), root.size()));
  }
  if (exclusionOf(chain, root, true)) return {};
  return chain;
}

RuleChain gitRulesIn(const RuleChain& above, const std::string& folder) {
  RuleChain chain = above;
  add(&chain, folder, folder + "/.gitignore");
  return chain;
}

bool isNoise(const RuleChain& rules, std::string_view path, bool isFolder) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (isFolder && (name == ".git" || name == ".hg" || name == ".svn")) return true;
  const auto verdict = judge(rules, path, isFolder);
  return verdict && verdict->match.excludes;
}

}  // namespace waferpair::exclusions
