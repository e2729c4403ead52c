// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/commands/capped_text.h"

#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

constexpr QChar kEscape(0x1b);
constexpr qsizetype kLongestEscape = 4'096;  // a longer one is none

// Returns whether the sequence is whole: ESC and a letter, a control sequence (CSI), or a string
// that BEL or ESC \ ends (OSC and its like).
bool isWholeEscape(const QString& sequence) {
  if (sequence.size() < 2) return false;
  const QChar kind = sequence[1];
  const QChar last = sequence.back();
  if (kind == u'[') return sequence.size() > 2 && last >= u'@' && last <= u'~';
  if (kind == u']' || kind == u'P' || kind == u'_' || kind == u'^')
    return last == QChar(7) ||
           (sequence.size() > 3 && last == u'\\' && sequence[sequence.size() - 2] == kEscape);
  return !(kind >= u' ' && kind <= u'/') || sequence.size() > 2;
}

}  // namespace

void CappedText::feed(QByteArrayView bytes) {
  const QString text = decoder_.decode(bytes);
  QString plain;
  plain.reserve(text.size());
  for (const QChar sign : text) {
    if (!escape_.isEmpty() || sign == kEscape) {
      escape_ += sign;
      if (isWholeEscape(escape_) || escape_.size() > kLongestEscape) escape_.clear();
      continue;
    }
    if (afterCr_ && sign != u'\n') plain += u'\n';
    afterCr_ = sign == u'\r';
    const bool isShown = sign >= u' ' || sign == u'\n' || sign == u'\t';
    if (isShown) plain += sign;
  }
  const qsizetype toHead = std::min(kHead - head_.size(), plain.size());
  head_ += QStringView(plain).first(toHead);
  tail_ += QStringView(plain).sliced(toHead);
  if (tail_.size() <= 2 * kTail) return;
  dropped_ += tail_.size() - kTail;
  tail_ = tail_.last(kTail);
}

QString CappedText::text() const {
  if (dropped_ == 0) return head_ + tail_;
  return head_ + u'\n' + translate("[%L1 characters are left out here]").arg(dropped_) + u'\n' +
         tail_;
}

}  // namespace waferpair::pairing
