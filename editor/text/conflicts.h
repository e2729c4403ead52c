// SPDX-License-Identifier: GPL-3.0-or-later
// Conflicts that a merge left in a text between markers, as git writes them (merge and diff3
// style), and merging with such markers (libgit2).
#pragma once

#include <QString>
#include <QVector>
#include <optional>

#include "editor/text/byte_range.h"
#include "editor/text/edit.h"
#include "editor/text/snapshot.h"

namespace waferpair::editor {

// Bytes of the text; each of the parts consists of whole lines, without the markers.
struct Conflict {
  ByteRange whole;  // markers and all
  ByteRange ours;
  std::optional<ByteRange> base;  // what both changed, where it is told
  ByteRange theirs;
  QString oursName;  // as the markers have them: "HEAD", a branch
  QString theirsName;

  bool operator==(const Conflict&) const = default;
};

enum class Resolution { kOurs, kTheirs, kBoth };  // kBoth: ours, then theirs

// Returns the conflicts in order. What only looks like a part of one is none.
QVector<Conflict> conflictsIn(const QByteArray& text);

// The edit of `text` that puts this in the conflict's place.
TextEdit resolve(const Conflict& conflict, Resolution resolution, const Snapshot& text);

struct MarkedMerge {
  Snapshot text;
  bool isClean = true;  // there are no conflicts in it
};

// `ours` with what `theirs` changed of `base`, as `git merge` does it, with markers around what
// both changed. None where it fails: out of memory.
std::optional<MarkedMerge> markedMerge(const Snapshot& base, const Snapshot& ours,
                                       const Snapshot& theirs, const QString& oursName,
                                       const QString& theirsName);

}  // namespace waferpair::editor
