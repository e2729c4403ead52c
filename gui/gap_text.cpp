// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/gap_text.h"

#include <algorithm>
#include <cstring>

namespace waferpair::gui {

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

QByteArray GapText::toByteArray() const {
  QByteArray text;
  text.reserve(size());
  text.append(buffer_.constData(), gapStart_);
  text.append(buffer_.constData() + gapStart_ + gapSize_, size() - gapStart_);
  return text;
}

}  // namespace waferpair::gui
