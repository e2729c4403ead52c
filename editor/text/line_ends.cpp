// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/line_ends.h"

#include "editor/text/line_diff.h"

namespace waferpair::editor {
namespace {

LineEndCounter lineEndsIn(const Snapshot& text) {
  LineEndCounter counter;
  text.read(0, text.size(), [&](QByteArrayView piece) {
    counter.feed(QByteArray::fromRawData(piece.data(), piece.size()));
  });
  counter.finish();
  return counter;
}

bool hasLineEnd(const LineEndCounter& counter) {
  return counter.count(LineEnds::kLf) + counter.count(LineEnds::kCrLf) +
             counter.count(LineEnds::kCr) >
         0;
}

// The characters that the line ends with; none for the last one.
QByteArray lineEndAt(const Snapshot& text, qint64 line) {
  return text.slice(text.lineEnd(line), text.lineStart(line + 1));
}

}  // namespace

LineEnds lineEndsOf(const Snapshot& text, LineEnds otherwise) {
  const LineEndCounter counter = lineEndsIn(text);
  return hasLineEnd(counter) ? counter.dominant() : otherwise;
}

QByteArray withLineEnds(const QByteArray& outside, LineEnds ends) {
  if (!outside.contains('\n') && !outside.contains('\r')) return outside;
  QByteArray text = withLf(outside);
  return ends == LineEnds::kLf ? text : text.replace('\n', lineEndBytes(ends));
}

QByteArray withLineEndsOf(const QByteArray& replaced, const QByteArray& outside, LineEnds ends) {
  const Snapshot before(replaced);
  const LineEndCounter counter = lineEndsIn(before);
  const bool isMixed = counter.isMixed() || (hasLineEnd(counter) && counter.dominant() != ends);
  if (!isMixed) return withLineEnds(outside, ends);
  // These have the same lines, each ended by one byte.
  const Snapshot plainBefore(withLf(replaced)), plainAfter(withLf(outside));
  const QByteArray usual = lineEndBytes(ends);
  QByteArray text;
  qint64 line = 0, lineBefore = 0;
  const auto copyLine = [&](const QByteArray& end) {
    text += plainAfter.line(line);
    if (++line == plainAfter.lineCount()) return;
    // An empty line behind a CR would be one line end with it.
    text += text.endsWith('\r') && end == "\n" ? "\r\n" : end;
  };
  const auto copySame = [&](qint64 count) {
    for (qint64 i = 0; i < count; ++i) {
      const QByteArray end = lineEndAt(before, lineBefore++);
      copyLine(end.isEmpty() ? usual : end);
    }
  };
  for (const ChangedLines& hunk : lineDiff(plainBefore, plainAfter)) {
    copySame(hunk.newStart - line);
    // Of lines that changed each keeps the end of the one that it stands for.
    for (qint64 i = 0; i < hunk.newCount; ++i) {
      const QByteArray end =
          hunk.newCount == hunk.oldCount ? lineEndAt(before, hunk.oldStart + i) : QByteArray();
      copyLine(end.isEmpty() ? usual : end);
    }
    lineBefore = hunk.oldStart + hunk.oldCount;
  }
  copySame(plainAfter.lineCount() - line);
  return text;
}

Snapshot withLineEndsOf(const Snapshot& before, const Snapshot& outside) {
  if (before == outside) return before;
  return Snapshot(withLineEndsOf(before.toByteArray(), outside.toByteArray(), lineEndsOf(before)));
}

}  // namespace waferpair::editor
