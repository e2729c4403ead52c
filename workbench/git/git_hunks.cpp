// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/git_hunks.h"

#include <algorithm>
#include <iterator>
#include <vector>

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

// The line without its end.
QByteArrayView bareLine(const QByteArray& line) {
  QByteArrayView bare = line;
  if (bare.endsWith('\n')) bare.chop(1);
  if (bare.endsWith('\r')) bare.chop(1);
  return bare;
}

// A line as it is compared with others: the pairs of its neighboring bytes, sorted.
struct LineShape {
  QByteArray text;
  std::vector<int> pairs;

  explicit LineShape(const QByteArray& line) : text(bareLine(line).trimmed().toByteArray()) {
    constexpr qsizetype kMostCompared = 200;
    for (qsizetype i = 0; i + 1 < std::min(text.size(), kMostCompared); ++i)
      pairs.push_back(static_cast<unsigned char>(text[i]) << 8 |
                      static_cast<unsigned char>(text[i + 1]));
    std::sort(pairs.begin(), pairs.end());
  }

  // From 0, nothing is alike, to 1, only their ends differ: the pairs that both have, as Dice
  // counts them.
  double alikeness(const LineShape& other) const {
    if (text == other.text) return 1;
    if (pairs.empty() || other.pairs.empty()) return 0;
    std::vector<int> common;
    std::set_intersection(pairs.begin(), pairs.end(), other.pairs.begin(), other.pairs.end(),
                          std::back_inserter(common));
    return 2.0 * static_cast<double>(common.size()) /
           static_cast<double>(pairs.size() + other.pairs.size());
  }
};

// For each new line the old one that it stands for, in order; -1: none. Lines that are alike stand
// for each other; between those the first does for the first, the second for the second.
QVector<qsizetype> standsFor(const QVector<QByteArray>& old, const QVector<QByteArray>& fresh) {
  constexpr qsizetype kMostPairs = 1 << 14;
  constexpr double kAlike = 0.3;
  const qsizetype rows = old.size(), columns = fresh.size();
  QVector<qsizetype> pairs(columns, -1);
  if (rows * columns <= kMostPairs) {
    std::vector<LineShape> oldShapes(old.begin(), old.end()), shapes(fresh.begin(), fresh.end());
    // best[i][k]: what the best pairs of old lines from i and new ones from k on are worth.
    QVector<double> best((rows + 1) * (columns + 1), 0.0);
    const auto at = [&](qsizetype i, qsizetype k) -> double& {
      return best[i * (columns + 1) + k];
    };
    QVector<double> worth(rows * columns, 0.0);
    for (qsizetype i = rows - 1; i >= 0; --i)
      for (qsizetype k = columns - 1; k >= 0; --k) {
        const double alike =
            oldShapes[static_cast<std::size_t>(i)].alikeness(shapes[static_cast<std::size_t>(k)]);
        worth[i * columns + k] = alike >= kAlike ? alike : 0;
        at(i, k) =
            std::max({at(i + 1, k), at(i, k + 1), worth[i * columns + k] + at(i + 1, k + 1)});
      }
    for (qsizetype i = 0, k = 0; i < rows && k < columns;) {
      const double here = worth[i * columns + k];
      if (here > 0 && at(i, k) == here + at(i + 1, k + 1)) {
        pairs[k++] = i++;
      } else {
        at(i, k) == at(i + 1, k) ? ++i : ++k;
      }
    }
  }
  for (qsizetype from = 0, oldFrom = 0; from <= columns;) {
    qsizetype to = from;
    while (to < columns && pairs[to] < 0) ++to;
    const qsizetype oldTo = to < columns ? pairs[to] : rows;
    for (qsizetype i = 0; i < std::min(to - from, oldTo - oldFrom); ++i)
      pairs[from + i] = oldFrom + i;
    from = to + 1;
    oldFrom = oldTo + 1;
  }
  return pairs;
}

