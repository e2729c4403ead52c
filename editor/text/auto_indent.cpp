// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/auto_indent.h"

namespace waferpair::editor {

void AutoIndent::follow(const TextEdit& edit) {
  if (!isSet() || edit.start >= end_) return;
  // An edit that touches the start of the blanks may join their line to another; then they are
  // void.
  if (edit.end >= start_) {
    *this = {};
    return;
  }
  const qint64 added = edit.text.size() - (edit.end - edit.start);
  start_ += added;
  end_ += added;
}

}  // namespace waferpair::editor
