// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/icu_converter.h"

#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>

#include <algorithm>
#include <array>

namespace waferpair::editor {

namespace {

constexpr size_t kPiece = 8192;

}  // namespace

void IcuConverter::Close::operator()(UConverter* converter) const { ucnv_close(converter); }

IcuConverter::IcuConverter(const char* name) {
  UErrorCode status = U_ZERO_ERROR;
  converter_.reset(ucnv_open(name, &status));
  if (U_FAILURE(status)) {
    converter_.reset();
    return;
  }
  ucnv_setToUCallBack(converter_.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr,
                      &status);
  ucnv_setFromUCallBack(converter_.get(), UCNV_FROM_U_CALLBACK_STOP, nullptr, nullptr, nullptr,
                        &status);
  ucnv_setFallback(converter_.get(), false);
}

bool IcuConverter::decode(QByteArrayView bytes, QByteArray* utf8) {
  if (!isOpen()) return false;
  const char* from = bytes.data();
  const char* const end = from + bytes.size();
  std::array<UChar, kPiece> piece;
  QString text;  // as a whole: a piece may end between the halves of a pair
  while (valid_) {
    UErrorCode status = U_ZERO_ERROR;
    UChar* to = piece.data();
    ucnv_toUnicode(converter_.get(), &to, piece.data() + piece.size(), &from, end, nullptr, false,
                   &status);
    text.append(QStringView(piece.data(), to - piece.data()));
    if (status == U_BUFFER_OVERFLOW_ERROR) continue;
    valid_ = U_SUCCESS(status);
    if (from == end) break;
  }
  *utf8 += text.toUtf8();
  return valid_;
}

bool IcuConverter::isComplete() const {
  if (!isOpen() || !valid_) return false;
  UErrorCode status = U_ZERO_ERROR;
  return ucnv_toUCountPending(converter_.get(), &status) == 0 && U_SUCCESS(status);
}

qsizetype IcuConverter::encode(QStringView text, bool last, QByteArray* bytes) {
  if (!isOpen()) return 0;
  const auto* from = reinterpret_cast<const UChar*>(text.utf16());
  const UChar* const begin = from;
  const UChar* const end = from + text.size();
  std::array<char, kPiece> piece;
  while (true) {
    UErrorCode status = U_ZERO_ERROR;
    char* to = piece.data();
    ucnv_fromUnicode(converter_.get(), &to, piece.data() + piece.size(), &from, end, nullptr, last,
                     &status);
    bytes->append(piece.data(), to - piece.data());
    if (status == U_BUFFER_OVERFLOW_ERROR) continue;
    if (U_SUCCESS(status)) return text.size();
    // ICU has read the character that it cannot write.
    std::array<UChar, 2> character;
    auto length = static_cast<int8_t>(character.size());
    UErrorCode ignored = U_ZERO_ERROR;
    ucnv_getInvalidUChars(converter_.get(), character.data(), &length, &ignored);
    return std::max<qsizetype>(0, from - begin - length);
  }
}

}  // namespace waferpair::editor
