// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/text_document.h"

#include <QDir>
#include <utility>

#include "editor/text/line_diff.h"
#include "editor/text/translate.h"

namespace waferpair::editor {

namespace {

Result<Snapshot> readText(const TextFile& file) {
  if (file.safeMode() == SafeMode::kBinary) {
    return fail(translate("“%1” is a binary file.").arg(QDir::toNativeSeparators(file.path())),
                translate("Edit it with a program made for its kind."));
  }
  Snapshot text;
  const Result<void> read =
      file.read([&text](const QByteArray& utf8) { text = text.appended(utf8); });
  if (!read) return tl::unexpected<Error>(read.error());
  return text;
}

}  // namespace

TextDocument::TextDocument(TextFile file, const Snapshot& text)
    : file_(std::move(file)), buffer_(text) {}

Result<std::unique_ptr<TextDocument>> TextDocument::open(const QString& path,
                                                         std::optional<Encoding> as) {
  Result<TextFile> file = TextFile::open(path, as);
  if (!file) return tl::unexpected<Error>(file.error());
  const Result<Snapshot> text = readText(*file);
  if (!text) return tl::unexpected<Error>(text.error());
  return std::unique_ptr<TextDocument>(new TextDocument(std::move(*file), *text));
}

std::unique_ptr<TextDocument> TextDocument::create(const QString& path) {
  return std::unique_ptr<TextDocument>(new TextDocument(TextFile::create(path), {}));
}

void TextDocument::setEncoding(Encoding encoding) {
  if (encoding == file_.encoding()) return;
  file_.setEncoding(encoding);
  otherEncoding_ = true;
}

SaveResult TextDocument::save() {
  buffer_.settle();
  return afterSave(file_.save(snapshot().toByteArray()));
}

SaveResult TextDocument::saveAs(const QString& path) {
  buffer_.settle();
  return afterSave(file_.saveAs(path, snapshot().toByteArray()));
}

SaveResult TextDocument::afterSave(SaveResult result) {
  if (result) {
    otherEncoding_ = false;
    buffer_.markSaved();
  }
  return result;
}

Result<void> TextDocument::revert() {
  Result<TextFile> file = file_.openAgain(file_.path());
  if (!file) return tl::unexpected<Error>(file.error());
  const Result<Snapshot> text = readText(*file);
  if (!text) return tl::unexpected<Error>(text.error());
  buffer_.settle();
  if (auto applied = buffer_.apply(buffer_.version(), lineEdits(snapshot(), *text)); !applied)
    return applied;
  file_ = std::move(*file);
  otherEncoding_ = false;
  buffer_.markSaved();
  return {};
}

}  // namespace waferpair::editor
