// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/changes/disk_texts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "editor/text/kept_bytes.h"
#include "editor/text/quoted.h"
#include "editor/text/text_file.h"
#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

constexpr auto kExecutable = QFile::ExeOwner | QFile::ExeGroup | QFile::ExeOther;

// Whoever may read it may run it.
void makeExecutable(const QString& path) {
  QFile::Permissions permissions = QFile::permissions(path);
  permissions |= QFile::ExeOwner;
  if (permissions.testFlag(QFile::ReadGroup)) permissions |= QFile::ExeGroup;
  if (permissions.testFlag(QFile::ReadOther)) permissions |= QFile::ExeOther;
  QFile::setPermissions(path, permissions);
}

}  // namespace

editor::Result<FileText> DiskTexts::read(const QString& path) {
  const QFileInfo info(path);
  if (!info.exists() && !info.isSymLink()) return FileText();
  const auto file = editor::TextFile::open(path);
  if (!file) return tl::unexpected(file.error());
  if (file->safeMode() == editor::SafeMode::kBinary)
    return editor::fail(translate("%1 is a binary file.").arg(editor::quotedPath(path)));
  if (file->size() > kMostBytes)
    return editor::fail(
        translate("%1 is too large: it has more than 8 MiB.").arg(editor::quotedPath(path)));
  const auto text = file->readText();
  if (!text) return tl::unexpected(text.error());
  return FileText{true, *text, file->encoding(), (info.permissions() & kExecutable) != 0};
}

editor::Result<void> DiskTexts::write(const QString& path, const FileText& text) {
  if (!text.exists) {
    QFile file(path);
    if (!file.exists() || file.remove()) return {};
    return editor::fail(
        translate("%1 can't be deleted: %2.").arg(editor::quotedPath(path), file.errorString()));
  }
  const bool isNew = !QFileInfo::exists(path);
  const QString folder = QFileInfo(path).path();
  if (isNew && !QDir().mkpath(folder))
    return editor::fail(translate("The folder %1 can't be made.").arg(editor::quotedPath(folder)));
  auto file = isNew ? editor::TextFile::create(path) : editor::TextFile::open(path);
  if (!file) return tl::unexpected(file.error());
  if (isNew) file->setEncoding(text.encoding);
  editor::Snapshot kept = text.text;
  if (file->strayBytes() > 0) {
    const auto before = file->readText();
    if (!before) return tl::unexpected(before.error());
    const auto made = editor::withBytesOf(*before, kept);
    if (!made)
      return editor::fail(translate("The change of %1 would replace bytes that are no characters.")
                              .arg(editor::quotedPath(path)),
                          translate("Make it by hand, or replace those bytes first."));
    kept = *made;
  }
  const auto saved = file->save(kept.toByteArray());
  if (!saved) return tl::unexpected(editor::Error(saved.error()));
  if (isNew && text.isExecutable) makeExecutable(path);
  return {};
}

}  // namespace waferpair::pairing
