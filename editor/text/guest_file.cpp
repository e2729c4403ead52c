// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/guest_file.h"

#include "editor/text/path_bytes.h"
#include "editor/text/quoted.h"
#include "editor/text/translate.h"
#include "runtime/base/guest_file.h"

namespace waferpair::editor {
namespace {

constexpr std::size_t kGuestPiece = 1 << 20;

}  // namespace

Result<std::optional<QByteArray>> readGuestFile(const QString& path, qint64 most) {
  const auto bytes = base::readGuestFile(nativePath(path), static_cast<std::size_t>(most));
  if (!bytes) {
    return fail(QString::fromStdString(bytes.error().what),
                QString::fromStdString(bytes.error().remedy));
  }
  if (!*bytes) return std::nullopt;
  return QByteArray::fromStdString(**bytes);
}

Result<void> readGuestPieces(const QString& path,
                             const std::function<bool(const QByteArray&)>& use) {
  const auto file = base::GuestFile::open(nativePath(path));
  if (!file || !*file) {
    const QString why = file ? translate("there is no such file")
                             : QString::fromStdString(file.error().what).chopped(1);
    return fail(translate("%1 could not be read: %2.").arg(quotedPath(path), why),
                translate("Check that it exists and that you may read it."));
  }
  for (std::size_t at = 0;; at += kGuestPiece) {
    QByteArray bytes(kGuestPiece, Qt::Uninitialized);
    const auto got = (*file)->read(bytes.data(), kGuestPiece, at);
    if (!got) {
      return fail(translate("Reading %1 stopped midway: %2")
                      .arg(quotedPath(path), QString::fromStdString(got.error().what)),
                  translate("Check the disk, then open it again."));
    }
    bytes.truncate(static_cast<qsizetype>(*got));
    if (!bytes.isEmpty() && !use(bytes)) break;
    if (*got < kGuestPiece) break;
  }
  return {};
}

}  // namespace waferpair::editor
