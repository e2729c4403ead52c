// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/small_disk.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

namespace waferpair::test {
namespace {

SmallDisk* theDisk = nullptr;

bool writeText(const char* path, const std::string& text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool written = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  return written;
}

// A user namespace in which this user is who they were. What it brings of root's rights goes, but
// for mounting: tests of permissions must be refused as ever.
bool enterAsUser() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  writeText("/proc/self/setgroups", "deny");
  const auto same = [](unsigned id) {
    return std::to_string(id) + " " + std::to_string(id) + " 1";
  };
  return writeText("/proc/self/uid_map", same(user)) &&
         writeText("/proc/self/gid_map", same(group));
}

bool keepOnlyMounting() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  data[0].permitted = data[0].effective = 1U << CAP_SYS_ADMIN;
  return syscall(SYS_capset, &header, data.data()) == 0;
}

}  // namespace

SmallDisk::SmallDisk(std::size_t bytes) {
  theDisk = this;
  const auto failed = [this](const char* doing) {
    problem_ = std::string("no disk of one's own here: ") + doing + ": " + std::strerror(errno);
  };
  std::string path = std::filesystem::temp_directory_path() / "small-disk-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    failed("mkdtemp");
    return;
  }
  const bool root = geteuid() == 0;
  const std::string options = "mode=0777,size=" + std::to_string(bytes);
  if (!(root ? unshare(CLONE_NEWNS) == 0 : enterAsUser())) {
    failed("unshare");
  } else if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
             mount("tmpfs", path.c_str(), "tmpfs", 0, options.c_str()) != 0) {
    failed("mount");
  } else {
    path_ = path;
    if (!root && !keepOnlyMounting()) failed("capset");
  }
  if (path_.empty()) rmdir(path.c_str());
}

SmallDisk::~SmallDisk() {
  if (!path_.empty() && umount2(path_.c_str(), MNT_DETACH) == 0) rmdir(path_.c_str());
  theDisk = nullptr;
}

SmallDisk* SmallDisk::instance() { return theDisk; }

bool SmallDisk::fill(std::size_t leave) const {
  struct statvfs disk;
  if (statvfs(path_.c_str(), &disk) != 0) return false;
  const std::size_t room = disk.f_bavail * disk.f_frsize;
  if (room < leave) return false;
  const std::string ballast = path_ + "/ballast";
  const int fd = open(ballast.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  const std::vector<char> bytes(room - leave, 'b');
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t put = write(fd, bytes.data() + written, bytes.size() - written);
    if (put <= 0) break;
    written += static_cast<std::size_t>(put);
  }
  close(fd);
  return statvfs(path_.c_str(), &disk) == 0 && disk.f_bavail * disk.f_frsize <= leave;
}

void SmallDisk::empty() const {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(path_, ignored))
    std::filesystem::remove_all(entry.path(), ignored);
}

}  // namespace waferpair::test
