// SPDX-License-Identifier: GPL-3.0-or-later
// A text file that is edited, shown by a widget or not: the file on disk and the buffer with its
// text and undo history. UI thread only.
#pragma once

#include <memory>
#include <optional>

#include "editor/text/buffer.h"
#include "editor/text/text_file.h"

namespace waferpair::editor {

class TextDocument {
 public:
  // Reads the file; `as` as for TextFile::open(). Fails when it cannot be read or is binary.
  static Result<std::unique_ptr<TextDocument>> open(const QString& path,
                                                    std::optional<Encoding> as = {});
  // A file that is not there yet: empty, UTF-8, and made by save().
  static std::unique_ptr<TextDocument> create(const QString& path);

  const QString& path() const { return file_.path(); }
  const TextFile& file() const { return file_; }
  Buffer* buffer() { return &buffer_; }
  const Snapshot& snapshot() const { return buffer_.snapshot(); }

  // Saving would change something on disk.
  bool isModified() const { return otherEncoding_ || buffer_.isModified(); }
  // Saves in this encoding from now on.
  void setEncoding(Encoding encoding);

  // Save as TextFile does, without asking whether another program changed the file: see
  // outsideChange().
  SaveResult save();
  SaveResult saveAs(const QString& path);
  OutsideChange outsideChange() { return file_.outsideChange(); }
  // Goes back to the text on disk, as one undo step that touches only lines that differ. On failure
  // nothing changes.
  Result<void> revert();

 private:
  TextDocument(TextFile file, const Snapshot& text);

  SaveResult afterSave(SaveResult result);

  TextFile file_;
  Buffer buffer_;
  bool otherEncoding_ = false;
};

}  // namespace waferpair::editor
