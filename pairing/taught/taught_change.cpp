// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/taught/taught_change.h"

#include <algorithm>

#include "editor/text/line_diff.h"

namespace waferpair::pairing {
namespace {

constexpr int kRejoined = 2;  // lines that have to be as they were
constexpr qsizetype kLongest = 20;
constexpr qsizetype kLatestEdits = 3;

bool isBlankLine(const QByteArray& line) { return line.trimmed().isEmpty(); }

// Without the blank lines at the end, which models leave out and put in as they like.
QByteArrayList withoutBlankEnd(QByteArrayList lines) {
  while (!lines.isEmpty() && isBlankLine(lines.last())) lines.removeLast();
  return lines;
}

std::optional<TaughtChange> changeAt(const EditPrompt& prompt, const Rewrite& rewrite, int first,
                                     int oldCount, int newFirst, int newCount) {
  TaughtChange change;
  change.line = prompt.firstLine + rewrite.first + first;
  change.before = prompt.lines.mid(rewrite.first + first, oldCount);
  for (int i = newFirst; i < newFirst + newCount; ++i) change.after += rewrite.lines[i].text;
  const int last = newFirst + newCount - 1;
  if (last >= 0) change.end = rewrite.lines[last].end;
  return change;
}

// The lines without any blanks, and without those that have nothing else.
QByteArrayList blankless(const QByteArrayList& lines) {
  QByteArrayList all;
  for (const QByteArray& line : lines) {
    QByteArray text = line.simplified();
    text.replace(' ', "");
    if (!text.isEmpty()) all += text;
  }
  return all;
}

}  // namespace

std::optional<TaughtChange> firstChange(const EditPrompt& prompt, const Rewrite& rewrite) {
  const QByteArrayList old = prompt.lines.mid(rewrite.first, rewrite.count);
  QByteArrayList now;
  for (const AnsweredLine& line : rewrite.lines) now += line.text;
  if (rewrite.isWhole) {
    const auto text = [](const QByteArrayList& lines) {
      const QByteArrayList kept = withoutBlankEnd(lines);
      return editor::Snapshot(kept.isEmpty() ? QByteArray() : kept.join('\n') + '\n');
    };
    const QVector<editor::ChangedLines> changes = editor::lineDiff(text(old), text(now));
    if (changes.isEmpty()) return {};
    const editor::ChangedLines& change = changes.first();
    return changeAt(prompt, rewrite, static_cast<int>(change.oldStart),
                    static_cast<int>(change.oldCount), static_cast<int>(change.newStart),
                    static_cast<int>(change.newCount));
  }
  int same = 0;
  while (same < old.size() && same < now.size() && old[same] == now[same]) ++same;
  if (now.size() - same < kRejoined) return {};
  const QByteArrayList end = now.last(kRejoined);
  if (std::all_of(end.begin(), end.end(), isBlankLine)) return {};
  for (int at = same; at + kRejoined <= old.size(); ++at) {
    if (old.mid(at, kRejoined) != end) continue;
    return changeAt(prompt, rewrite, same, at - same, same,
                    static_cast<int>(now.size()) - kRejoined - same);
  }
  return {};
}

bool isIdle(const TaughtChange& change, const QVector<LineEdit>& edits) {
  if (std::max(change.before.size(), change.after.size()) > kLongest) return true;
  if (blankless(change.before) == blankless(change.after)) return true;
  const auto changeEnd = change.line + static_cast<int>(change.before.size());
  for (qsizetype i = edits.size(); i-- > std::max<qsizetype>(0, edits.size() - kLatestEdits);) {
    const LineEdit& edit = edits[i];
    const int editEnd = edit.line + static_cast<int>(edit.after.size());
    if (change.line > editEnd || changeEnd < edit.line) continue;
    // Both as lines of the range that they touch together.
    if (change.before == edit.after && change.after == edit.before) return true;
    const bool isAround = change.line <= edit.line && changeEnd >= editEnd;
    if (!isAround || edit.before.isEmpty()) continue;
    const qsizetype above = edit.line - change.line, below = changeEnd - editEnd;
    if (above + below > change.after.size()) continue;
    const QByteArrayList middle = change.after.mid(above, change.after.size() - above - below);
    if (middle == edit.before) return true;
  }
  return false;
}

}  // namespace waferpair::pairing
