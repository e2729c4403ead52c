// SPDX-License-Identifier: GPL-3.0-or-later
// The gate: which files are never shown to the model. Secrets by name (secret_names.h), files whose
// paths are no UTF-8, and what the .waferpairignore files say that lie in the file's folder and
// those above it, up to the repository's root, the home folder or the root of the file system; but
// never short of the open project's root, or of another folder that a window has open
// (open_folders.h). A file is judged by all the names that its links give it.
//
// Each question looks at the disk anew, at the cost of one stat() a folder: an answer is never
// older than its question.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/exclusions/file_stamp.h"
#include "runtime/exclusions/rule_chain.h"

namespace waferpair::exclusions {

inline constexpr std::string_view kIgnoreFile = ".waferpairignore";
// Rules in a file longer than this are not read.
inline constexpr std::size_t kLongestIgnoreFile = 4 << 20;

// A file of rules as it was when it was read.
struct ReadRules {
  FileStamp stamp;
  std::shared_ptr<const IgnoreRules> rules;  // null: no such file, or a problem
  std::string problem;                       // why the rules cannot be known, a sentence
};
// Any thread; reads at most kLongestIgnoreFile bytes, in up to 100 ms.
ReadRules readRules(const std::string& file);

// Not thread-safe; a copy is of its own.
class Exclusions {
 public:
  // `project`: the open project's root; empty: none is open. Files of rules up to `readAtOnce`
  // bytes are read by the question that comes to them first. Longer ones are found in unread();
  // until they are handed in by take(), all that they may have a say about is excluded.
  explicit Exclusions(const std::string& project = {}, std::size_t readAtOnce = kLongestIgnoreFile);

  // Returns why the model may not see `path`, in words for the user: the rule and where it stands,
  // by a path that is relative if it lies in the project. Returns an empty string if the model may
  // see it. If the rules cannot be read, it may not.
  std::string reason(std::string_view path);

  std::vector<std::string> unread() const;
  void take(const std::string& file, ReadRules rules);

  // The folders of `path` and of the files of rules with a say about it, in all its names: a caller
  // that watches them, and the files of rules in them, hears of all that may change the answer.
  std::vector<std::string> foldersOf(std::string_view path) const;

 private:
  std::string reasonOfName(const std::string& name);
  std::string shown(const std::string& path) const;
  std::vector<std::string> ruleFolders(const std::string& name) const;
  const ReadRules& rulesIn(const std::string& folder);

  std::vector<std::string> projects_;  // the root, and the same without links
  std::string home_;
  std::size_t readAtOnce_;
  std::unordered_map<std::string, ReadRules> known_;  // by folder
};

}  // namespace waferpair::exclusions
