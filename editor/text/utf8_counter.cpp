// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/utf8_counter.h"

#include <unicode/utf8.h>

#include <utility>

namespace waferpair::editor {

namespace {

constexpr qsizetype kLongestCharacter = 4;
constexpr unsigned char kFirstOfTwo = 0xC2, kFirstOfFour = 0xF4;  // bytes that begin a character

}  // namespace

void Utf8Counter::feed(const QByteArray& bytes) {
  count(begun_.isEmpty() ? bytes : std::exchange(begun_, {}) + bytes, false);
}

void Utf8Counter::finish() { count(std::exchange(begun_, {}), true); }

void Utf8Counter::count(const QByteArray& bytes, bool isLast) {
  const char* const data = bytes.constData();
  const qsizetype size = bytes.size();
  qsizetype at = 0;
  while (at < size) {
    if (static_cast<unsigned char>(data[at]) < 0x80) {
      ++at;
      continue;
    }
    const qsizetype start = at;
    UChar32 character = 0;
    U8_NEXT(data, at, size, character);
    if (character >= 0) {
      ++characters_;
      continue;
    }
    if (at == size && size - start < kLongestCharacter && !isLast) {
      begun_ = bytes.mid(start);
      counted_ += start;
      return;
    }
    if (firstStray_ < 0) firstStray_ = counted_ + start;
    stray_ += at - start;
    const auto first = static_cast<unsigned char>(data[start]);
    if (at == size && isLast && first >= kFirstOfTwo && first <= kFirstOfFour) cutOff_ = at - start;
  }
  counted_ += size;
}

}  // namespace waferpair::editor
