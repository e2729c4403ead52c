// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/text_codec.h"

#include <QStringDecoder>
#include <QUtf8StringView>
#include <algorithm>
#include <array>

#include "editor/text/translate.h"

namespace waferpair::editor {

namespace {

constexpr qsizetype kLongestMark = 4;
// UTF-32's before those of UTF-16, of which one begins like it.
constexpr std::array kMarked = {Encoding::kUtf8Bom, Encoding::kUtf32Le, Encoding::kUtf32Be,
                                Encoding::kUtf16Le, Encoding::kUtf16Be};

// Bytes 0x80 to 0x9F of windows-1252 as the WHATWG Encoding Standard has them: the five that
// Microsoft left undefined are the C1 controls of the same number, so every byte survives.
constexpr std::array<char16_t, 32> kWindows1252 = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

void appendUtf8(char32_t c, QByteArray* out) {
  const auto put = [&](char32_t value) { out->append(static_cast<char>(value)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

// The byte of `c` in windows-1252, -1 when there is none.
int windows1252Byte(char32_t c) {
  if (c < 0x80 || (c >= 0xA0 && c <= 0xFF)) return static_cast<int>(c);
  const auto found = std::find(kWindows1252.begin(), kWindows1252.end(), c);
  return found == kWindows1252.end() ? -1 : 0x80 + static_cast<int>(found - kWindows1252.begin());
}

bool isUtf16(Encoding encoding) {
  return encoding == Encoding::kUtf16Le || encoding == Encoding::kUtf16Be;
}

tl::unexpected<Error> lacks(Encoding encoding, char32_t c, qint64 line) {
  return fail(translate("Line %1: %2 has no character “%3” (U+%4).")
                  .arg(QString::number(line), encodingName(encoding), QString::fromUcs4(&c, 1),
                       QString::number(c, 16).toUpper().rightJustified(4, u'0')),
              translate("Save the file as UTF-8, or replace the character."));
}

Result<QByteArray> encodeWindows1252(const QString& text) {
  QByteArray bytes;
  bytes.reserve(text.size());
  int line = 1;
  for (const char32_t c : text.toUcs4()) {
    const int byte = windows1252Byte(c);
    if (byte < 0) return lacks(Encoding::kWindows1252, c, line);
    if (c == U'\n') ++line;
    bytes.append(static_cast<char>(byte));
  }
  return bytes;
}

Result<QByteArray> encodeByIcu(const QString& text, Encoding encoding) {
  QByteArray bytes = byteOrderMark(encoding);
  bytes.reserve(bytes.size() + text.size());
  IcuConverter converter(icuName(encoding));
  const qsizetype taken = converter.encode(text, true, &bytes);
  if (taken == text.size()) return bytes;
  const QStringView rest = QStringView(text).sliced(taken);
  return lacks(encoding, rest.toUcs4().front(), 1 + QStringView(text).first(taken).count(u'\n'));
}

QByteArray encodeUtf16(const QString& text, bool bigEndian) {
  QByteArray bytes = byteOrderMark(bigEndian ? Encoding::kUtf16Be : Encoding::kUtf16Le);
  bytes.reserve(2 + 2 * text.size());
  for (const QChar c : text) {
    const auto low = static_cast<char>(c.unicode() & 0xFF);
    const auto high = static_cast<char>(c.unicode() >> 8);
    bytes.append(bigEndian ? high : low);
    bytes.append(bigEndian ? low : high);
  }
  return bytes;
}

}  // namespace

QString exactUtf8(QByteArrayView utf8) {
  QStringDecoder decoder(QStringDecoder::Utf8,
                         QStringDecoder::Flag::Stateless | QStringDecoder::Flag::ConvertInitialBom);
  return decoder.decode(utf8);
}

QString lineEndsName(LineEnds ends) {
  switch (ends) {
    case LineEnds::kCrLf:
      return QStringLiteral("CRLF");
    case LineEnds::kCr:
      return QStringLiteral("CR");
    case LineEnds::kLf:
      break;
  }
  return QStringLiteral("LF");
}

QByteArray lineEndBytes(LineEnds ends) {
  switch (ends) {
    case LineEnds::kCrLf:
      return "\r\n";
    case LineEnds::kCr:
      return "\r";
    case LineEnds::kLf:
      break;
  }
  return "\n";
}

QByteArray withLf(QByteArray text) { return text.replace("\r\n", "\n").replace('\r', '\n'); }

// -- Line ends

void LineEndCounter::feed(const QByteArray& utf8) {
  const auto add = [this](LineEnds ends) { ++counts_[static_cast<int>(ends)]; };
  for (const char c : utf8) {
    if (pendingCr_) {
      pendingCr_ = false;
      if (c == '\n') {
        add(LineEnds::kCrLf);
        continue;
      }
      add(LineEnds::kCr);
    }
    if (c == '\r') {
      pendingCr_ = true;
    } else if (c == '\n') {
      add(LineEnds::kLf);
    }
  }
}

void LineEndCounter::finish() {
  if (pendingCr_) ++counts_[static_cast<int>(LineEnds::kCr)];
  pendingCr_ = false;
}

bool LineEndCounter::isMixed() const {
  return std::count(std::begin(counts_), std::end(counts_), 0) < 2;
}

LineEnds LineEndCounter::dominant() const {
  const auto* most = std::max_element(std::begin(counts_), std::end(counts_));
  return static_cast<LineEnds>(most - std::begin(counts_));
}

// -- UTF-16

void Utf16Reader::feed(const QByteArray& bytes, QByteArray* utf8) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (!hasByte_) {
      byte_ = byte;
      hasByte_ = true;
      continue;
    }
    hasByte_ = false;
    const auto unit = static_cast<char16_t>(bigEndian_ ? byte_ << 8 | byte : byte << 8 | byte_);
    const bool low = QChar::isLowSurrogate(unit);
    if (low != (high_ != 0)) valid_ = false;
    if (low && high_ != 0) {
      appendUtf8(QChar::surrogateToUcs4(high_, unit), utf8);
      high_ = 0;
    } else if (QChar::isHighSurrogate(unit)) {
      high_ = unit;
    } else {
      high_ = 0;
      if (!low) appendUtf8(unit, utf8);
    }
  }
}

// -- Detecting

void EncodingDetector::feed(const QByteArray& bytes) {
  if (started_) {
    examine(bytes);
    return;
  }
  head_.append(bytes);
  if (head_.size() >= kLongestMark) start();
}

void EncodingDetector::start() {
  started_ = true;
  for (const Encoding encoding : kMarked) {
    if (!head_.startsWith(byteOrderMark(encoding))) continue;
    encoding_ = encoding;
    break;
  }
  if (encoding_ == Encoding::kUtf16Be) utf16_ = Utf16Reader(true);
  if (const char* name = icuName(encoding_)) utf32_.emplace(name);
  examine(head_.mid(byteOrderMark(encoding_).size()));
  head_.clear();
}

void EncodingDetector::examine(const QByteArray& bytes) {
  if (isUtf16(encoding_) || utf32_) {
    QByteArray utf8;
    if (utf32_) {
      binary_ = !utf32_->decode(bytes, &utf8) || binary_;
    } else {
      utf16_.feed(bytes, &utf8);
      binary_ = binary_ || !utf16_.isValid();
    }
    binary_ = binary_ || utf8.contains('\0');
    lineEnds_.feed(utf8);
    return;
  }
  for (qsizetype at = bytes.indexOf('\0'); at >= 0; at = bytes.indexOf('\0', at + 1)) {
    binary_ = true;
    ++nulAt_[(size_ + at) % 2];
  }
  size_ += bytes.size();
  // CR and LF are the same bytes in all encodings that are still possible.
  lineEnds_.feed(bytes);
  utf8_.feed(bytes);
  sample_.feed(bytes);
  hasJapaneseEscapes_ = hasJapaneseEscapes_ || bytes.contains("\x1B$B") || bytes.contains("\x1B$@");
}

void EncodingDetector::finish() {
  if (!started_) start();
  lineEnds_.finish();
  if (utf32_) {
    binary_ = binary_ || !utf32_->isComplete();
  } else if (isUtf16(encoding_)) {
    binary_ = binary_ || !utf16_.isComplete();
  } else {
    utf8_.finish();
    if (encoding_ == Encoding::kUtf8) guess();
  }
}

void EncodingDetector::guess() {
  // A short file of any kind may look like UTF-16.
  constexpr qint64 kLeast = 16;
  if (binary_) {
    if (size_ % 2 != 0 || size_ < kLeast) return;
    // Of what is written in it the higher byte is 0 more often than the lower one.
    if (nulAt_[1] > 0) guesses_.append(Encoding::kUtf16LeNoMark);
    if (nulAt_[0] > 0) guesses_.append(Encoding::kUtf16BeNoMark);
    if (nulAt_[0] > nulAt_[1]) std::reverse(guesses_.begin(), guesses_.end());
  } else if (utf8_.strayBytes() == 0) {
    if (hasJapaneseEscapes_ && utf8_.characters() == 0) guesses_ = {Encoding::kIso2022Jp};
  } else if (2 * utf8_.characters() <= utf8_.strayBytes() - utf8_.cutOff()) {
    // Text of another encoding has next to no characters of UTF-8 by chance.
    guesses_ = guessedEncodings(sample_.words());
    if (guesses_.contains(Encoding::kWindows1252)) encoding_ = Encoding::kWindows1252;
  }
}

// -- Whether what is read can be written back

RoundTrip::RoundTrip(Encoding encoding)
    : encoding_(encoding), utf16_(encoding == Encoding::kUtf16Be) {
  if (const char* name = icuName(encoding)) {
    decoder_.emplace(name);
    encoder_.emplace(name);
  }
}

void RoundTrip::feed(const QByteArray& bytes) {
  if (marked_) return examine(bytes);
  head_.append(bytes);
  const QByteArray mark = byteOrderMark(encoding_);
  if (head_.size() < mark.size()) return;
  marked_ = true;
  lossless_ = head_.startsWith(mark);
  examine(std::exchange(head_, {}).mid(mark.size()));
}

void RoundTrip::examine(const QByteArray& bytes) {
  if (!lossless_) return;
  QByteArray utf8;
  if (decoder_) {
    unmatched_ += bytes;
    lossless_ = decoder_->decode(bytes, &utf8);
    const QString text = exactUtf8(utf8);
    QByteArray back;
    lossless_ = lossless_ && encoder_->encode(text, false, &back) == text.size() &&
                unmatched_.startsWith(back);
    unmatched_.remove(0, back.size());
  } else if (isUtf16(encoding_)) {
    utf16_.feed(bytes, &utf8);
    lossless_ = utf16_.isValid();
  } else {
    utf8 = bytes;  // of Windows-1252 the line ends and NUL are the same bytes
  }
  lossless_ = lossless_ && !utf8.contains('\0');
  lineEnds_.feed(utf8);
}

void RoundTrip::finish() {
  lineEnds_.finish();
  if (!marked_) lossless_ = byteOrderMark(encoding_).isEmpty();
  if (!lossless_) return;
  if (decoder_) {
    QByteArray back;
    encoder_->encode({}, true, &back);
    lossless_ = decoder_->isComplete() && back == unmatched_;
  } else if (isUtf16(encoding_)) {
    lossless_ = utf16_.isComplete();
  }
}

// -- Decoding and encoding

TextDecoder::TextDecoder(Encoding encoding)
    : encoding_(encoding),
      utf16_(encoding == Encoding::kUtf16Be),
      markLeft_(byteOrderMark(encoding).size()) {
  if (const char* name = icuName(encoding)) icu_.emplace(name);
}

QByteArray TextDecoder::feed(const QByteArray& bytes) {
  const qsizetype skip = std::min(markLeft_, bytes.size());
  markLeft_ -= skip;
  const QByteArray rest = skip == 0 ? bytes : bytes.mid(skip);
  if (encoding_ == Encoding::kUtf8 || encoding_ == Encoding::kUtf8Bom) return rest;
  QByteArray utf8;
  utf8.reserve(rest.size() + rest.size() / 8);
  if (icu_) {
    icu_->decode(rest, &utf8);
    return utf8;
  }
  if (isUtf16(encoding_)) {
    utf16_.feed(rest, &utf8);
    return utf8;
  }
  for (const char c : rest) {
    const auto byte = static_cast<unsigned char>(c);
    const bool mapped = byte >= 0x80 && byte < 0xA0;
    appendUtf8(mapped ? kWindows1252[static_cast<size_t>(byte) - 0x80] : byte, &utf8);
  }
  return utf8;
}

Result<QByteArray> encodeText(const QByteArray& utf8, Encoding encoding) {
  if (encoding == Encoding::kUtf8) return utf8;
  if (encoding == Encoding::kUtf8Bom) return byteOrderMark(encoding) + utf8;
  if (!QUtf8StringView(utf8.constData(), utf8.size()).isValidUtf8()) {
    return fail(translate("The text has bytes that are not characters."),
                translate("Save the file as UTF-8, which keeps them as they are."));
  }
  const QString text = exactUtf8(utf8);
  if (icuName(encoding) != nullptr) return encodeByIcu(text, encoding);
  if (encoding == Encoding::kWindows1252) return encodeWindows1252(text);
  return encodeUtf16(text, encoding == Encoding::kUtf16Be);
}

}  // namespace waferpair::editor
