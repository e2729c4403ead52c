// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/long_lines.h"

#include <algorithm>

#include "editor/view/layout_pieces.h"
#include "editor/view/text_view.h"

namespace waferpair::editor {

void UncutLines::feed(QByteArrayView utf8) {
  const auto find = [utf8](char end, qsizetype from) {
    const qsizetype at = utf8.indexOf(end, from);
    return at < 0 ? utf8.size() : at;
  };
  qsizetype lf = find('\n', 0), cr = find('\r', 0);
  while (std::min(lf, cr) < utf8.size()) {
    const qsizetype end = std::min(lf, cr);
    take(read_ + end);
    start_ = read_ + end + 1;
    if (lf == end) lf = find('\n', end + 1);
    if (cr == end) cr = find('\r', end + 1);
  }
  read_ += utf8.size();
}

void UncutLines::take(qint64 end) {
  longest_ = std::max(longest_, end - start_);
  if (end - start_ > kLongestUncutLine) lines_.append({start_, end});
}

ByteRange UncutLines::firstLong() const {
  const auto isLong = [](const ByteRange& line) { return line.end - line.start > kLongLine; };
  const auto found = std::find_if(lines_.begin(), lines_.end(), isLong);
  return found == lines_.end() ? ByteRange{-1, -1} : *found;
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
