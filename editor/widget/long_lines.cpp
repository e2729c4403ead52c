// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/long_lines.h"

#include <algorithm>

#include "editor/widget/code_editor.h"

namespace waferpair::editor {

void LongestLine::feed(QByteArrayView utf8) {
  for (qsizetype at = 0; at < utf8.size();) {
    const qsizetype end = utf8.indexOf('\n', at);
    line_ += (end < 0 ? utf8.size() : end) - at;
    longest_ = std::max(longest_, line_);
    if (end < 0) break;
    line_ = 0;
    at = end + 1;
  }
}

bool LongLines::isLong(int line) const {
  return editor_->lineEnd(line) - editor_->lineStart(line) > kLongLine;
}

void LongLines::reset() {
  line_ = -1;
  if (editor_->length() <= kLongLine) return;
  for (int line = 0; line < editor_->lineCount() && line_ < 0; ++line)
    if (isLong(line)) line_ = line;
}

void LongLines::edited(int line, int linesAdded) {
  if (line_ > line) line_ = std::max(line, line_ + linesAdded);
  const int last = line + std::max(0, linesAdded);
  for (int at = line; at <= last && line_ < 0; ++at)
    if (isLong(at)) line_ = at;
  if (line_ >= 0 && !isLong(line_)) reset();
}

}  // namespace waferpair::editor
