// SPDX-License-Identifier: GPL-3.0-or-later
// What git has of one file: its text in the last commit and in the index, as it is stored there and
// as the file's encoding is read; and the other way round what git would store of a text. Reads the
// disk, writes nothing and runs nothing.
#pragma once

#include <QByteArray>
#include <QString>
#include <memory>

#include "editor/text/encoding.h"
#include "editor/text/result.h"
#include "editor/text/snapshot.h"

namespace waferpair::workbench {

struct GitFile {
  // All but kTracked are reasons why there is nothing to compare with.
  enum class State {
    kTracked,
    kOutside,    // of any repository
    kUntracked,  // it is not in the index; ignored files are not either
    kConflict,   // the index has several versions of it, of a merge
    kNotText,    // a link, a submodule, or bytes that are no text
    kConverted,  // a program of the user's converts it (a filter, working-tree-encoding)
    kTooLarge,   // over kMostBytes
  };
  // Larger texts are opened without what costs time in proportion to the text.
  static constexpr qint64 kMostBytes = 20 << 20;

  State state = State::kOutside;
  QString workFolder;  // absolute, without a slash at the end
  QString path;        // relative to it
  QByteArray headId;   // of the blob, in hex; empty: the last commit does not have it
  QByteArray indexId;
  quint32 mode = 0;  // in the index, as git has it: 0100644; of an untracked file what it would be
  editor::Snapshot head;
  editor::Snapshot index;

  // Nothing of what git has is different.
  bool isSameVersion(const GitFile& other) const {
    return state == other.state && workFolder == other.workFolder && path == other.path &&
           headId == other.headId && indexId == other.indexId && mode == other.mode;
  }
};

// Keeps the repository of the file read last open, so that the next read costs little. One thread
// at a time.
class GitFileReader {
 public:
  GitFileReader();
  ~GitFileReader();

  // `path` is absolute. Texts that `known`, read in this encoding, has are taken from there. Fails
  // where the repository can't be read, damaged or somebody else's; it is not an error that there
  // is none.
  editor::Result<GitFile> read(const QString& path, editor::Encoding encoding,
                               const GitFile* known = nullptr);

  // What git would store of the text in the place of `file`, which is tracked or could be: with the
  // line ends and the $Id$ that .gitattributes and core.autocrlf ask for. It has the same lines.
  editor::Result<editor::Snapshot> clean(const GitFile& file, const editor::Snapshot& text,
                                         editor::Encoding encoding);

  // The file as a checkout of that commit would write it; an empty revision is the index. Fails
  // where there is no such commit or it does not have the file, or not as a text.
  editor::Result<editor::Snapshot> textAt(const QString& path, const QString& revision,
                                          editor::Encoding encoding);

 private:
  struct Opened;
  editor::Result<bool> open(const QString& folder);

  std::unique_ptr<Opened> opened_;
};

}  // namespace waferpair::workbench
