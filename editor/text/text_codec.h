// SPDX-License-Identifier: GPL-3.0-or-later
// Converts between a file's bytes and the editor's UTF-8, both ways without loss: whatever
// EncodingDetector calls text, or RoundTrip calls lossless, decodes and encodes back to the same
// bytes. Line ends are never touched here. ICU converts encodings that have a table or a state.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <QVector>
#include <optional>

#include "editor/text/encoding.h"
#include "editor/text/encoding_guess.h"
#include "editor/text/icu_converter.h"
#include "editor/text/result.h"
#include "editor/text/utf8_counter.h"

namespace waferpair::editor {

// Converts all characters of `utf8`, for where offsets count: QString::fromUtf8() takes a U+FEFF in
// front for a byte order mark and drops it.
QString exactUtf8(QByteArrayView utf8);

enum class LineEnds { kLf, kCrLf, kCr };

// "LF", "CRLF", "CR".
QString lineEndsName(LineEnds ends);
// The characters that such a line ends with.
QByteArray lineEndBytes(LineEnds ends);
// `text` with LF for each line end.
QByteArray withLf(QByteArray text);

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

// Converts UTF-16 bytes to UTF-8, in chunks of any size.
class Utf16Reader {
 public:
  explicit Utf16Reader(bool bigEndian = false) : bigEndian_(bigEndian) {}
  // Appends what is complete to `utf8`.
  void feed(const QByteArray& bytes, QByteArray* utf8);
  // False after a lone surrogate, and when the last unit or pair was cut off at the end.
  bool isValid() const { return valid_; }
  bool isComplete() const { return valid_ && !hasByte_ && high_ == 0; }

 private:
  bool bigEndian_;
  bool valid_ = true;
  bool hasByte_ = false;
  unsigned char byte_ = 0;  // half a unit
  char16_t high_ = 0;       // half a pair
};

// Sees a file's bytes once, in chunks of any size, and then says how to decode them.
//
// What is UTF-8 but for a few bytes stays UTF-8: the buffer keeps those as they are, and so does
// whoever writes it. Where there are more of them than characters, another encoding is guessed.
class EncodingDetector {
 public:
  void feed(const QByteArray& bytes);
  void finish();
  // All are valid after finish(). A binary file has NUL characters, or a mark of UTF-16 or UTF-32
  // and no valid text of that encoding behind it.
  bool isBinary() const { return binary_; }
  // One that any bytes that are not binary come back from.
  Encoding encoding() const { return encoding_; }
  // Encodings that the bytes may be in, the likeliest first; empty where they tell it. Whether all
  // bytes would come back is not said: see RoundTrip. Of a binary file: UTF-16 without a mark.
  const QVector<Encoding>& guesses() const { return guesses_; }
  // The bytes say that they are in this one.
  bool tells(Encoding encoding) const { return encoding == encoding_ && guesses_.isEmpty(); }
  // Of UTF-8: bytes that are part of no character, and the offset of the first one in the text.
  const Utf8Counter& utf8() const { return utf8_; }
  const LineEndCounter& lineEnds() const { return lineEnds_; }

 private:
  void start();
  void examine(const QByteArray& bytes);
  void guess();

  QByteArray head_;  // the first bytes, until the mark is known
  bool started_ = false;
  Encoding encoding_ = Encoding::kUtf8;
  bool binary_ = false;
  QVector<Encoding> guesses_;
  Utf8Counter utf8_;
  EncodingSample sample_;
  bool hasJapaneseEscapes_ = false;
  qint64 size_ = 0;           // behind the mark
  qint64 nulAt_[2] = {0, 0};  // at even and odd offsets
  Utf16Reader utf16_;
  std::optional<IcuConverter> utf32_;
  LineEndCounter lineEnds_;
};

// Sees a file's bytes once, as EncodingDetector does, and then says whether they can be read in an
// encoding that somebody chose, and would be written back as they are.
class RoundTrip {
 public:
  explicit RoundTrip(Encoding encoding);
  void feed(const QByteArray& bytes);
  void finish();
  // Both are valid after finish(). A text with NUL characters is not lossless: it is no text. UTF-8
  // keeps whatever bytes there are.
  bool isLossless() const { return lossless_; }
  const LineEndCounter& lineEnds() const { return lineEnds_; }

 private:
  void examine(const QByteArray& bytes);

  Encoding encoding_;
  QByteArray head_;  // the first bytes, as long as the mark
  bool marked_ = false;
  bool lossless_ = true;
  Utf16Reader utf16_;
  std::optional<IcuConverter> decoder_;
  std::optional<IcuConverter> encoder_;
  QByteArray unmatched_;  // bytes of the file that were not written back yet
  LineEndCounter lineEnds_;
};

// Decodes chunk by chunk to UTF-8, without the byte order mark. For bytes that the detector has
// seen: what is UTF-8 already passes as it is, cut anywhere.
class TextDecoder {
 public:
  explicit TextDecoder(Encoding encoding);
  QByteArray feed(const QByteArray& bytes);

 private:
  Encoding encoding_;
  Utf16Reader utf16_;
  std::optional<IcuConverter> icu_;
  qsizetype markLeft_;  // bytes of the mark still to skip
};

// The file's bytes, byte order mark included. Fails, naming the character and its line, when the
// encoding has no such character.
Result<QByteArray> encodeText(const QByteArray& utf8, Encoding encoding);

}  // namespace waferpair::editor
