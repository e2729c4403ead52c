// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/alignment.h"

#include <QHash>
#include <algorithm>

namespace waferpair::pairing {
namespace {

// The share of the old text that has to be there.
constexpr double kLeastShare = 0.5;
// Another place is possible if it has this share of what the best one has.
constexpr double kNearlyAsGood = 0.7;
// A longer line says no more than one of so many bytes.
constexpr qsizetype kMostWeight = 40;
// Lines that stand more often say nothing about a place.
constexpr qsizetype kMostOften = 200;
constexpr qsizetype kMostOldLines = 1000;
constexpr qsizetype kMostWindows = 64;

double weightOf(const TextLines& lines, qsizetype line) {
  return static_cast<double>(std::min(lines.squeezed(line).size(), kMostWeight));
}

// The alignment within lines [from, to) of the text whose common lines weigh most.
Alignment aligned(const TextLines& text, qsizetype from, qsizetype to, const TextLines& old) {
  const qsizetype rows = old.count();
  const qsizetype columns = to - from;
  // weight[i][j]: of the best alignment of old lines from i on with the text's from j on. An empty
  // line weighs a little, and so does the same indentation, where nothing else tells.
  QVector<float> weight((rows + 1) * (columns + 1), 0);
  const auto at = [&](qsizetype i, qsizetype j) -> float& { return weight[i * (columns + 1) + j]; };
  const auto pair = [&](qsizetype i, qsizetype j) {
    return old.squeezed(i) == text.squeezed(from + j) ? static_cast<float>(weightOf(old, i)) + 0.1F
                                                      : 0.0F;
  };
  for (qsizetype i = rows - 1; i >= 0; --i) {
    for (qsizetype j = columns - 1; j >= 0; --j) {
      at(i, j) = std::max(at(i + 1, j), at(i, j + 1));
      if (const float here = pair(i, j); here > 0)
        at(i, j) = std::max(at(i, j), here + at(i + 1, j + 1));
    }
  }
  Alignment alignment;
  alignment.lines.fill(-1, rows);
  double found = 0, all = 0;
  for (qsizetype i = 0, j = 0; i < rows && j < columns;) {
    const float here = pair(i, j);
    if (here > 0 && at(i, j) == here + at(i + 1, j + 1)) {
      alignment.lines[i] = from + j;
      found += weightOf(old, i);
      ++i;
      ++j;
    } else if (at(i, j) == at(i + 1, j)) {
      ++i;
    } else {
      ++j;
    }
  }
  for (qsizetype i = 0; i < rows; ++i) all += weightOf(old, i);
  alignment.share = all > 0 ? found / all : 0;
  return alignment;
}

// Empty lines and lone brackets stand everywhere.
bool isTelling(const TextLines& lines, qint64 line) { return lines.squeezed(line).size() > 2; }

bool canTake(const Alignment& alignment, const TextLines& old, const editor::ChangedLines& change) {
  const QVector<qint64>& lines = alignment.lines;
  const qint64 end = change.oldStart + change.oldCount;
  const qint64 before = change.oldStart > 0 ? lines[change.oldStart - 1] : -1;
  const qint64 after = end < lines.size() ? lines[end] : -1;
  bool tells = false;
  for (qint64 i = change.oldStart; i < end; ++i) {
    if (lines[i] < 0 || (i > change.oldStart && lines[i] != lines[i - 1] + 1)) return false;
    tells = tells || isTelling(old, i);
  }
  if (change.oldCount > 0) {
    return tells || (before >= 0 && lines[change.oldStart] == before + 1) ||
           (after >= 0 && after == lines[end - 1] + 1);
  }
  // An insertion with one neighbor changed or gone belongs beside the other.
  if (before >= 0 && after >= 0) return after == before + 1;
  return (before >= 0 && isTelling(old, change.oldStart - 1)) ||
         (after >= 0 && isTelling(old, end));
}

// The line of the text that the change takes away first, or before which it inserts.
qint64 siteOf(const Alignment& alignment, const editor::ChangedLines& change) {
  const QVector<qint64>& lines = alignment.lines;
  if (change.oldCount == 0 && change.oldStart > 0 && lines[change.oldStart - 1] >= 0)
    return lines[change.oldStart - 1] + 1;
  return lines[change.oldStart];
}

}  // namespace

qint64 Alignment::lastLine() const { return *std::max_element(lines.cbegin(), lines.cend()); }

qint64 Alignment::firstLine() const {
  const auto first = std::find_if(lines.cbegin(), lines.cend(), [](qint64 at) { return at >= 0; });
  return first == lines.cend() ? 0 : *first;
}

Alignments alignmentsOf(const TextLines& text, const TextLines& old,
                        const QVector<editor::ChangedLines>& changes) {
  if (old.count() > kMostOldLines) return {};
  QHash<QByteArray, QVector<qsizetype>> where;
  for (qsizetype line = 0; line < text.count(); ++line) {
    if (!text.squeezed(line).isEmpty()) where[text.squeezed(line)].append(line);
  }
  // Each line of the old text votes for where the old text would begin.
  QHash<qsizetype, double> votes;
  for (qsizetype i = 0; i < old.count(); ++i) {
    const auto found = where.constFind(old.squeezed(i));
    if (found == where.cend() || found->size() > kMostOften) continue;
    for (const qsizetype line : *found) votes[line - i] += weightOf(old, i);
  }
  QVector<std::pair<double, qsizetype>> starts;
  for (auto vote = votes.cbegin(); vote != votes.cend(); ++vote)
    starts.append({vote.value(), vote.key()});
  std::sort(starts.begin(), starts.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  const qsizetype slack = 4 + old.count() / 2;
  Alignments result;
  QVector<Alignment>& good = result.possible;
  for (const auto& [weight, start] : starts.first(std::min(starts.size(), kMostWindows))) {
    const qsizetype from = std::clamp<qsizetype>(start - slack, 0, text.count());
    const qsizetype to = std::clamp<qsizetype>(start + old.count() + slack, from, text.count());
    Alignment found = aligned(text, from, to, old);
    if (found.share < kLeastShare * kNearlyAsGood) continue;
    if (!std::all_of(changes.cbegin(), changes.cend(),
                     [&](const auto& change) { return canTake(found, old, change); })) {
      if (found.share >= kLeastShare && (!result.blocked || found.share > result.blocked->share))
        result.blocked = found;
      continue;
    }
    // Windows overlap: the change is put at the same lines.
    const bool known = std::any_of(good.cbegin(), good.cend(), [&](const Alignment& other) {
      return std::all_of(changes.cbegin(), changes.cend(), [&](const auto& change) {
        return siteOf(found, change) == siteOf(other, change);
      });
    });
    if (!known) good.append(std::move(found));
  }
  std::sort(good.begin(), good.end(),
            [](const Alignment& a, const Alignment& b) { return a.share > b.share; });
  if (good.isEmpty() || good.first().share < kLeastShare) {
    good.clear();
    return result;
  }
  const double least = good.first().share * kNearlyAsGood;
  while (good.last().share < least) good.removeLast();
  return result;
}

}  // namespace waferpair::pairing
