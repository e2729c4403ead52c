// SPDX-License-Identifier: GPL-3.0-or-later
// A text in UTF-8 that never changes: an edit makes another snapshot, which shares with the first
// all but what the edit touched. A copy costs a pointer, an edit or a look-up O(log n), and any
// number of threads may read one snapshot, or copies of it, at a time.
//
// It is a balanced tree (AVL) whose leaves hold at most kLeafBytes bytes each; two neighboring
// leaves hold more than kLeafBytes together. A leaf may end anywhere, also between the bytes of a
// character or of CRLF.
//
// Offsets are bytes, lines count from 0. LF, CRLF and a lone CR each end a line, as in Scintilla.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <functional>
#include <memory>

#include "editor/text/edit.h"

namespace waferpair::editor {

class Snapshot {
 public:
  static constexpr qsizetype kLeafBytes = 4096;

  Snapshot() = default;  // an empty text
  explicit Snapshot(QByteArrayView utf8);

  qint64 size() const;
  bool isEmpty() const { return root_ == nullptr; }

  // Returns whether bytes [start, end) are a range of this text.
  bool holds(qint64 start, qint64 end) const { return 0 <= start && start <= end && end <= size(); }
  // Returns this text with bytes [start, end), which it must hold, replaced.
  Snapshot replaced(qint64 start, qint64 end, QByteArrayView text) const;
  // Returns this text after an edit; the range must be held.
  Snapshot edited(const TextEdit& edit) const { return replaced(edit.start, edit.end, edit.text); }
  // Returns this text with more behind it: for a text that comes in pieces.
  Snapshot appended(QByteArrayView text) const { return replaced(size(), size(), text); }

  // Returns bytes [start, end), as far as they are inside the text.
  QByteArray slice(qint64 start, qint64 end) const;
  QByteArray toByteArray() const { return slice(0, size()); }
  // The same piece by piece, without a copy. The views are good during the call only.
  void read(qint64 start, qint64 end, const std::function<void(QByteArrayView)>& use) const;

  // -- Lines

  qint64 lineCount() const;  // at least 1: what comes after the last line end is a line, too
  // Returns where the line begins; the text's end for lines past the last, 0 for negative ones.
  qint64 lineStart(qint64 line) const;
  // Returns where its line end characters begin; for the last line the end of the text.
  qint64 lineEnd(qint64 line) const;
  // The line that holds `offset`, which is clamped to the text. The place between the CR and the LF
  // of one line end belongs to the line that they end.
  qint64 lineAt(qint64 offset) const;
  // Returns the line without its line end.
  QByteArray line(qint64 line) const { return slice(lineStart(line), lineEnd(line)); }

  // Compares by content; at once for copies of one snapshot.
  friend bool operator==(const Snapshot& a, const Snapshot& b);

  // Returns whether the tree is as the head of this file says; for tests.
  bool isSound() const;

 private:
  struct Node;
  struct Tree;
  using NodePointer = std::shared_ptr<const Node>;

  explicit Snapshot(NodePointer root) : root_(std::move(root)) {}

  NodePointer root_;  // null: the empty text
};

// The edits that take an edit back: in a list, to be applied in order, as edits are. `before` is
// the text that the edits were made in, which must hold them.
QVector<TextEdit> inverseOf(const QVector<TextEdit>& edits, const Snapshot& before);

}  // namespace waferpair::editor
