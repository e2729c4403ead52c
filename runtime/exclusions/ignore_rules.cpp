// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/ignore_rules.h"

#include <algorithm>
#include <utility>

namespace waferpair::exclusions {
namespace {

constexpr std::uint64_t kHashStart = 0xcbf29ce484222325;

// FNV-1a, a byte at a time: a name's affixes of all lengths cost one pass.
std::uint64_t hashWith(std::uint64_t hash, char byte) {
  return (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
}

// Blanks at the end do not count, unless escaped.
std::string_view withoutBlanks(std::string_view line) {
  std::size_t blank = line.npos;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ' ') {
      blank = std::min(blank, i);
    } else {
      if (line[i] == '\\' && ++i == line.size()) return line;
      blank = line.npos;
    }
  }
  return line.substr(0, blank);
}

}  // namespace

IgnoreRules::IgnoreRules(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = line.substr(0, line.find('\0'));
    if (!line.empty() && line[0] != '#') add(withoutBlanks(line), number);
  }
}

void IgnoreRules::add(std::string_view line, int number) {
  const std::string_view source = line;
  const bool excludes = !line.starts_with('!');
  if (!excludes) line.remove_prefix(1);
  const bool foldersOnly = line.ends_with('/');
  if (foldersOnly) line.remove_suffix(1);
  const bool nameOnly = line.find('/') == line.npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return;
  const auto refuse = [&](const std::string& why) {
    if (problem_.empty()) problem_ = "line " + std::to_string(number) + " " + why;
  };
  if (line.size() > kLongestPattern) return refuse("is too long");

  Glob glob(line, !nameOnly);
  const auto index = static_cast<std::uint32_t>(rules_.size());
  const std::string tail = glob.tail();
  const std::string head = glob.head();
  const std::size_t length = std::min(std::max(tail.size(), head.size()), kLongestKey);
  std::vector<std::uint32_t>* found = &open_;
  if (length > 0) {
    const bool byTail = tail.size() >= head.size();
    std::uint64_t hash = kHashStart;
    for (std::size_t i = 0; i < length; ++i)
      hash = hashWith(hash, byTail ? tail[tail.size() - 1 - i] : head[i]);
    found = &(byTail ? byTail_ : byHead_)[hash];
    (byTail ? tailLengths_ : headLengths_) |= std::uint64_t{1} << (length - 1);
  }
  if (found->size() >= kMostOfKey) return refuse("is one of too many that are alike");
  found->push_back(index);
  const std::uint64_t needs = glob.needs();
  rules_.push_back(
      {std::move(glob), needs, std::string(source), number, nameOnly, foldersOnly, excludes});
}

// Ascending, so that the last one that matches decides.
void IgnoreRules::tryAll(const std::vector<std::uint32_t>& rules, const Asked& asked,
                         std::int64_t* best) const {
  for (auto index = rules.rbegin(); index != rules.rend() && *index > *best; ++index) {
    const Rule& rule = rules_[*index];
    if (rule.foldersOnly && !asked.isFolder) continue;
    if ((rule.needs & ~(rule.nameOnly ? asked.nameBytes : asked.pathBytes)) != 0) continue;
    if (rule.glob.matches(rule.nameOnly ? asked.name : asked.path)) {
      *best = *index;
      return;
    }
  }
}

std::optional<IgnoreRules::Match> IgnoreRules::match(std::string_view path, bool isFolder) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const Asked asked{path, name, Glob::bytesIn(path), Glob::bytesIn(name), isFolder};
  std::int64_t best = -1;
  tryAll(open_, asked, &best);
  const auto look = [&](const Index& index, std::uint64_t lengths, auto byteAt) {
    std::uint64_t hash = kHashStart;
    for (std::size_t i = 0; i < std::min(name.size(), kLongestKey) && lengths >> i != 0; ++i) {
      hash = hashWith(hash, byteAt(i));
      if ((lengths >> i & 1) == 0) continue;
      const auto found = index.find(hash);
      if (found != index.end()) tryAll(found->second, asked, &best);
    }
  };
  look(byTail_, tailLengths_, [name](std::size_t i) { return name[name.size() - 1 - i]; });
  look(byHead_, headLengths_, [name](std::size_t i) { return name[i]; });
  if (best < 0) return std::nullopt;
  const Rule& rule = rules_[static_cast<std::size_t>(best)];
  return Match{rule.excludes, rule.source, rule.line};
}

}  // namespace waferpair::exclusions
