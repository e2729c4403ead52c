// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a project as a set of changes reads and writes them: through the texts that are open
// in the window, whose unsaved text wins, or on disk. One thread.
#pragma once

#include <QString>

#include "editor/text/encoding.h"
#include "editor/text/result.h"
#include "editor/text/snapshot.h"

namespace waferpair::pairing {

// All that a file holds, or that there is no such file.
struct FileText {
  bool exists = false;
  editor::Snapshot text;
  // Meant for a file that has to be made again; one that is there stays as it is.
  editor::Encoding encoding = editor::Encoding::kUtf8;
  bool isExecutable = false;

  static FileText of(QByteArrayView utf8) { return {true, editor::Snapshot(utf8)}; }
  // With another text.
  FileText holding(const editor::Snapshot& other) const {
    return {true, other, encoding, isExecutable};
  }
  // Returns whether it is the same text, or none as well.
  bool says(const FileText& other) const {
    return exists == other.exists && (!exists || text == other.text);
  }
};

class ProjectTexts {
 public:
  virtual ~ProjectTexts() = default;

  // `path` is absolute. A file that is not there is no failure; a folder, a binary file and one
  // that may not be read are.
  virtual editor::Result<FileText> read(const QString& path) = 0;
  // Makes the file hold this text, or go; folders on the way are made. On failure it is as it was.
  virtual editor::Result<void> write(const QString& path, const FileText& text) = 0;
};

}  // namespace waferpair::pairing
