// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/downloads/part_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <QFileInfo>
#include <QStorageInfo>
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>

#include "editor/text/translate.h"
#include "runtime/base/output_file.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kReadBytes = 4 << 20;

QString errorText(int error) { return QString::fromLocal8Bit(std::strerror(error)); }

// Reads from the beginning to `size`, which it hashes. False: it was stopped.
editor::Result<bool> hashFrom(int fd, const QString& path, qint64 size, QCryptographicHash& hash,
                              const PartFile::OnRead& onRead) {
  QByteArray buffer(kReadBytes, Qt::Uninitialized);
  for (qint64 at = 0; at < size;) {
    const auto wanted = static_cast<std::size_t>(std::min<qint64>(buffer.size(), size - at));
    const ssize_t got = pread(fd, buffer.data(), wanted, at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      return editor::fail(translate("%1 cannot be read: %2.")
                              .arg(path, got < 0 ? errorText(errno) : translate("it is cut short")),
                          translate("Check that disk."));
    }
    hash.addData(QByteArrayView(buffer.constData(), got));
    at += got;
    if (!onRead(at)) return false;
  }
  return true;
}

}  // namespace

editor::Result<std::unique_ptr<PartFile>> PartFile::open(const HubFolder& folder,
                                                         const HubFile& file) {
  if (const auto made = folder.make(); !made) return tl::unexpected(made.error());
  const std::string lockPath = QFile::encodeName(folder.lock(file)).toStdString();
  auto lock = base::FileLock::create(lockPath);
  if (!lock && errno == EEXIST) lock = base::FileLock::take(lockPath);
  if (!lock && errno == EWOULDBLOCK) {
    return editor::fail(translate("Another program is fetching %1.").arg(file.path),
                        translate("Wait until it is done, then look into the list of models."));
  }
  if (!lock) {
    return editor::fail(
        translate("%1 cannot be locked: %2.").arg(folder.lock(file), errorText(errno)),
        translate("Check who may write there, or set HF_HOME to another folder."));
  }
  const QString path = folder.part(file);
  const int fd = ::open(QFile::encodeName(path).constData(),
                        O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0666);
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    const int error = fd >= 0 ? EINVAL : errno;
    if (fd >= 0) close(fd);
    return editor::fail(translate("%1 cannot be written: %2.").arg(path, errorText(error)),
                        translate("Check who may write there, or set HF_HOME to another folder."));
  }
  std::unique_ptr<PartFile> part(
      new PartFile(folder, file, std::move(*lock), fd, static_cast<qint64>(info.st_size)));
  // A longer one cannot become the file.
  if (part->size_ > file.bytes) {
    if (const auto cleared = part->clear(); !cleared) return tl::unexpected(cleared.error());
  }
  return part;
}

PartFile::PartFile(const HubFolder& folder, const HubFile& file, base::FileLock lock, int fd,
                   qint64 size)
    : folder_(folder), file_(file), lock_(std::move(lock)), fd_(fd), size_(size) {}

PartFile::~PartFile() { close(fd_); }

editor::Result<bool> PartFile::readKept(const OnRead& onRead) {
  return hashFrom(fd_, folder_.part(file_), size_, hash_, onRead);
}

editor::Result<void> PartFile::append(const QByteArray& bytes) {
  // Bytes that go in in spite of an error are not counted, and written again the next time.
  const std::span data(bytes.constData(), static_cast<std::size_t>(bytes.size()));
  if (lseek(fd_, size_, SEEK_SET) < 0 || !base::writeAll(fd_, std::as_bytes(data)))
    return tl::unexpected(writeFailure(errno));
  size_ += bytes.size();
  hash_.addData(bytes);
  return {};
}

editor::Result<void> PartFile::clear() {
  if (ftruncate(fd_, 0) != 0) return tl::unexpected(writeFailure(errno));
  size_ = 0;
  hash_.reset();
  return {};
}

qint64 PartFile::missingRoom() const {
  const QStorageInfo disk(QFileInfo(folder_.part(file_)).path());
  if (!disk.isValid()) return 0;
  return std::max<qint64>(0, file_.bytes - size_ - disk.bytesAvailable());
}

editor::Result<void> PartFile::finish() {
  Q_ASSERT(size_ == file_.bytes);
  if (hash_.result().toHex() != file_.sha256) {
    folder_.removePart(file_);
    return editor::fail(
        translate("What came as %1 is not what the hub has: its SHA-256 is another one. It was "
                  "removed.")
            .arg(file_.path),
        translate("Get it again. If that happens twice, something on the way changes it."));
  }
  const QByteArray from = QFile::encodeName(folder_.part(file_));
  const QByteArray to = QFile::encodeName(folder_.blob(file_));
  if (!base::syncFile(fd_) || ::rename(from.constData(), to.constData()) != 0)
    return tl::unexpected(writeFailure(errno));
  base::syncFolderOf(to.toStdString());
  folder_.removePart(file_);  // its note
  return {};
}

editor::Error PartFile::writeFailure(int error) const {
  const bool isFull = error == ENOSPC || error == EDQUOT;
  return {translate("%1 cannot be written: %2.").arg(folder_.part(file_), errorText(error)),
          isFull ? translate("Make room on that disk and go on, or set HF_HOME to a folder on "
                             "another. What has come is kept.")
                 : translate("Check that disk, or set HF_HOME to a folder on another.")};
}

editor::Result<std::optional<QByteArray>> sha256Of(const QString& path,
                                                   const PartFile::OnRead& onRead) {
  const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0) {
    const int error = errno;
    if (fd >= 0) close(fd);
    return editor::fail(translate("%1 cannot be read: %2.").arg(path, errorText(error)));
  }
  QCryptographicHash hash(QCryptographicHash::Sha256);
  const auto read = hashFrom(fd, path, static_cast<qint64>(info.st_size), hash, onRead);
  close(fd);
  if (!read) return tl::unexpected(read.error());
  if (!*read) return std::optional<QByteArray>();
  return std::optional<QByteArray>(hash.result().toHex());
}

}  // namespace waferpair::pairing
