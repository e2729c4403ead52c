// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/base/private_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace waferpair::base {
namespace {

// The variable's value, if it is an absolute path; empty otherwise.
std::string pathIn(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value == '/' ? value : "";
}

// A folder of its own: the editor keeps its state beside it, with the rights it likes. Empty where
// there is no home.
std::string stateFolder(const std::string& home, const std::string& name) {
  return home.empty() ? home : home + "/waferpair/" + name;
}

std::string stateHome() {
  if (std::string chosen = pathIn("XDG_STATE_HOME"); !chosen.empty()) return chosen;
  const std::string home = pathIn("HOME");
  return home.empty() ? home : home + "/.local/state";
}

bool isPrivate(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
         (info.st_mode & 077) == 0;
}

Result<std::string> made(const std::string& path, const std::string& otherwise) {
  std::error_code error;
  // The program's folder above it is as private: others of its folders may lie there.
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  std::filesystem::create_directories(parent.parent_path(), error);
  (void)mkdir(parent.c_str(), 0700);  // where it fails, so does the next
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return fail("The folder " + path + " cannot be made: " + std::strerror(errno) + ".", otherwise);
  if (!isPrivate(path))
    return fail(path + " is not a folder that only you can enter.",
                "Run: chmod 700 " + path + " (or remove it).");
  return path;
}

}  // namespace

Result<std::string> privateFolder(const std::string& otherwise) {
  if (const std::string runtime = pathIn("XDG_RUNTIME_DIR"); !runtime.empty())
    return made(runtime + "/waferpair", otherwise);
  const std::string home = pathIn("HOME");
  if (home.empty())
    return fail("Neither XDG_RUNTIME_DIR nor HOME names a folder that is yours alone.",
                "Set one of them. " + otherwise);
  return made(stateFolder(home + "/.local/state", "servers"), otherwise);
}

Result<std::string> privateStateFolder(const std::string& name, const std::string& otherwise) {
  const std::string path = stateFolder(stateHome(), name);
  if (path.empty())
    return fail("Neither XDG_STATE_HOME nor HOME names a folder that is yours alone.",
                "Set one of them. " + otherwise);
  return made(path, otherwise);
}

std::optional<std::string> findPrivateStateFolder(const std::string& name) {
  const std::string path = stateFolder(stateHome(), name);
  if (path.empty() || !isPrivate(path)) return std::nullopt;
  return path;
}

}  // namespace waferpair::base
