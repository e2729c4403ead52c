// SPDX-License-Identifier: GPL-3.0-or-later
// runtime/base/guest_file.h for whoever has Qt's texts: the one way to read what lies below a
// project. Any thread.
#pragma once

#include <QByteArray>
#include <QString>
#include <functional>
#include <optional>

#include "editor/text/result.h"

namespace waferpair::editor {

// The bytes of the regular file `path`, at most `most` of them; nullopt if there is no such file.
// A folder, a FIFO, a socket, a device, what the kernel says of itself, a longer file and one that
// may not be read are refused with the reason and the remedy.
Result<std::optional<QByteArray>> readGuestFile(const QString& path, qint64 most);

// The same for whoever has nothing to say of it: no bytes where there is no such file.
inline QByteArray guestBytes(const QString& path, qint64 most) {
  const auto bytes = readGuestFile(path, most);
  return bytes ? bytes->value_or(QByteArray()) : QByteArray();
}

// The bytes of such a file of any length, in pieces of 1 MiB, until `use` returns false.
Result<void> readGuestPieces(const QString& path,
                             const std::function<bool(const QByteArray&)>& use);

}  // namespace waferpair::editor
