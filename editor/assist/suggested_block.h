// SPDX-License-Identifier: GPL-3.0-or-later
// Finds where a suggestion of several lines leaves the block that the caret is in. Indentation
// alone decides, so that it holds for every language:
//   - a line that stands left of the caret's does not belong to it, unless it only closes brackets:
//     that one does, and nothing after it;
//   - at the left margin, where a block has been suggested, a blank line ends it.
#pragma once

#include <QByteArray>

namespace waferpair::editor {

class SuggestedBlock {
 public:
  // `linePrefix`: the caret's line, as far as the caret.
  explicit SuggestedBlock(const QByteArray& linePrefix);

  // Returns whether the next line, of which only the beginning may have come, is outside; a blank
  // line never is.
  bool isBeyond(const QByteArray& line) const;
  // Takes the next line, which is complete and inside.
  void take(const QByteArray& line);

 private:
  int indentation_;          // columns, of the caret's line
  bool closed_ = false;      // a line left of the caret's closed the block
  bool deeper_ = false;      // a line right of the caret's has come
  bool afterBlank_ = false;  // the last line was blank
};

}  // namespace waferpair::editor
