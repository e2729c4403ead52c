// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/text_edits.h"

#include <QJsonArray>
#include <algorithm>

#include "editor/text/line_diff.h"
#include "editor/text/line_ends.h"
#include "editor/text/translate.h"

namespace waferpair::workbench {
namespace {

using editor::Snapshot;
using editor::TextEdit;

tl::unexpected<editor::Error> unbelievable(const QString& what) {
  return tl::unexpected(editor::Error{
      translate("The language server's changes cannot be made: %1.").arg(what),
      translate("Nothing was changed. Another version of the server may do better.")});
}

bool isPlace(const QJsonValue& place) {
  return place[u"line"].isDouble() && place[u"character"].isDouble();
}

bool isBefore(const editor::LinePlace& a, const editor::LinePlace& b) {
  return a.line < b.line || (a.line == b.line && a.column < b.column);
}

// The same change without what both begin and end with, cut between characters.
TextEdit narrowed(const QByteArray& before, const QByteArray& after, qint64 at) {
  const auto isInside = [](const QByteArray& text, qsizetype index) {
    constexpr unsigned char kMask = 0xc0, kContinuation = 0x80;
    return index < text.size() &&
           (static_cast<unsigned char>(text[index]) & kMask) == kContinuation;
  };
  const qsizetype most = std::min(before.size(), after.size());
  qsizetype front = 0;
  while (front < most && before[front] == after[front]) ++front;
  while (front > 0 && (isInside(before, front) || isInside(after, front))) --front;
  qsizetype back = 0;
  while (back < most - front && before[before.size() - 1 - back] == after[after.size() - 1 - back])
    ++back;
  while (back > 0 &&
         (isInside(before, before.size() - back) || isInside(after, after.size() - back)))
    --back;
  return {at + front, at + before.size() - back, after.sliced(front, after.size() - front - back)};
}

}  // namespace

editor::Result<Snapshot> withEdits(const Snapshot& text, const QJsonValue& edits, ColumnUnit unit) {
  if (!edits.isArray() && !edits.isNull()) return unbelievable(translate("they are no list"));
  const QJsonArray list = edits.toArray();
  if (list.size() > kMostTextEdits) return unbelievable(translate("there are too many"));
  QVector<TextEdit> read;
  read.reserve(list.size());
  for (const QJsonValue one : list) {
    const QJsonValue start = one[u"range"][u"start"], end = one[u"range"][u"end"];
    if (!isPlace(start) || !isPlace(end) || !one[u"newText"].isString())
      return unbelievable(translate("one has no range or no text"));
    if (isBefore(linePlaceOf(end), linePlaceOf(start)))
      return unbelievable(translate("one ends before it begins"));
    const ByteRange range = byteRangeOf(text, one[u"range"], unit);
    read.append({range.start, range.end, one[u"newText"].toString().toUtf8()});
  }
  // Of insertions at one place the first in the list comes first.
  std::stable_sort(read.begin(), read.end(), [](const TextEdit& a, const TextEdit& b) {
    return a.start < b.start || (a.start == b.start && a.end < b.end);
  });
  const editor::LineEnds ends = editor::lineEndsOf(text);
  QByteArray after;
  qint64 done = 0;
  for (const TextEdit& edit : std::as_const(read)) {
    if (edit.start < done) return unbelievable(translate("two change the same text"));
    after += text.slice(done, edit.start);
    // A server that counts the CR of a CRLF to its line sends it, too, and the text still has it.
    const QByteArray behind = text.slice(edit.end, edit.end + 2);
    const bool hasIt = edit.text.endsWith('\r') && (behind == "\r\n" || behind.startsWith('\n'));
    after += editor::withLineEndsOf(text.slice(edit.start, edit.end),
                                    hasIt ? edit.text.chopped(1) : edit.text, ends);
    done = edit.end;
  }
  return Snapshot(after + text.slice(done, text.size()));
}

QVector<TextEdit> smallEdits(const Snapshot& before, const Snapshot& after) {
  QVector<TextEdit> edits;
  for (const editor::ChangedLines& hunk : editor::lineDiff(before, after)) {
    // Those before it have been made: what is in front of it is as it will be.
    qint64 at = hunk.newFrom;
    const QByteArray from = before.slice(hunk.oldFrom, hunk.oldTo);
    const QByteArray to = after.slice(hunk.newFrom, hunk.newTo);
    if (hunk.oldCount != hunk.newCount) {
      edits.append(narrowed(from, to, at));
      continue;
    }
    qsizetype fromAt = 0, toAt = 0;
    for (qint64 line = 0; line < hunk.oldCount; ++line) {
      const qsizetype fromEnd = from.indexOf('\n', fromAt), toEnd = to.indexOf('\n', toAt);
      const QByteArray oldLine =
          from.sliced(fromAt, (fromEnd < 0 ? from.size() : fromEnd + 1) - fromAt);
      const QByteArray newLine = to.sliced(toAt, (toEnd < 0 ? to.size() : toEnd + 1) - toAt);
      if (oldLine != newLine) edits.append(narrowed(oldLine, newLine, at));
      at += newLine.size();
      fromAt += oldLine.size();
      toAt += newLine.size();
    }
  }
  return edits;
}

}  // namespace waferpair::workbench
