// SPDX-License-Identifier: GPL-3.0-or-later
// A text that is edited, shown by a widget or not: its file on disk, if it has one, and the buffer
// with its content and undo history. UI thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "editor/text/buffer.h"
#include "editor/text/text_file.h"

namespace waferpair::editor {

class TextDocument {
 public:
  // An empty text without a file, in UTF-8.
  TextDocument() : TextDocument(TextFile::create({})) {}
  // Reads the file; `as` as for TextFile::open(). Fails when it cannot be read or is binary.
  static Result<std::unique_ptr<TextDocument>> open(const QString& path,
                                                    std::optional<Encoding> as = {});
  // A file that is not there yet: empty, UTF-8, and made by save().
  static std::unique_ptr<TextDocument> create(const QString& path);

  const QString& path() const { return file_.path(); }  // empty: no file
  const TextFile& file() const { return file_; }
  Encoding encoding() const { return file_.encoding(); }
  Buffer* buffer() { return &buffer_; }
  const Snapshot& snapshot() const { return buffer_.snapshot(); }
  // A binary file shows its beginning, and can be neither edited nor saved.
  bool isBinary() const { return file_.safeMode() == SafeMode::kBinary; }

  // Saving would change something on disk.
  bool isModified() const { return otherEncoding_ || gone_ || isUnsaved_ || buffer_.isModified(); }
  // The file is no longer on disk, as far as was looked.
  bool isGone() const { return gone_; }
  // Saves in this encoding from now on.
  void setEncoding(Encoding encoding);

  // Both as one undo step. Fail for a binary file, and the first as Buffer::apply() does.
  Result<void> apply(const QVector<TextEdit>& edits);
  Result<void> replaceText(const Snapshot& text);
  // Applies edits of somebody who was shown the text as characters (a language server, a model):
  // bytes that are none stay what they are. Fails, too, where it is not certain which those are.
  Result<void> applyShown(const QVector<TextEdit>& edits);

  // Replaces all by a file, which may be a binary one, with no history. On failure nothing changes.
  Result<void> load(const QString& path);
  // The same of a file that was read before.
  void load(const PreparedText& prepared);
  // Save as TextFile does, without asking whether another program changed the file: see
  // outsideChange(). A text without a file takes saveAs().
  SaveResult save();
  SaveResult saveAs(const QString& path);
  // The file was renamed, or the text is given one that is not there.
  void moveTo(const QString& path) { file_.moveTo(path); }
  // The text is `text` from now on, which another run made from the file as it was then, as one
  // undo step, or none where it was loaded as unsaved: outsideChange() compares with that. A text
  // without a file takes moveTo() first.
  // Fails for a binary file.
  Result<void> recover(const Snapshot& text, const FileStamp& madeFrom);
  // A change that the user chose to keep his text in spite of is none: keepMine() is about the one
  // that was told of last.
  OutsideChange outsideChange();
  void keepMine() { file_.ignoreOutsideChange(); }
  // Goes back to the text on disk, as one undo step that touches only what differs; where the file
  // is of another SafeMode, or binary, with no history. On failure nothing changes.
  // `beforeReplacing` is called once it is certain that the text is read anew.
  Result<void> revert(const std::function<void()>& beforeReplacing = {});
  // The same of a binary file, to be edited: see SafeMode::kRaw.
  Result<void> openRaw(const std::function<void()>& beforeReplacing = {});
  // The same in this encoding. False, and nothing changes: the file is no text in it, or would not
  // be saved as it is.
  Result<bool> reopen(Encoding encoding, const std::function<void()>& beforeReplacing = {});

 private:
  explicit TextDocument(TextFile file) : file_(std::move(file)) {}

  SaveResult afterSave(const QString& path, SaveResult result);
  Result<void> load(TextFile file);
  Result<void> readAgain(TextFile file, const std::function<void()>& beforeReplacing);
  void isAsOnDisk();

  TextFile file_;
  Buffer buffer_;
  bool otherEncoding_ = false;  // than on disk
  bool gone_ = false;
  bool isUnsaved_ = false;  // as it was loaded
};

}  // namespace waferpair::editor
