// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/gap_text.h"

#include <algorithm>
#include <cstring>

namespace waferpair::editor {

void GapText::moveGap(qsizetype position) {
  char* data = buffer_.data();
  if (position < gapStart_)
    std::memmove(data + position + gapSize_, data + position, gapStart_ - position);
  else if (position > gapStart_)
    std::memmove(data + gapStart_, data + gapStart_ + gapSize_, position - gapStart_);
  gapStart_ = position;
}

bool GapText::replace(qint64 start, qint64 end, const QByteArray& text) {
  if (start < 0 || start > end || end > size()) return false;
  moveGap(start);
  gapSize_ += end - start;
  if (gapSize_ < text.size()) {
    // Grows by a share of the whole, so that typing costs amortized constant time.
    const qsizetype grown = text.size() + std::max<qsizetype>(1024, buffer_.size() / 8);
    buffer_.insert(gapStart_, grown - gapSize_, '\0');
    gapSize_ = grown;
  }
  std::memcpy(buffer_.data() + gapStart_, text.constData(), text.size());
  gapStart_ += text.size();
  gapSize_ -= text.size();
  return true;
}

QByteArray GapText::slice(qint64 start, qint64 end) const {
  start = std::max<qint64>(start, 0);
  end = std::min<qint64>(end, size());
  QByteArray text;
  if (start >= end) return text;
  text.reserve(end - start);
  const qint64 before = std::min<qint64>(end, gapStart_);
  if (start < before) text.append(buffer_.constData() + start, before - start);
  const qint64 behind = std::max<qint64>(start, gapStart_);
  if (behind < end) text.append(buffer_.constData() + gapSize_ + behind, end - behind);
  return text;
}

}  // namespace waferpair::editor
