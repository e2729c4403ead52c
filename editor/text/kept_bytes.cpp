// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/kept_bytes.h"

#include <unicode/utf8.h>

#include <QByteArrayList>

#include "editor/text/line_diff.h"

namespace waferpair::editor {

namespace {

constexpr char kReplacement[] = "\xEF\xBF\xBD";
constexpr qsizetype kReplacementSize = 3;

// Whatever is shown as U+FFFD: that character, and bytes that are part of none, each by itself.
QByteArrayList shownAsReplacement(const QByteArray& bytes) {
  QByteArrayList shown;
  const char* const data = bytes.constData();
  for (qsizetype at = 0; at < bytes.size();) {
    const qsizetype start = at;
    UChar32 character = 0;
    U8_NEXT(data, at, bytes.size(), character);
    if (character == 0xFFFD) shown.append(kReplacement);
    if (character < 0)
      for (qsizetype byte = start; byte < at; ++byte) shown.append(bytes.mid(byte, 1));
  }
  return shown;
}

}  // namespace

std::optional<QByteArray> withBytesOf(const QByteArray& replaced, const QByteArray& outside) {
  if (!outside.contains(kReplacement) || replaced.isValidUtf8()) return outside;
  const QByteArrayList bytes = shownAsReplacement(replaced);
  if (outside.count(kReplacement) != bytes.size()) return {};
  QByteArray text;
  qsizetype from = 0;
  for (const QByteArray& each : bytes) {
    const qsizetype at = outside.indexOf(kReplacement, from);
    text += outside.mid(from, at - from) + each;
    from = at + kReplacementSize;
  }
  return text + outside.mid(from);
}

std::optional<Snapshot> withBytesOf(const Snapshot& before, const Snapshot& outside) {
  if (before.toByteArray().isValidUtf8()) return outside;
  QByteArray text;
  qint64 from = 0;
  for (const ChangedLines& change : lineDiff(before, outside)) {
    const auto lines = withBytesOf(before.slice(change.oldFrom, change.oldTo),
                                   outside.slice(change.newFrom, change.newTo));
    if (!lines) return {};
    text += outside.slice(from, change.newFrom) + *lines;
    from = change.newTo;
  }
  return Snapshot(text + outside.slice(from, outside.size()));
}

}  // namespace waferpair::editor