// What stands between: of `old` lines those that do not go, and of `fresh` ones those that come, in
// the order of what stands for what. A line that is not its text's last any more gets an end.
QByteArray joined(const QVector<QByteArray>& old, const QVector<QByteArray>& fresh,
                  const ChosenLines& chosen) {
  QVector<QByteArray> lines;
  qsizetype at = 0;  // the next old line
  const auto keepUpTo = [&](qsizetype end) {
    for (; at < end; ++at)
      if (!chosen.old.value(at)) lines.append(old[at]);
  };
  const QVector<qsizetype> pairs = standsFor(old, fresh);
  for (qsizetype i = 0; i < fresh.size(); ++i) {
    const auto next =
        std::find_if(pairs.begin() + i, pairs.end(), [](qsizetype pair) { return pair >= 0; });
    keepUpTo(next == pairs.end() ? old.size() : *next + (pairs[i] >= 0 ? 1 : 0));
    if (chosen.fresh.value(i)) lines.append(fresh[i]);
  }
  keepUpTo(old.size());
  const bool hasCr = std::any_of(lines.begin(), lines.end(),
                                 [](const QByteArray& line) { return line.endsWith("\r\n"); });
  for (qsizetype i = 0; i + 1 < lines.size(); ++i)
    if (!lines[i].endsWith('\n')) lines[i] += hasCr ? "\r\n" : "\n";
  return lines.join();
}

// `text` with LF for each CRLF; it has the same lines.
Snapshot withoutCr(const Snapshot& text) {
  QByteArray bytes = text.toByteArray();
  return bytes.contains('\r') ? Snapshot(bytes.replace("\r\n", "\n")) : text;
}

// Where the lines of a text begin, counted by LF, and its end.
QVector<qint64> lineStartsOf(const Snapshot& text) {
  QVector<qint64> starts{0};
  qint64 at = 0;
  text.read(0, text.size(), [&](QByteArrayView piece) {
    for (qsizetype end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', end + 1))
      starts.append(at + end + 1);
    at += piece.size();
  });
  if (starts.last() != text.size()) starts.append(text.size());
  return starts;
}

// Takes places between the lines of one text to those of another with the same lines.
class SameLines {
 public:
  SameLines(const Snapshot& from, const Snapshot& to) {
    if (from == to) return;
    from_ = lineStartsOf(from);
    to_ = lineStartsOf(to);
  }

  qint64 across(qint64 offset) const {
    if (from_.isEmpty()) return offset;
    const auto line = std::lower_bound(from_.begin(), from_.end(), offset) - from_.begin();
    return to_[std::min<qsizetype>(line, to_.size() - 1)];
  }

 private:
  QVector<qint64> from_, to_;
};

}  // namespace

QVector<ChangedLines> gitLineDiff(const Snapshot& before, const Snapshot& after) {
  const Snapshot plainBefore = withoutCr(before), plainAfter = withoutCr(after);
  QVector<ChangedLines> changes = editor::lineDiff(plainBefore, plainAfter);
  if (changes.isEmpty()) return changes;
  const SameLines old(plainBefore, before), fresh(plainAfter, after);
  for (ChangedLines& change : changes) {
    change.oldFrom = old.across(change.oldFrom);
    change.oldTo = old.across(change.oldTo);
    change.newFrom = fresh.across(change.newFrom);
    change.newTo = fresh.across(change.newTo);
  }
  return changes;
}

QVector<GitHunk> gitHunks(const Snapshot& head, const Snapshot& index, const Snapshot& text,
                          const Snapshot& clean) {
  QVector<GitHunk> hunks;
  const SameLines lines(clean, text);
  const auto add = [&](const ChangedLines& change, bool isStaged, qint64 from, qint64 to) {
    hunks.append(hunkAt(change, isStaged, lines.across(from), lines.across(to), text));
  };
  const QVector<ChangedLines> unstaged = gitLineDiff(index, clean);
  for (const ChangedLines& change : unstaged) add(change, false, change.newFrom, change.newTo);
  for (const ChangedLines& change : gitLineDiff(head, index)) {
    const qint64 from = across(change.newFrom, unstaged, false);
    const qint64 to = change.newCount == 0 ? from : across(change.newTo, unstaged, true);
    add(change, true, from, std::max(from, to));
  }
  return hunks;
}

ChosenLines chosenByNew(const Snapshot& before, const Snapshot& after, const ChangedLines& change,
                        const QVector<bool>& fresh) {
  const QVector<QByteArray> old = linesOf(before, change.oldFrom, change.oldTo);
  const QVector<qsizetype> pairs = standsFor(old, linesOf(after, change.newFrom, change.newTo));
  ChosenLines chosen{QVector<bool>(old.size(), false), fresh, false};
  for (qsizetype i = 0; i < pairs.size(); ++i)
    if (pairs[i] >= 0 && fresh.value(i)) chosen.old[pairs[i]] = true;
  return chosen;
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
