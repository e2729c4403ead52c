// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a text file: how they are cut into chunks makes no difference, and what is called
// text decodes and encodes back to the same bytes.
#include <cstdint>
#include <cstdlib>

#include "editor/text/text_codec.h"

using namespace waferpair::editor;

namespace {

EncodingDetector detect(const QByteArray& bytes, qsizetype chunk) {
  EncodingDetector detector;
  for (qsizetype at = 0; at < bytes.size(); at += chunk) detector.feed(bytes.mid(at, chunk));
  detector.finish();
  return detector;
}

QByteArray decode(const QByteArray& bytes, Encoding encoding, qsizetype chunk) {
  TextDecoder decoder(encoding);
  QByteArray utf8;
  for (qsizetype at = 0; at < bytes.size(); at += chunk) utf8 += decoder.feed(bytes.mid(at, chunk));
  return utf8;
}

// Bytes that a chosen encoding calls lossless come back.
void comeBack(const QByteArray& bytes, Encoding encoding, qsizetype chunk) {
  RoundTrip trip(encoding);
  for (qsizetype at = 0; at < bytes.size(); at += chunk) trip.feed(bytes.mid(at, chunk));
  trip.finish();
  if (!trip.isLossless()) return;
  const auto back = encodeText(decode(bytes, encoding, chunk), encoding);
  if (!back || *back != bytes) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const QByteArray bytes(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  const qsizetype some = size == 0 ? 1 : 1 + data[size - 1] % 7;
  const auto choice = size == 0 ? 0 : data[0] % allEncodings().size();
  comeBack(bytes, allEncodings()[choice], some);
  const EncodingDetector whole = detect(bytes, std::max<qsizetype>(1, bytes.size()));
  const EncodingDetector parts = detect(bytes, some);
  if (whole.isBinary() != parts.isBinary()) std::abort();
  if (whole.isBinary()) return 0;
  if (whole.encoding() != parts.encoding()) std::abort();
  for (const LineEnds ends : {LineEnds::kLf, LineEnds::kCrLf, LineEnds::kCr}) {
    if (whole.lineEnds().count(ends) != parts.lineEnds().count(ends)) std::abort();
  }
  const QByteArray utf8 = decode(bytes, whole.encoding(), std::max<qsizetype>(1, bytes.size()));
  if (utf8 != decode(bytes, whole.encoding(), some)) std::abort();
  const bool keepsAll =
      whole.encoding() == Encoding::kUtf8 || whole.encoding() == Encoding::kUtf8Bom;
  if (!keepsAll && !utf8.isValidUtf8()) std::abort();
  if (whole.guesses() != parts.guesses() || whole.utf8().strayBytes() != parts.utf8().strayBytes())
    std::abort();
  const auto back = encodeText(utf8, whole.encoding());
  if (!back || *back != bytes) std::abort();
  return 0;
}
