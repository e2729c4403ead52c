// SPDX-License-Identifier: GPL-3.0-or-later
// A file that grows as it is fetched, with the SHA-256 of what it holds, and becomes another name's
// when it is whole and right. Only one program at a time has it. Any thread, one at a time.
#pragma once

#include <QByteArray>
#include <QCryptographicHash>
#include <functional>
#include <memory>
#include <optional>

#include "editor/text/result.h"
#include "pairing/downloads/hub_folder.h"
#include "runtime/base/file_lock.h"

namespace waferpair::pairing {

class PartFile {
 public:
  // Called now and then with the bytes that have been read; false: stop.
  using OnRead = std::function<bool(qint64 bytes)>;

  // Takes the lock and opens what is there. The error says who is in the way.
  static editor::Result<std::unique_ptr<PartFile>> open(const HubFolder& folder,
                                                        const HubFile& file);
  // Leaves the part where it is, for the next time.
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  qint64 size() const { return size_; }
  // Reads what an earlier program left, once, before anything is appended. False: it was stopped.
  editor::Result<bool> readKept(const OnRead& onRead);
  // Fails where the disk is full or broken: what was there is kept.
  editor::Result<void> append(const QByteArray& bytes);
  // Begins again with nothing.
  editor::Result<void> clear();
  // The bytes that are missing on that disk for the whole file; 0: none, or nobody can tell.
  qint64 missingRoom() const;
  // Puts it in place as the blob. A file whose SHA-256 is another one is removed, which is said.
  editor::Result<void> finish();

 private:
  PartFile(const HubFolder& folder, const HubFile& file, base::FileLock lock, int fd, qint64 size);
  editor::Error writeFailure(int error) const;

  HubFolder folder_;
  HubFile file_;
  base::FileLock lock_;
  int fd_;
  qint64 size_;
  QCryptographicHash hash_{QCryptographicHash::Sha256};
};

// The SHA-256 of a file, in hexadecimal digits; nothing if it was stopped.
editor::Result<std::optional<QByteArray>> sha256Of(const QString& path,
                                                   const PartFile::OnRead& onRead);

}  // namespace waferpair::pairing
