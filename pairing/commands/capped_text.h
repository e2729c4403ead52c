// SPDX-License-Identifier: GPL-3.0-or-later
// A command's output as text, of which the beginning and the end are kept: what is too much is left
// out in the middle. Values.
#pragma once

#include <QByteArrayView>
#include <QString>
#include <QStringDecoder>

namespace waferpair::pairing {

class CappedText {
 public:
  // UTF-16 units that are kept of a longer text's beginning, and at least so many of its end.
  static constexpr qsizetype kHead = 64 << 10;
  static constexpr qsizetype kTail = 192 << 10;

  // UTF-8, cut anywhere; what is none becomes U+FFFD. Escape sequences of terminals are dropped,
  // and a lone CR ends a line.
  void feed(QByteArrayView bytes);
  // All of it, or beginning and end with a line between them that says how much is missing.
  QString text() const;

 private:
  QStringDecoder decoder_{QStringDecoder::Utf8};
  QString escape_;  // a sequence that is not whole yet
  bool afterCr_ = false;
  QString head_;
  QString tail_;
  qint64 dropped_ = 0;
};

}  // namespace waferpair::pairing
