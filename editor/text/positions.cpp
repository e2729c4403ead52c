// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/positions.h"

#include <algorithm>

#include "editor/text/decoded_line.h"
#include "editor/text/text_codec.h"

namespace waferpair::editor {

namespace {

struct Place {
  qint64 line;
  qsizetype unit;  // of the line in UTF-16
  DecodedLine text;
};

Place placeOf(const Snapshot& text, qint64 offset) {
  const qint64 line = text.lineAt(offset);
  const qint64 start = text.lineStart(line);
  DecodedLine decoded(text.slice(start, text.lineEnd(line)));
  const qsizetype unit = decoded.unitAt(std::max<qint64>(0, offset - start));
  return {line, unit, decoded};
}

// Units of the first `characters` characters, as far as there are so many.
qsizetype unitsOf(const QString& text, qint64 characters) {
  qsizetype unit = 0;
  for (; characters > 0 && unit < text.size(); --characters)
    unit += text.at(unit).isHighSurrogate() ? 2 : 1;  // a decoder never leaves one alone
  return unit;
}

}  // namespace

LinePlace utf16Place(const Snapshot& text, qint64 offset) {
  const Place place = placeOf(text, offset);
  return {place.line, place.unit};
}

LinePlace codePointPlace(const Snapshot& text, qint64 offset) {
  const Place place = placeOf(text, offset);
  const QStringView before = QStringView(place.text.text()).first(place.unit);
  const auto pairs =
      std::count_if(before.begin(), before.end(), [](QChar c) { return c.isHighSurrogate(); });
  return {place.line, place.unit - pairs};
}

LinePlace utf8Place(const Snapshot& text, qint64 offset) {
  const qint64 line = text.lineAt(offset);
  const qint64 start = text.lineStart(line);
  const QByteArray bytes = text.slice(start, text.lineEnd(line));
  const qint64 column = std::clamp<qint64>(offset - start, 0, bytes.size());
  if (bytes.isValidUtf8()) return {line, column};
  DecodedLine decoded(bytes);
  return {line, QStringView(decoded.text()).first(decoded.unitAt(column)).toUtf8().size()};
}

qint64 offsetOfUtf16(const Snapshot& text, LinePlace place) {
  if (place.line < 0) return 0;
  if (place.line >= text.lineCount()) return text.size();
  return text.lineStart(place.line) +
         DecodedLine(text.line(place.line)).byteAt(std::max<qint64>(0, place.column));
}

qint64 offsetOfCodePoint(const Snapshot& text, LinePlace place) {
  if (place.line < 0) return 0;
  if (place.line >= text.lineCount()) return text.size();
  DecodedLine line(text.line(place.line));
  return text.lineStart(place.line) + line.byteAt(unitsOf(line.text(), place.column));
}

qint64 offsetOfUtf8(const Snapshot& text, LinePlace place) {
  if (place.line < 0) return 0;
  if (place.line >= text.lineCount()) return text.size();
  const qint64 start = text.lineStart(place.line);
  const QByteArray bytes = text.line(place.line);
  const qint64 column = std::max<qint64>(0, place.column);
  if (bytes.isValidUtf8()) return start + std::min<qint64>(column, bytes.size());
  const QByteArray shown = exactUtf8(bytes).toUtf8();
  return start +
         DecodedLine(bytes).byteAt(exactUtf8(shown.first(std::min(column, shown.size()))).size());
}

}  // namespace waferpair::editor
