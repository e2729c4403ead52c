// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/encoding.h"

#include <algorithm>
#include <array>

namespace waferpair::editor {

namespace {

struct Row {
  Encoding encoding;
  const char* name;
  const char* icu;
  QByteArrayView mark;
};

constexpr std::array kRows = {
    Row{Encoding::kUtf8, "UTF-8", nullptr, {}},
    Row{Encoding::kUtf8Bom, "UTF-8 with BOM", nullptr, "\xEF\xBB\xBF"},
    Row{Encoding::kUtf16Le, "UTF-16 LE", nullptr, "\xFF\xFE"},
    Row{Encoding::kUtf16Be, "UTF-16 BE", nullptr, "\xFE\xFF"},
    Row{Encoding::kWindows1252, "Windows-1252", nullptr, {}},
    Row{Encoding::kUtf32Le, "UTF-32 LE", "UTF-32LE", QByteArrayView("\xFF\xFE\0\0", 4)},
    Row{Encoding::kUtf32Be, "UTF-32 BE", "UTF-32BE", QByteArrayView("\0\0\xFE\xFF", 4)},
    Row{Encoding::kUtf16LeNoMark, "UTF-16 LE without BOM", "UTF-16LE", {}},
    Row{Encoding::kUtf16BeNoMark, "UTF-16 BE without BOM", "UTF-16BE", {}},
    Row{Encoding::kIso8859_1, "ISO-8859-1", "ISO-8859-1", {}},
    Row{Encoding::kIso8859_2, "ISO-8859-2", "ISO-8859-2", {}},
    Row{Encoding::kIso8859_3, "ISO-8859-3", "ISO-8859-3", {}},
    Row{Encoding::kIso8859_4, "ISO-8859-4", "ISO-8859-4", {}},
    Row{Encoding::kIso8859_5, "ISO-8859-5", "ISO-8859-5", {}},
    Row{Encoding::kIso8859_6, "ISO-8859-6", "ISO-8859-6", {}},
    Row{Encoding::kIso8859_7, "ISO-8859-7", "ISO-8859-7", {}},
    Row{Encoding::kIso8859_8, "ISO-8859-8", "ISO-8859-8", {}},
    Row{Encoding::kIso8859_9, "ISO-8859-9", "ISO-8859-9", {}},
    Row{Encoding::kIso8859_10, "ISO-8859-10", "ISO-8859-10", {}},
    Row{Encoding::kIso8859_11, "ISO-8859-11", "iso-8859_11-2001", {}},
    Row{Encoding::kIso8859_13, "ISO-8859-13", "ISO-8859-13", {}},
    Row{Encoding::kIso8859_14, "ISO-8859-14", "ISO-8859-14", {}},
    Row{Encoding::kIso8859_15, "ISO-8859-15", "ISO-8859-15", {}},
    Row{Encoding::kWindows874, "Windows-874", "windows-874-2000", {}},
    Row{Encoding::kWindows1250, "Windows-1250", "windows-1250", {}},
    Row{Encoding::kWindows1251, "Windows-1251", "windows-1251", {}},
    Row{Encoding::kWindows1253, "Windows-1253", "windows-1253", {}},
    Row{Encoding::kWindows1254, "Windows-1254", "windows-1254", {}},
    Row{Encoding::kWindows1255, "Windows-1255", "windows-1255", {}},
    Row{Encoding::kWindows1256, "Windows-1256", "windows-1256", {}},
    Row{Encoding::kWindows1257, "Windows-1257", "windows-1257", {}},
    Row{Encoding::kWindows1258, "Windows-1258", "windows-1258", {}},
    Row{Encoding::kKoi8R, "KOI8-R", "KOI8-R", {}},
    Row{Encoding::kKoi8U, "KOI8-U", "KOI8-U", {}},
    Row{Encoding::kIbm437, "IBM437", "IBM437", {}},
    Row{Encoding::kIbm850, "IBM850", "IBM850", {}},
    Row{Encoding::kIbm866, "IBM866", "IBM866", {}},
    Row{Encoding::kMacRoman, "Mac OS Roman", "macintosh", {}},
    Row{Encoding::kShiftJis, "Shift_JIS", "Shift_JIS", {}},
    Row{Encoding::kEucJp, "EUC-JP", "EUC-JP", {}},
    Row{Encoding::kIso2022Jp, "ISO-2022-JP", "ISO-2022-JP", {}},
    Row{Encoding::kGb18030, "GB18030", "GB18030", {}},
    Row{Encoding::kGbk, "GBK", "GBK", {}},
    Row{Encoding::kBig5, "Big5", "Big5", {}},
    Row{Encoding::kBig5Hkscs, "Big5-HKSCS", "Big5-HKSCS", {}},
    Row{Encoding::kEucKr, "EUC-KR", "EUC-KR", {}},
};

const Row& rowOf(Encoding encoding) {
  const auto index = static_cast<size_t>(encoding);
  Q_ASSERT(index < kRows.size() && kRows[index].encoding == encoding);  // in the enum's order
  return kRows[index];
}

}  // namespace

const QVector<Encoding>& allEncodings() {
  static const QVector<Encoding> kAll = [] {
    QVector<Encoding> all;
    for (const Row& row : kRows) all.append(row.encoding);
    return all;
  }();
  return kAll;
}

QString encodingName(Encoding encoding) { return QString::fromLatin1(rowOf(encoding).name); }

std::optional<Encoding> encodingNamed(const QString& name) {
  for (const Row& row : kRows)
    if (name == QLatin1String(row.name)) return row.encoding;
  return {};
}

QByteArray byteOrderMark(Encoding encoding) { return rowOf(encoding).mark.toByteArray(); }

const char* icuName(Encoding encoding) { return rowOf(encoding).icu; }

}  // namespace waferpair::editor
