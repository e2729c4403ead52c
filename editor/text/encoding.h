// SPDX-License-Identifier: GPL-3.0-or-later
// The encodings that a file may have. The first five are told apart by a file's bytes, as are the
// two of UTF-32; the others a user chooses.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>
#include <optional>

namespace waferpair::editor {

enum class Encoding {
  kUtf8,
  kUtf8Bom,
  kUtf16Le,      // with byte order mark
  kUtf16Be,      // with byte order mark
  kWindows1252,  // as browsers read it: all 256 bytes have a character, so any byte survives
  kUtf32Le,      // with byte order mark
  kUtf32Be,      // with byte order mark
  kUtf16LeNoMark,
  kUtf16BeNoMark,
  kIso8859_1,
  kIso8859_2,
  kIso8859_3,
  kIso8859_4,
  kIso8859_5,
  kIso8859_6,
  kIso8859_7,
  kIso8859_8,
  kIso8859_9,
  kIso8859_10,
  kIso8859_11,
  kIso8859_13,
  kIso8859_14,
  kIso8859_15,
  kWindows874,
  kWindows1250,
  kWindows1251,
  kWindows1253,
  kWindows1254,
  kWindows1255,
  kWindows1256,
  kWindows1257,
  kWindows1258,
  kKoi8R,
  kKoi8U,
  kIbm437,
  kIbm850,
  kIbm866,
  kMacRoman,
  kShiftJis,
  kEucJp,
  kIso2022Jp,
  kGb18030,
  kGbk,
  kBig5,
  kBig5Hkscs,
  kEucKr,
};

// Returns whether a file's bytes tell that they are in this encoding.
inline bool isDetected(Encoding encoding) { return encoding <= Encoding::kUtf32Be; }

// All of them, in the order in which a list shows them.
const QVector<Encoding>& allEncodings();

// "UTF-8", "UTF-8 with BOM", "Shift_JIS" ...: for the status bar.
QString encodingName(Encoding encoding);

// The encoding of that name; none: there is no such one.
std::optional<Encoding> encodingNamed(const QString& name);

// The bytes that a file in this encoding begins with; mostly none.
QByteArray byteOrderMark(Encoding encoding);

// The name by which ICU converts it; null for those that text_codec.cpp converts itself.
const char* icuName(Encoding encoding);

}  // namespace waferpair::editor
