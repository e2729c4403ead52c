// SPDX-License-Identifier: GPL-3.0-or-later
// The blanks that a line break put at the start of its new line, known for as long as they stand
// there as they were put: they go when the line is left empty. Blanks that the user typed are
// never among them.
#pragma once

#include <QtGlobal>

#include "editor/text/edit.h"

namespace waferpair::editor {

class AutoIndent {
 public:
  AutoIndent() = default;
  AutoIndent(qint64 start, qint64 end) : start_(start), end_(end) {}

  bool isSet() const { return start_ < end_; }
  qint64 start() const { return start_; }  // of the line
  qint64 end() const { return end_; }

  // Follows an edit; unset once it changes the blanks themselves.
  void follow(const TextEdit& edit);

 private:
  qint64 start_ = 0;
  qint64 end_ = 0;
};

}  // namespace waferpair::editor
