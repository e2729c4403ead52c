// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of one ignore file (.gitignore, .waferpairignore), read and matched as git does. Found
// by what a name ends or begins with, so that 90,000 rules cost a name hardly more than ten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/exclusions/glob.h"

namespace waferpair::exclusions {

// Immutable once made: any number of threads.
class IgnoreRules {
 public:
  explicit IgnoreRules(std::string_view text);

  struct Match {
    bool excludes;             // false: "!", taken back
    std::string_view pattern;  // as written; lives as long as the rules
    int line;                  // from 1
  };
  // The last rule that matches `path` itself, relative to the folder of the file, without a slash
  // at either end. The folders above `path` are the caller's matter (rule_chain.h).
  std::optional<Match> match(std::string_view path, bool isFolder) const;

  // Names the patterns that cannot be matched in bounded time and are left out; empty if there are
  // none.
  const std::string& problem() const { return problem_; }
  bool empty() const { return rules_.empty(); }

 private:
  // Affixes are compared as far as this, and a name asks for each length once.
  static constexpr std::size_t kLongestKey = 32;
  // Rules that the same key finds are tried one by one.
  static constexpr std::size_t kMostOfKey = 2'000;
  // No path is longer.
  static constexpr std::size_t kLongestPattern = 4'096;

  struct Rule {
    Glob glob;
    std::uint64_t needs;  // Glob::needs()
    std::string source;
    int line;
    bool nameOnly;  // at any depth; else the pattern is on the path
    bool foldersOnly;
    bool excludes;
  };
  using Index = std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>;

  void add(std::string_view line, int number);
  // A path as it is asked about.
  struct Asked {
    std::string_view path, name;
    std::uint64_t pathBytes, nameBytes;  // Glob::bytesIn()
    bool isFolder;
  };
  void tryAll(const std::vector<std::uint32_t>& rules, const Asked& asked,
              std::int64_t* best) const;

  std::vector<Rule> rules_;
  Index byTail_, byHead_;            // by a hash of the affix: what is found is matched in full
  std::vector<std::uint32_t> open_;  // those that neither finds
  std::uint64_t tailLengths_ = 0, headLengths_ = 0;  // bit n: there are keys of n + 1 bytes
  std::string problem_;
};

}  // namespace waferpair::exclusions
