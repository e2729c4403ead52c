// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/open_folders.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "runtime/exclusions/link_names.h"

namespace waferpair::exclusions {
namespace {

struct Held {
  std::mutex mutex;
  std::map<const OpenFolders*, std::vector<std::string>> folders;
};

Held& held() {
  static Held all;
  return all;
}

bool isBelow(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace

OpenFolders::~OpenFolders() { set({}); }

void OpenFolders::set(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    if (folder.empty()) continue;
    const std::vector<std::string> all = namesOf(folder);
    for (const std::string& name : {all.front(), all.back()})
      names.push_back(name == "/" ? std::string() : name);
  }
  const std::lock_guard lock(held().mutex);
  if (names.empty()) {
    held().folders.erase(this);
  } else {
    held().folders[this] = std::move(names);
  }
}

bool isInOpenFolder(const std::string& path) {
  const std::lock_guard lock(held().mutex);
  for (const auto& [owner, folders] : held().folders)
    if (std::any_of(folders.begin(), folders.end(),
                    [&](const std::string& folder) { return isBelow(path, folder); }))
      return true;
  return false;
}

}  // namespace waferpair::exclusions
