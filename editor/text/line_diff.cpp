// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/line_diff.h"

#include <algorithm>

#include "editor/text/conflicts.h"
#include "editor/text/libgit2.h"
#include "editor/text/text_codec.h"

namespace waferpair::editor {

namespace {

constexpr qint64 kComparedBytes = 1 << 16;  // at a time
constexpr qint64 kMostByLines = 2 << 20;    // bytes in which changed lines are looked for quickly
constexpr qint64 kMostAround = 1 << 16;     // bytes of the lines' own around what differs

// A walk through a text by LF lines, forward only.
class LineWalk {
 public:
  explicit LineWalk(const QByteArray& text) : text_(text) {}

  // Returns where `line` begins; the end of the text past the last one.
  qint64 to(qint64 line) {
    for (; line_ < line; ++line_) {
      const qsizetype end = text_.indexOf('\n', at_);
      at_ = end < 0 ? text_.size() : end + 1;
    }
    return at_;
  }

 private:
  const QByteArray& text_;
  qint64 line_ = 0;
  qsizetype at_ = 0;
};

// The first line of a range: git counts from 1, and for an empty range names the line before it.
qint64 firstLine(int start, int count) { return count == 0 ? start : start - 1; }

int takeHunk(const git_diff_delta*, const git_diff_hunk* hunk, void* changes) {
  ChangedLines change;
  change.oldStart = firstLine(hunk->old_start, hunk->old_lines);
  change.oldCount = hunk->old_lines;
  change.newStart = firstLine(hunk->new_start, hunk->new_lines);
  change.newCount = hunk->new_lines;
  static_cast<QVector<ChangedLines>*>(changes)->append(change);
  return 0;
}

qint64 lineCountByLf(const QByteArray& text) {
  return text.count('\n') + (text.isEmpty() || text.endsWith('\n') ? 0 : 1);
}

}  // namespace

QVector<ChangedLines> lineDiff(const Snapshot& before, const Snapshot& after) {
  if (before == after) return {};
  setUpLibgit2();
  const QByteArray from = before.toByteArray();
  const QByteArray to = after.toByteArray();
  git_diff_options options;
  git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
  options.context_lines = 0;
  options.interhunk_lines = 0;
  options.max_size = -1;
  QVector<ChangedLines> changes;
  const auto length = [](const QByteArray& text) { return static_cast<size_t>(text.size()); };
  const int failed =
      git_diff_buffers(from.constData(), length(from), nullptr, to.constData(), length(to), nullptr,
                       &options, nullptr, nullptr, takeHunk, nullptr, &changes);
  // A text that is too large for it (1 GB), or no memory: then all of it is another one.
  if (failed != 0 || changes.isEmpty())
    changes = {{.oldCount = lineCountByLf(from), .newCount = lineCountByLf(to)}};
  LineWalk oldLines(from);
  LineWalk newLines(to);
  for (ChangedLines& change : changes) {
    change.oldFrom = oldLines.to(change.oldStart);
    change.oldTo = oldLines.to(change.oldStart + change.oldCount);
    change.newFrom = newLines.to(change.newStart);
    change.newTo = newLines.to(change.newStart + change.newCount);
  }
  return changes;
}

QVector<ChangedLines> textDiff(const Snapshot& before, const Snapshot& after) {
  const QByteArray from = before.toByteArray();
  const QByteArray to = after.toByteArray();
  if (!from.contains('\r') && !to.contains('\r')) return lineDiff(before, after);
  QVector<ChangedLines> changes = lineDiff(Snapshot(withLf(from)), Snapshot(withLf(to)));
  for (ChangedLines& change : changes) {
    change.oldFrom = before.lineStart(change.oldStart);
    change.oldTo = before.lineStart(change.oldStart + change.oldCount);
    change.newFrom = after.lineStart(change.newStart);
    change.newTo = after.lineStart(change.newStart + change.newCount);
  }
  return changes;
}

qint64 lineBehind(const QVector<ChangedLines>& changes, qint64 line) {
  qint64 now = line;
  for (const ChangedLines& change : changes) {
    if (change.oldStart > line) break;
    if (line < change.oldStart + change.oldCount) return -1;
    now += change.newCount - change.oldCount;
  }
  return now;
}

QVector<TextEdit> lineEdits(const Snapshot& before, const Snapshot& after) {
  QVector<TextEdit> edits;
  for (const ChangedLines& change : lineDiff(before, after)) {
    // The text before the change is as it is in `after` already.
    const qint64 start = change.newFrom;
    edits.append(
        {start, start + change.oldTo - change.oldFrom, after.slice(change.newFrom, change.newTo)});
  }
  return edits;
}

TextEdit differingRange(const Snapshot& before, const Snapshot& after) {
  const qint64 shorter = std::min(before.size(), after.size());
  // Returns how many bytes are the same, of at most `most`, from the start or back from the end.
  const auto same = [&](bool fromEnd, qint64 most) {
    qint64 count = 0;
    while (count < most) {
      const qint64 piece = std::min(most - count, kComparedBytes);
      const auto take = [&](const Snapshot& text) {
        return fromEnd ? text.slice(text.size() - count - piece, text.size() - count)
                       : text.slice(count, count + piece);
      };
      const QByteArray ours = take(before);
      const QByteArray theirs = take(after);
      if (ours != theirs) {
        return count + (fromEnd ? std::mismatch(ours.rbegin(), ours.rend(), theirs.rbegin()).first -
                                      ours.rbegin()
                                : std::mismatch(ours.begin(), ours.end(), theirs.begin()).first -
                                      ours.begin());
      }
      count += piece;
    }
    return most;
  };
  const auto isInside = [](const Snapshot& text, qint64 at) {  // of a character
    const QByteArray byte = text.slice(at, at + 1);
    return !byte.isEmpty() && (byte[0] & 0xc0) == 0x80;
  };
  qint64 head = same(false, shorter);
  while (head > 0 && (isInside(before, head) || isInside(after, head))) --head;
  qint64 tail = same(true, shorter - head);
  while (tail > 0 && isInside(before, before.size() - tail)) --tail;
  return {head, before.size() - tail, after.slice(head, after.size() - tail)};
}

QVector<TextEdit> quickEdits(const Snapshot& before, const Snapshot& after) {
  const TextEdit range = differingRange(before, after);
  if (range.start == range.end && range.text.isEmpty()) return {};
  const qint64 start = before.lineStart(before.lineAt(range.start));
  const qint64 end = before.lineStart(before.lineAt(range.end) + 1);
  const qint64 newEnd = after.size() - (before.size() - end);
  const qint64 around = range.start - start + end - range.end;
  if (around > kMostAround || std::max(end, newEnd) - start > kMostByLines) return {range};
  QVector<TextEdit> edits =
      lineEdits(Snapshot(before.slice(start, end)), Snapshot(after.slice(start, newEnd)));
  for (TextEdit& edit : edits) {
    edit.start += start;
    edit.end += start;
  }
  return edits;
}

std::optional<Snapshot> lineMerge(const Snapshot& base, const Snapshot& mine,
                                  const Snapshot& theirs) {
  const auto merged = markedMerge(base, mine, theirs, {}, {});
  return merged && merged->isClean ? std::optional(merged->text) : std::nullopt;
}

}  // namespace waferpair::editor
