// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/drifted_blanks.h"

#include "pairing/placing/line_replacement.h"

namespace waferpair::pairing {
namespace {

QByteArray withoutBlanks(const TextLines& lines, qsizetype line) {
  return QByteArray(lines.squeezed(line)).replace(" ", "");
}

}  // namespace

std::optional<RepairedChange> withTextsBlanks(const QByteArray& oldText, const QByteArray& newText,
                                              const TextLines& text) {
  const TextLines old(oldText), fresh(newText);
  const qsizetype count = old.count();
  if (count == 0 || count > text.count()) return {};
  QByteArrayList quoted, there;
  for (qsizetype i = 0; i < count; ++i) quoted.append(withoutBlanks(old, i));
  for (qsizetype i = 0; i < text.count(); ++i) there.append(withoutBlanks(text, i));
  qsizetype found = -1;
  for (qsizetype at = 0; at + count <= text.count(); ++at) {
    qsizetype same = 0;
    while (same < count && quoted[same] == there[at + same]) ++same;
    if (same < count) continue;
    if (found >= 0) return {};
    found = at;
  }
  if (found < 0) return {};
  const auto stays = [&](qsizetype line) {
    const QByteArray here = text.line(found + line).toByteArray();
    return old.indent(line) + here.sliced(text.indent(found + line).size()) + '\n';
  };
  RepairedChange made;
  qint64 line = 0;
  const auto stayUpTo = [&](qint64 end) {
    for (; line < end; ++line) made.newText += stays(line);
  };
  for (qsizetype i = 0; i < count; ++i) made.oldText += stays(i);
  for (const LineReplacement& change : replacementsBetween(oldText, newText)) {
    stayUpTo(change.oldStart);
    for (qint64 i = change.newStart; i < change.newStart + change.newCount; ++i)
      made.newText += fresh.line(i).toByteArray() + '\n';
    line = change.oldStart + change.oldCount;
  }
  stayUpTo(count);
  return made;
}

}  // namespace waferpair::pairing
