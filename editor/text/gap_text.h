// SPDX-License-Identifier: GPL-3.0-or-later
// A document's bytes, kept for edits that come close to one another (as typing does): an edit costs
// its distance from the last one, not the document's length.
#pragma once

#include <QByteArray>

namespace waferpair::editor {

class GapText {
 public:
  GapText() = default;
  explicit GapText(const QByteArray& text) : buffer_(text), gapStart_(text.size()) {}

  qsizetype size() const { return buffer_.size() - gapSize_; }

  // Replaces bytes [start, end). False, and nothing changed, when the range is not inside the text.
  bool replace(qint64 start, qint64 end, const QByteArray& text);

  // One contiguous copy; linear in the length.
  QByteArray toByteArray() const { return slice(0, size()); }
  // The same of bytes [start, end), as far as they are inside the text.
  QByteArray slice(qint64 start, qint64 end) const;

 private:
  void moveGap(qsizetype position);

  QByteArray buffer_;       // text before the gap, the gap, text after it
  qsizetype gapStart_ = 0;  // 0 <= gapStart_ <= size()
  qsizetype gapSize_ = 0;
};

}  // namespace waferpair::editor
