// SPDX-License-Identifier: GPL-3.0-or-later
// Which encoding is a text in that is no UTF-8? No byte says so: ICU's detector goes by how often
// letters follow one another, and what it says counts only where the characters look like words.
#pragma once

#include <QByteArray>
#include <QVector>

#include "editor/text/encoding.h"

namespace waferpair::editor {

// The words of a text that have bytes beyond ASCII, as many as a guess takes: ASCII would drown
// the few that a program has in its comments. Fed in chunks of any size.
class EncodingSample {
 public:
  void feed(const QByteArray& bytes);
  // Valid after the last chunk.
  QByteArray words() const;

 private:
  QByteArray words_;
  QByteArray word_;  // the one that is not ended yet
  bool isOdd_ = false;
};

// Those that the words may be in, the likeliest first; empty when none is likely. Whether the whole
// text would be written back as it is nobody has looked at: see RoundTrip.
QVector<Encoding> guessedEncodings(const QByteArray& words);

// The characters are such as people write in UTF-16: assigned, no controls but those of lines.
bool looksWritten(const QString& text);

}  // namespace waferpair::editor
