// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/text_document.h"

#include <utility>

#include "editor/text/kept_bytes.h"
#include "editor/text/quoted.h"
#include "editor/text/translate.h"

namespace waferpair::editor {

namespace {

tl::unexpected<Error> failBinary(const TextFile& file) {
  return fail(translate("%1 is a binary file.").arg(quotedPath(file.path())),
              translate("Edit it with a program made for its kind."));
}

tl::unexpected<Error> failStray(qint64 line) {
  return fail(translate("The change from line %1 on would replace bytes that are no characters.")
                  .arg(line + 1),
              translate("Make it by hand, or replace those bytes first."));
}

}  // namespace

Result<std::unique_ptr<TextDocument>> TextDocument::open(const QString& path,
                                                         std::optional<Encoding> as) {
  Result<TextFile> file = TextFile::open(path, as);
  if (!file) return tl::unexpected<Error>(file.error());
  if (file->safeMode() == SafeMode::kBinary) return failBinary(*file);
  auto document = std::make_unique<TextDocument>();
  if (const auto loaded = document->load(std::move(*file)); !loaded)
    return tl::unexpected<Error>(loaded.error());
  return document;
}

std::unique_ptr<TextDocument> TextDocument::create(const QString& path) {
  return std::unique_ptr<TextDocument>(new TextDocument(TextFile::create(path)));
}

void TextDocument::setEncoding(Encoding encoding) {
  if (encoding == file_.encoding()) return;
  file_.setEncoding(encoding);
  otherEncoding_ = !path().isEmpty();
}

Result<void> TextDocument::apply(const QVector<TextEdit>& edits) {
  if (isBinary()) return failBinary(file_);
  buffer_.settle();
  return buffer_.apply(buffer_.version(), edits);
}

Result<void> TextDocument::applyShown(const QVector<TextEdit>& edits) {
  if (isBinary()) return failBinary(file_);
  buffer_.settle();
  QVector<TextEdit> kept = edits;
  Snapshot now = snapshot();
  for (TextEdit& edit : kept) {
    // Of what is no range of the text Buffer::apply() says so.
    if (edit.start < 0 || edit.end < edit.start || edit.end > now.size()) break;
    const auto text = withBytesOf(now.slice(edit.start, edit.end), edit.text);
    if (!text) return failStray(now.lineAt(edit.start));
    edit.text = *text;
    if (kept.size() > 1) now = now.edited(edit);
  }
  return buffer_.apply(buffer_.version(), kept);
}

Result<void> TextDocument::replaceText(const Snapshot& text) {
  if (isBinary()) return failBinary(file_);
  buffer_.replaceText(text);
  return {};
}

void TextDocument::isAsOnDisk() {
  otherEncoding_ = gone_ = isUnsaved_ = false;
  buffer_.markSaved();
}

// -- Reading

Result<void> TextDocument::load(const QString& path) {
  Result<TextFile> file = TextFile::open(path);
  if (!file) return tl::unexpected<Error>(file.error());
  return load(std::move(*file));
}

void TextDocument::load(const PreparedText& prepared) {
  buffer_.load(prepared);
  file_ = prepared.file;
  isAsOnDisk();
  isUnsaved_ = prepared.isUnsaved;
}

Result<void> TextDocument::load(TextFile file) {
  if (auto loaded = buffer_.load(file); !loaded) return loaded;
  file_ = std::move(file);
  isAsOnDisk();
  return {};
}

Result<void> TextDocument::revert(const std::function<void()>& beforeReplacing) {
  Result<TextFile> file = file_.openAgain();
  if (!file) return tl::unexpected<Error>(file.error());
  return readAgain(std::move(*file), beforeReplacing);
}

Result<void> TextDocument::openRaw(const std::function<void()>& beforeReplacing) {
  Result<TextFile> file = TextFile::openRaw(path());
  if (!file) return tl::unexpected<Error>(file.error());
  return readAgain(std::move(*file), beforeReplacing);
}

Result<bool> TextDocument::reopen(Encoding encoding, const std::function<void()>& beforeReplacing) {
  Result<TextFile> file = TextFile::open(path(), encoding);
  if (!file) return tl::unexpected<Error>(file.error());
  if (file->encoding() != encoding) return false;
  return readAgain(std::move(*file), beforeReplacing).map([] { return true; });
}

Result<void> TextDocument::readAgain(TextFile file, const std::function<void()>& beforeReplacing) {
  // In another safe mode other things are on and off: that takes a fresh start.
  if (file.safeMode() != file_.safeMode() || isBinary()) {
    if (beforeReplacing) beforeReplacing();
    return load(std::move(file));
  }
  const Result<Snapshot> text = file.readText();
  if (!text) return tl::unexpected<Error>(text.error());
  if (beforeReplacing) beforeReplacing();
  file_ = std::move(file);
  buffer_.replaceText(*text);
  isAsOnDisk();
  return {};
}

Result<void> TextDocument::recover(const Snapshot& text, const FileStamp& madeFrom) {
  if (isBinary()) return failBinary(file_);
  file_.setMadeFrom(madeFrom);
  buffer_.replaceText(text);
  return {};
}

// -- Writing

SaveResult TextDocument::save() {
  Q_ASSERT(!path().isEmpty());
  buffer_.settle();
  return afterSave(path(), file_.save(snapshot().toByteArray()));
}

SaveResult TextDocument::saveAs(const QString& path) {
  buffer_.settle();
  return afterSave(path, file_.saveAs(path, snapshot().toByteArray()));
}

SaveResult TextDocument::afterSave(const QString& path, SaveResult result) {
  if (result) {
    isAsOnDisk();
  } else if (path == this->path() && !result.error().missingFolder.isEmpty()) {
    gone_ = true;
  }
  return result;
}

OutsideChange TextDocument::outsideChange() {
  const OutsideChange change = file_.outsideChange();
  gone_ = change == OutsideChange::kDeleted;
  return change;
}

}  // namespace waferpair::editor
