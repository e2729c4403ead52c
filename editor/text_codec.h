// SPDX-License-Identifier: GPL-3.0-or-later
// Between a file's bytes and the editor's UTF-8, both ways without loss: whatever detectFormat()
// calls text decodes and encodes back to the same bytes. Line ends are never touched here.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringDecoder>

#include "editor/result.h"

namespace waferpair::editor {

enum class Encoding {
  kUtf8,
  kUtf8Bom,
  kUtf16Le,  // with byte order mark
  kUtf16Be,  // with byte order mark
  kWindows1252,  // as browsers read it: all 256 bytes have a character, so any byte survives
};

// "UTF-8", "UTF-8 with BOM", ...: for the status bar.
QString encodingName(Encoding encoding);

enum class LineEnds { kLf, kCrLf, kCr };

// "LF", "CRLF", "CR".
QString lineEndsName(LineEnds ends);

// Counts line ends over chunks; a CR at the end of one chunk waits for the next.
class LineEndCounter {
 public:
  void feed(const QByteArray& utf8);
  void finish();
  qint64 count(LineEnds ends) const { return counts_[static_cast<int>(ends)]; }
  bool isMixed() const;
  // The most frequent one; LF when there is none at all.
  LineEnds dominant() const;

 private:
  qint64 counts_[3] = {0, 0, 0};
  bool pendingCr_ = false;
};

// Sees a file's bytes once, in chunks of any size, and then says how to decode them.
class EncodingDetector {
 public:
  void feed(const QByteArray& bytes);
  void finish();
  // Both valid after finish(). A binary file has NUL bytes, or a UTF-16 mark and no valid UTF-16.
  bool isBinary() const { return binary_; }
  Encoding encoding() const { return encoding_; }

 private:
  void feedUtf16(const QByteArray& bytes);

  QByteArray head_;  // the first bytes, until the mark is known
  bool started_ = false;
  Encoding encoding_ = Encoding::kUtf8;
  bool binary_ = false;
  QStringDecoder decoder_;
};

// Decodes a file's bytes chunk by chunk to UTF-8, without its byte order mark.
class TextDecoder {
 public:
  explicit TextDecoder(Encoding encoding);
  QByteArray feed(const QByteArray& bytes);
  // False when a byte sequence was not valid, or the last one was cut.
  bool finish() const;

 private:
  Encoding encoding_;
  QStringDecoder decoder_;
  bool start_ = true;
  bool failed_ = false;
  QByteArray held_;  // less than a byte order mark
};

// The file's bytes, byte order mark included. Fails, naming the character and its line, when the
// encoding has no such character.
Result<QByteArray> encodeText(const QByteArray& utf8, Encoding encoding);

}  // namespace waferpair::editor
