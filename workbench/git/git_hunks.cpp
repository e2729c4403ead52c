// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/git_hunks.h"

#include <algorithm>

namespace waferpair::workbench {

using editor::ChangedLines;
using editor::Snapshot;
using HunkKind = GitHunk::Kind;

namespace {

HunkKind hunkKindOf(const ChangedLines& lines) {
  if (lines.oldCount == 0) return HunkKind::kAdded;
  return lines.newCount == 0 ? HunkKind::kRemoved : HunkKind::kChanged;
}

GitHunk hunkAt(const ChangedLines& lines, bool isStaged, qint64 from, qint64 to,
               const Snapshot& text) {
  GitHunk hunk{isStaged, hunkKindOf(lines), lines, {from, to}, 0, 0};
  hunk.firstLine = static_cast<int>(text.lineAt(from));
  if (from == to) return hunk;
  // The place ends behind a line end, which is where the next line begins, or with the text.
  const auto last = static_cast<int>(text.lineAt(to));
  const bool endsInside = text.lineStart(last) < to;
  hunk.lineCount = last - hunk.firstLine + (endsInside ? 1 : 0);
  return hunk;
}

// Where an offset of the old text is in the new one; one within a change is at its nearer edge.
qint64 across(qint64 offset, const QVector<ChangedLines>& changes, bool isEnd) {
  qint64 shift = 0;
  for (const ChangedLines& change : changes) {
    if (offset < change.oldFrom || (offset == change.oldFrom && !isEnd && change.oldCount == 0))
      break;
    if (offset < change.oldTo || (offset == change.oldFrom && change.oldCount > 0))
      return isEnd ? change.newTo : change.newFrom;
    shift = change.newTo - change.oldTo;
  }
  return offset + shift;
}

// The lines of [from, to) with their ends, cut at LF as the diff does.
QVector<QByteArray> linesOf(const Snapshot& text, qint64 from, qint64 to) {
  QVector<QByteArray> lines;
  const QByteArray bytes = text.slice(from, to);
  for (qsizetype at = 0; at < bytes.size();) {
    const qsizetype end = bytes.indexOf('\n', at);
    const qsizetype next = end < 0 ? bytes.size() : end + 1;
    lines.append(bytes.mid(at, next - at));
    at = next;
  }
  return lines;
}

// What stands between: of `old` lines those that do not go, and of `fresh` ones those that come. A
// line that is not its text's last any more gets an end.
QByteArray joined(const QVector<QByteArray>& old, const QVector<QByteArray>& fresh,
                  const ChosenLines& chosen) {
  QVector<QByteArray> lines;
  const auto goes = [&](qsizetype i) { return chosen.old.value(i); };
  const auto comes = [&](qsizetype i) { return chosen.fresh.value(i); };
  if (old.size() == fresh.size()) {
    for (qsizetype i = 0; i < old.size(); ++i) {
      if (!goes(i)) lines.append(old[i]);
      if (comes(i)) lines.append(fresh[i]);
    }
  } else {
    for (qsizetype i = 0; i < old.size(); ++i)
      if (!goes(i)) lines.append(old[i]);
    for (qsizetype i = 0; i < fresh.size(); ++i)
      if (comes(i)) lines.append(fresh[i]);
  }
  for (qsizetype i = 0; i + 1 < lines.size(); ++i)
    if (!lines[i].endsWith('\n')) lines[i] += '\n';
  return lines.join();
}

}  // namespace

QVector<GitHunk> gitHunks(const Snapshot& head, const Snapshot& index, const Snapshot& text) {
  QVector<GitHunk> hunks;
  const QVector<ChangedLines> unstaged = editor::lineDiff(index, text);
  for (const ChangedLines& lines : unstaged)
    hunks.append(hunkAt(lines, false, lines.newFrom, lines.newTo, text));
  for (const ChangedLines& lines : editor::lineDiff(head, index)) {
    const qint64 from = across(lines.newFrom, unstaged, false);
    const qint64 to = lines.newCount == 0 ? from : across(lines.newTo, unstaged, true);
    hunks.append(hunkAt(lines, true, from, std::max(from, to), text));
  }
  return hunks;
}

Snapshot withChange(const Snapshot& before, const Snapshot& after, const ChangedLines& change,
                    const ChosenLines& chosen) {
  const QByteArray text = chosen.isAll
                              ? after.slice(change.newFrom, change.newTo)
                              : joined(linesOf(before, change.oldFrom, change.oldTo),
                                       linesOf(after, change.newFrom, change.newTo), chosen);
  return before.replaced(change.oldFrom, change.oldTo, text);
}

QByteArray linesWithout(const Snapshot& before, const Snapshot& after, const ChangedLines& change,
                        const ChosenLines& chosen) {
  const QByteArray old = before.slice(change.oldFrom, change.oldTo);
  if (chosen.isAll) return old;
  return joined(linesOf(after, change.newFrom, change.newTo),
                linesOf(before, change.oldFrom, change.oldTo),
                {chosen.fresh, chosen.old, chosen.isAll});
}

Snapshot withoutChange(const Snapshot& before, const Snapshot& after, const ChangedLines& change,
                       const ChosenLines& chosen) {
  return after.replaced(change.newFrom, change.newTo, linesWithout(before, after, change, chosen));
}

}  // namespace waferpair::workbench
