// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/file_attributes.h"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <QList>
#include <cerrno>

#include "editor/text/translate.h"

namespace waferpair::editor {
namespace {

constexpr mode_t kModeBits = 07777;
constexpr char kAccessList[] = "system.posix_acl_access";
constexpr char kCapability[] = "security.capability";

// File systems and containers refuse attributes in many ways; these say that the disk is at fault.
bool isOfTheDisk(int error) { return error == ENOSPC || error == EDQUOT || error == EIO; }

// Asks for the size, then for the bytes, again while they grow in between. False, with errno.
template <typename Get>
bool getSized(Get get, QByteArray* bytes) {
  while (true) {
    const ssize_t size = get(nullptr, 0);
    if (size < 0) return false;
    bytes->resize(size);
    if (size == 0) return true;
    const ssize_t got = get(bytes->data(), static_cast<std::size_t>(size));
    if (got >= 0) {
      bytes->resize(got);
      return true;
    }
    if (errno != ERANGE) return false;
  }
}

}  // namespace

std::optional<FileAttributes> FileAttributes::of(int descriptor) {
  struct stat info;
  if (fstat(descriptor, &info) != 0) return std::nullopt;
  FileAttributes found{info.st_uid, info.st_gid, info.st_mode & kModeBits, {}};
  QByteArray names;
  if (!getSized([&](char* to, std::size_t room) { return flistxattr(descriptor, to, room); },
                &names)) {
    if (errno == ENOTSUP || errno == ENOSYS) return found;  // a file system without attributes
    return std::nullopt;
  }
  const QList<QByteArray> all = names.split('\0');
  for (const QByteArray& name : all) {
    if (name.isEmpty()) continue;  // behind the last NUL
    QByteArray value;
    if (getSized([&](char* to, std::size_t room) { return fgetxattr(descriptor, name, to, room); },
                 &value)) {
      found.extended.insert(name, value);
    } else if (isOfTheDisk(errno)) {
      return std::nullopt;
    }
  }
  return found;
}

FileAttributes::Applied FileAttributes::applyTo(int descriptor) const {
  const std::optional<FileAttributes> before = of(descriptor);
  if (!before) return Applied::kFailed;
  Applied applied = Applied::kAll;
  // False to go no further.
  const auto check = [&applied](int result) {
    if (result == 0) return true;
    applied = isOfTheDisk(errno) ? Applied::kFailed : Applied::kNotAll;
    return applied == Applied::kNotAll;
  };
  if (before->owner != owner && !check(fchown(descriptor, owner, static_cast<gid_t>(-1))))
    return applied;
  if (before->group != group && !check(fchown(descriptor, static_cast<uid_t>(-1), group)))
    return applied;
  for (auto it = before->extended.cbegin(); it != before->extended.cend(); ++it) {
    if (!extended.contains(it.key()) && !check(fremovexattr(descriptor, it.key()))) return applied;
  }
  for (auto it = extended.cbegin(); it != extended.cend(); ++it) {
    if (before->extended.contains(it.key()) && before->extended[it.key()] == it.value()) continue;
    if (!check(fsetxattr(descriptor, it.key(), it.value().constData(),
                         static_cast<std::size_t>(it.value().size()), 0))) {
      return applied;
    }
  }
  // Last: a change of owner takes set-user-ID away, and an access list writes into the mode.
  const std::optional<FileAttributes> now = of(descriptor);
  if (!now) return Applied::kFailed;
  if (now->mode != mode) check(fchmod(descriptor, mode));
  return applied;
}

QStringList FileAttributes::lostIn(const FileAttributes& now) const {
  QStringList lost;
  if (now.owner != owner) lost.append(translate("its owner"));
  if (now.group != group) lost.append(translate("its group"));
  if (now.mode != mode) lost.append(translate("its permissions %1").arg(mode, 4, 8, QChar(u'0')));
  for (auto it = extended.cbegin(); it != extended.cend(); ++it) {
    if (now.extended.contains(it.key()) && now.extended[it.key()] == it.value()) continue;
    if (it.key() == kAccessList) {
      lost.append(translate("its access control list"));
    } else if (it.key() == kCapability) {
      lost.append(translate("its capabilities"));
    } else {
      lost.append(translate("the attribute %1").arg(QString::fromUtf8(it.key())));
    }
  }
  return lost;
}

}  // namespace waferpair::editor
