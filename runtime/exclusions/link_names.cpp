// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/link_names.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <filesystem>

namespace waferpair::exclusions {
namespace {

constexpr int kMostLinks = 40;  // as the kernel

void split(std::string_view path, std::deque<std::string>* front) {
  std::deque<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  front->insert(front->begin(), parts.begin(), parts.end());
}

void leave(std::string* folder) { folder->resize(std::min(folder->rfind('/'), folder->size())); }

}  // namespace

std::string cleanPath(std::string_view path) {
  std::deque<std::string> parts;
  split(path, &parts);
  if (!path.starts_with('/')) {
    std::error_code ignored;
    split(std::filesystem::current_path(ignored).native(), &parts);
  }
  std::string clean;
  for (const std::string& part : parts) {
    if (part == "..") {
      if (!clean.empty()) leave(&clean);
    } else if (part != ".") {
      clean += '/' + part;
    }
  }
  return clean.empty() ? "/" : clean;
}

std::vector<std::string> namesOf(std::string_view path) {
  std::vector<std::string> names = {cleanPath(path)};
  std::deque<std::string> rest;
  split(names.front(), &rest);
  std::string folder;  // resolved
  for (int links = 0; !rest.empty();) {
    const std::string part = std::move(rest.front());
    rest.pop_front();
    if (part == ".") continue;
    if (part == "..") {
      if (!folder.empty()) leave(&folder);
      continue;
    }
    const std::string here = folder + '/' + part;
    char target[PATH_MAX];
    const ssize_t length = ::readlink(here.c_str(), target, sizeof target);
    if (length <= 0) {
      folder = here;
      continue;
    }
    if (++links > kMostLinks) break;
    const std::string_view to(target, static_cast<std::size_t>(length));
    if (to.starts_with('/')) folder.clear();
    split(to, &rest);
    std::string name = folder;
    for (const std::string& each : rest) name += '/' + each;
    names.push_back(cleanPath(name));
  }
  return names;
}

}  // namespace waferpair::exclusions
