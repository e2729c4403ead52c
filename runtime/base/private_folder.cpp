// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/base/private_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace waferpair::base {

Result<std::string> privateFolder(const std::string& otherwise) {
  std::string path;
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime && *runtime == '/')
    path = std::string(runtime) + "/waferpair";
  else if (const char* home = std::getenv("HOME"); home && *home == '/')
    // A folder of its own: the editor keeps its state beside it, with the rights it likes.
    path = std::string(home) + "/.local/state/waferpair/servers";
  else
    return fail("Neither XDG_RUNTIME_DIR nor HOME names a folder that is yours alone.",
                "Set one of them. " + otherwise);
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return fail("The folder " + path + " cannot be made: " + std::strerror(errno) + ".", otherwise);
  struct stat info;
  if (lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
      (info.st_mode & 077) != 0)
    return fail(path + " is not a folder that only you can enter.",
                "Run: chmod 700 " + path + " (or remove it).");
  return path;
}

}  // namespace waferpair::base
