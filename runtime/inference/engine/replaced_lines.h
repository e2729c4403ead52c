// SPDX-License-Identifier: GPL-3.0-or-later
// The lines that stood where a document is being edited: who rewrites a line often keeps a part of
// it, so what was removed is copied from.
//
// One place is remembered, whole lines of the text: edits that touch it make it larger, and an edit
// anywhere else begins another one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/engine/document_edit.h"

namespace waferpair::inference {

class ReplacedLines {
 public:
  // The limit of a place's lines, as they were. A larger edit is of more than lines, and forgets
  // them.
  static constexpr std::size_t kMostBytes = 4096;

  // Takes notice of an edit of `text`, which is as it was before. The edit lies within it.
  void edited(std::string_view text, const DocumentEdit& edit);

  // Returns the lines that are gone, in order, those that stood together in one string, each with
  // its line break. `text` is as the edits have left it. A line is not gone while one in its place
  // begins with it.
  std::vector<std::string> gone(std::string_view text) const;

 private:
  bool known_ = false;
  std::size_t begin_ = 0, end_ = 0;  // of the place: without the last line's break
  std::string before_;               // what stood there
};

}  // namespace waferpair::inference
