// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/exclusions.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "runtime/base/guest_file.h"
#include "runtime/base/utf8.h"
#include "runtime/exclusions/link_names.h"
#include "runtime/exclusions/open_folders.h"
#include "runtime/exclusions/secret_names.h"

namespace waferpair::exclusions {
namespace {

std::string fileIn(const std::string& folder) { return folder + '/' + std::string(kIgnoreFile); }

// "" is the root of the file system: a '/' and a name behind a folder make a path in it.
std::string folderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

bool isInside(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

bool isRepository(const std::string& folder) { return FileStamp::of(folder + "/.git").exists; }

using std::chrono::milliseconds;
constexpr milliseconds kStep(20);
constexpr milliseconds kWriting(500);

bool isYounger(const FileStamp& stamp, milliseconds age) {
  const auto changed =
      std::chrono::seconds(stamp.changed.tv_sec) + std::chrono::nanoseconds(stamp.changed.tv_nsec);
  return std::chrono::system_clock::now().time_since_epoch() - changed < age;
}

std::string quoted(std::string_view pattern) { return "“" + std::string(pattern) + "”"; }

}  // namespace

ReadRules readRules(const std::string& file) {
  ReadRules read;
  read.stamp = FileStamp::of(file);
  // Times of change have steps of some milliseconds: another change within one would not be seen.
  if (read.stamp.exists && isYounger(read.stamp, kStep)) read.stamp.changed = {};
  const auto text = base::readGuestFile(file, kLongestIgnoreFile);
  if (!text) {
    read.problem = text.error().message();
  } else if (*text) {
    auto rules = std::make_shared<const IgnoreRules>(**text);
    if (rules->problem().empty()) {
      read.rules = std::move(rules);
    } else {
      read.problem = file + ": " + rules->problem() + ". Make the rules simpler.";
    }
  }
  return read;
}

Exclusions::Exclusions(const std::string& project, std::size_t readAtOnce)
    : readAtOnce_(readAtOnce) {
  if (!project.empty()) {
    const std::vector<std::string> names = namesOf(project);
    projects_ = {names.front(), names.back()};
    for (std::string& each : projects_)
      if (each == "/") each.clear();
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    home_ = namesOf(home).back();
}

std::string Exclusions::reason(std::string_view path) {
  // It could be named in no message, and what is written in its place may be the name of another.
  if (!base::isUtf8(path)) return "the model is never shown files whose names are not UTF-8";
  const std::vector<std::string> names = namesOf(path);
  for (const std::string& name : names) {
    std::string reason = reasonOfName(name);
    if (reason.empty()) continue;
    return &name == &names.front() ? reason : "leads to " + shown(name) + ": " + reason;
  }
  return {};
}

std::string Exclusions::reasonOfName(const std::string& name) {
  if (const std::string_view pattern = secretPatternOf(name); !pattern.empty())
    return "the model is never shown files named " + std::string(pattern);
  RuleChain chain;
  for (const std::string& folder : ruleFolders(name)) {
    const ReadRules& read = rulesIn(folder);
    if (!read.problem.empty()) return "held back from the model: " + read.problem;
    if (read.rules && !read.rules->empty()) chain.push_back({folder, fileIn(folder), read.rules});
  }
  std::reverse(chain.begin(), chain.end());
  const auto verdict = exclusionOf(chain, name);
  if (!verdict) return {};
  return "excluded by " + quoted(verdict->match.pattern) + " in " + shown(verdict->of->file) +
         ", line " + std::to_string(verdict->match.line);
}

// Returns the path as a person would name it.
std::string Exclusions::shown(const std::string& path) const {
  for (const std::string& project : projects_)
    if (isInside(path, project)) return path.substr(project.size() + 1);
  return path;
}

// The innermost first.
std::vector<std::string> Exclusions::ruleFolders(const std::string& name) const {
  std::vector<std::string> folders;
  const auto inProject = [this](const std::string& folder) {
    return isInOpenFolder(folder) ||
           std::any_of(projects_.begin(), projects_.end(),
                       [&](const std::string& project) { return isInside(folder, project); });
  };
  for (std::string folder = folderOf(name);; folder = folderOf(folder)) {
    folders.push_back(folder);
    if (folder.empty()) return folders;
    if (!inProject(folder) && (folder == home_ || isRepository(folder))) return folders;
  }
}

const ReadRules& Exclusions::rulesIn(const std::string& folder) {
  const std::string file = fileIn(folder);
  const FileStamp stamp = FileStamp::of(file);
  const auto known = known_.find(folder);
  if (known != known_.end() && known->second.stamp == stamp) return known->second;
  ReadRules& read = known_[folder];
  // Whoever writes a file anew has often emptied it first: that takes no rule back.
  if (read.rules && stamp.exists && stamp.bytes == 0 && isYounger(stamp, kWriting)) return read;
  if (static_cast<std::size_t>(stamp.bytes) <= readAtOnce_ ||
      static_cast<std::size_t>(stamp.bytes) > kLongestIgnoreFile) {
    return read = readRules(file);
  }
  read = {{}, nullptr, file + " is being read."};
  return read;
}

std::vector<std::string> Exclusions::unread() const {
  std::vector<std::string> files;
  for (const auto& [folder, read] : known_)
    if (!read.problem.empty() && !read.stamp.exists && FileStamp::of(fileIn(folder)).exists)
      files.push_back(fileIn(folder));
  return files;
}

void Exclusions::take(const std::string& file, ReadRules rules) {
  known_[folderOf(file)] = std::move(rules);
}

std::vector<std::string> Exclusions::foldersOf(std::string_view path) const {
  std::vector<std::string> folders;
  for (const std::string& name : namesOf(path)) {
    for (std::string& folder : ruleFolders(name)) {
      if (folder.empty()) folder = "/";
      if (std::find(folders.begin(), folders.end(), folder) == folders.end())
        folders.push_back(std::move(folder));
    }
  }
  return folders;
}

}  // namespace waferpair::exclusions
