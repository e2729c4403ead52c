// SPDX-License-Identifier: GPL-3.0-or-later
// Counts in bytes that are to be UTF-8, in chunks of any size, the characters beyond ASCII and the
// bytes that are part of no character.
#pragma once

#include <QByteArray>

namespace waferpair::editor {

class Utf8Counter {
 public:
  void feed(const QByteArray& bytes);
  // Ends the last character; a part of one is stray.
  void finish();
  qint64 characters() const { return characters_; }
  qint64 strayBytes() const { return stray_; }
  // Those of them that begin a character at the end, which is cut off there.
  qint64 cutOff() const { return cutOff_; }
  // The offset of the first one, -1: there is none.
  qint64 firstStray() const { return firstStray_; }

 private:
  void count(const QByteArray& bytes, bool isLast);

  QByteArray begun_;    // of a character that may go on
  qint64 counted_ = 0;  // bytes before `begun_`
  qint64 characters_ = 0;
  qint64 stray_ = 0;
  qint64 cutOff_ = 0;
  qint64 firstStray_ = -1;
};

}  // namespace waferpair::editor
