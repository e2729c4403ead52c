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
// The cost of a line of the text between two lines, in bytes.
constexpr float kCostBetween = 0.02F;
// So many lines may come into a short text before it may as well be another.
constexpr qint64 kFewBetween = 2;
constexpr qsizetype kMostWindows = 64;

double weightOf(const TextLines& lines, qsizetype line) {
  return static_cast<double>(std::min(lines.squeezed(line).size(), kMostWeight));
}

Alignment alignmentOf(QVector<qint64> lines, const TextLines& old) {
  double found = 0, all = 0;
  for (qsizetype i = 0; i < lines.size(); ++i) {
    all += weightOf(old, i);
    if (lines[i] >= 0) found += weightOf(old, i);
  }
  Alignment alignment;
  alignment.lines = std::move(lines);
  alignment.share = all > 0 ? found / all : 0;
  return alignment;
}

// The alignment within lines [from, to) of the text whose common lines weigh most.
Alignment aligned(const TextLines& text, qsizetype from, qsizetype to, const TextLines& old) {
  const qsizetype rows = old.count();
  const qsizetype columns = to - from;
  const auto isSame = [&](qsizetype i, qsizetype j) {
    return i >= 0 && i < rows && j >= 0 && j < columns &&
           old.squeezed(i) == text.squeezed(from + j);
  };
  // An empty line weighs a little, and a little more beside a line that is there, too: it belongs
  // to that.
  const auto weightOfPair = [&](qsizetype i, qsizetype j) {
    const float beside = (isSame(i - 1, j - 1) ? 0.05F : 0) + (isSame(i + 1, j + 1) ? 0.05F : 0);
    return static_cast<float>(weightOf(old, i)) + 0.1F + beside;
  };
  // Each cell: the best that can follow where old lines before i and the text's before j are dealt
  // with and some of them are the same. A line of the text between two that are the same costs a
  // little: of two places with all the lines, the one where they stand together is meant.
  enum class Step : char { kEnd, kSkipOld, kSkipText, kPair };
  struct Cell {
    float weight = 0;
    Step step = Step::kEnd;
  };
  QVector<Cell> cells((rows + 1) * (columns + 1));
  const auto at = [&](qsizetype i, qsizetype j) -> Cell& { return cells[i * (columns + 1) + j]; };
  qsizetype firstRow = rows, firstColumn = columns;
  float best = 0;
  for (qsizetype i = rows - 1; i >= 0; --i) {
    for (qsizetype j = columns - 1; j >= 0; --j) {
      Cell& cell = at(i, j);
      const auto offer = [&cell](float weight, Step step) {
        if (weight > cell.weight) cell = {weight, step};
      };
      if (isSame(i, j)) {
        const float weight = weightOfPair(i, j) + at(i + 1, j + 1).weight;
        offer(weight, Step::kPair);
        if (weight >= best) {
          best = weight;
          firstRow = i;
          firstColumn = j;
        }
      }
      offer(at(i + 1, j).weight, Step::kSkipOld);
      offer(at(i, j + 1).weight - kCostBetween, Step::kSkipText);
    }
  }
  QVector<qint64> lines(rows, -1);
  for (qsizetype i = firstRow, j = firstColumn; i < rows && j < columns;) {
    // The first one is a pair, whatever would be better behind others.
    const Step step = i == firstRow && j == firstColumn ? Step::kPair : at(i, j).step;
    if (step == Step::kEnd) break;
    if (step == Step::kPair) lines[i] = from + j;
    if (step != Step::kSkipText) ++i;
    if (step != Step::kSkipOld) ++j;
  }
  return alignmentOf(std::move(lines), old);
}

// The old text at line `start` of the text, with no line come or gone.
Alignment inPlace(const TextLines& text, qsizetype start, const TextLines& old) {
  QVector<qint64> lines(old.count(), -1);
  for (qsizetype i = 0; i < old.count(); ++i) {
    const qsizetype line = start + i;
    if (line >= 0 && line < text.count() && text.squeezed(line) == old.squeezed(i)) lines[i] = line;
  }
  return alignmentOf(std::move(lines), old);
}

// Empty lines and lone brackets stand everywhere.
bool isTelling(const TextLines& lines, qint64 line) { return lines.squeezed(line).size() > 2; }

// Tells how well the lines around a change are there.
enum class Hold {
  kNone,     // it can't be made
  kOneSide,  // an insertion with one neighbor changed or gone: it belongs beside the other
  kFirm,
};

Hold holdOf(const Alignment& alignment, const TextLines& old, const LineReplacement& change) {
  const QVector<qint64>& lines = alignment.lines;
  const qint64 end = change.oldStart + change.oldCount;
  const qint64 before = change.oldStart > 0 ? lines[change.oldStart - 1] : -1;
  const qint64 after = end < lines.size() ? lines[end] : -1;
  bool tells = false;
  for (qint64 i = change.oldStart; i < end; ++i) {
    if (lines[i] < 0 || (i > change.oldStart && lines[i] != lines[i - 1] + 1)) return Hold::kNone;
    tells = tells || isTelling(old, i);
  }
  if (change.oldCount > 0) {
    const bool holds = tells || (before >= 0 && lines[change.oldStart] == before + 1) ||
                       (after >= 0 && after == lines[end - 1] + 1);
    return holds ? Hold::kFirm : Hold::kNone;
  }
  if (before >= 0 && after >= 0) return after == before + 1 ? Hold::kFirm : Hold::kNone;
  const bool holds =
      (before >= 0 && isTelling(old, change.oldStart - 1)) || (after >= 0 && isTelling(old, end));
  return holds ? Hold::kOneSide : Hold::kNone;
}

// The line of the text that the change takes away first, or before which it inserts.
qint64 siteOf(const Alignment& alignment, const LineReplacement& change) {
  const QVector<qint64>& lines = alignment.lines;
  if (change.oldCount == 0 && change.oldStart > 0 && lines[change.oldStart - 1] >= 0)
    return lines[change.oldStart - 1] + 1;
  return lines[change.oldStart];
}

// The lines that the insertion slides over from one to the other stand together in the text, too:
// both make the same of it.
bool isOneRun(const Alignment& alignment, const LineReplacement& from, const LineReplacement& to) {
  return siteOf(alignment, to) - siteOf(alignment, from) == to.oldStart - from.oldStart;
}

// All lines that the insertion slides over from one to the other are there, empty ones aside.
bool isWhole(const Alignment& alignment, const TextLines& old, const LineReplacement& a,
             const LineReplacement& b) {
  for (qint64 i = std::min(a.oldStart, b.oldStart); i < std::max(a.oldStart, b.oldStart); ++i)
    if (alignment.lines[i] < 0 && !old.squeezed(i).isEmpty()) return false;
  return true;
}

// Chooses for each change the way to say it that the text has a place for. False: there is none
// for one of them, or several that differ.
bool canTake(Alignment* alignment, const TextLines& old, const TextLines& fresh,
             const QVector<LineReplacement>& changes) {
  alignment->changes.clear();
  for (qsizetype i = 0; i < changes.size(); ++i) {
    const qint64 least =
        i == 0 ? 0 : alignment->changes.last().oldStart + alignment->changes.last().oldCount + 1;
    const qint64 most = i + 1 == changes.size() ? old.count() : changes[i + 1].oldStart - 1;
    std::optional<LineReplacement> chosen;
    Hold best = Hold::kNone;
    bool differ = false;
    for (const LineReplacement& slide : slidesOf(changes[i], old, fresh, least, most)) {
      const Hold hold = holdOf(*alignment, old, slide);
      if (hold == Hold::kNone || hold < best || !isWhole(*alignment, old, changes[i], slide))
        continue;
      differ = hold == best && chosen && siteOf(*alignment, slide) != siteOf(*alignment, *chosen);
      if (differ && hold == Hold::kFirm) differ = !isOneRun(*alignment, *chosen, slide);
      chosen = slide;
      best = hold;
    }
    if (!chosen || differ) return false;
    alignment->changes.append(*chosen);
  }
  return true;
}

bool isSameSite(const Alignment& a, const Alignment& b) {
  for (qsizetype i = 0; i < a.changes.size(); ++i)
    if (siteOf(a, a.changes[i]) != siteOf(b, b.changes[i])) return false;
  return true;
}

// `best` has all lines that the other one has and a telling one besides, with hardly a line
// between them: the other one only looks like it.
bool isPlainlyBetter(const Alignment& best, const Alignment& other, const TextLines& old) {
  const qint64 between = best.lastLine() - best.firstLine() + 1 - old.count();
  if (between > std::max<qint64>(kFewBetween, old.count() / 4)) return false;
  bool tells = false;
  for (qsizetype i = 0; i < old.count(); ++i) {
    if (other.lines[i] >= 0 && best.lines[i] < 0) return false;
    tells = tells || (other.lines[i] < 0 && best.lines[i] >= 0 && isTelling(old, i));
  }
  return tells;
}

}  // namespace

qint64 Alignment::lastLine() const { return *std::max_element(lines.cbegin(), lines.cend()); }

qint64 Alignment::firstLine() const {
  const auto first = std::find_if(lines.cbegin(), lines.cend(), [](qint64 at) { return at >= 0; });
  return first == lines.cend() ? 0 : *first;
}

Alignments alignmentsOf(const TextLines& text, const TextLines& old, const TextLines& fresh,
                        const QVector<LineReplacement>& changes) {
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
    // A line that looks like one further on may have changed instead: both are possible.
    for (Alignment found : {aligned(text, from, to, old), inPlace(text, start, old)}) {
      if (found.share < kLeastShare * kNearlyAsGood) continue;
      if (!canTake(&found, old, fresh, changes)) {
        if (found.share >= kLeastShare && (!result.blocked || found.share > result.blocked->share))
          result.blocked = found;
        continue;
      }
      // Windows overlap: the change is put at the same lines.
      const bool known = std::any_of(good.cbegin(), good.cend(), [&](const Alignment& other) {
        return isSameSite(found, other);
      });
      if (!known) good.append(found);
    }
  }
  std::sort(good.begin(), good.end(),
            [](const Alignment& a, const Alignment& b) { return a.share > b.share; });
  if (good.isEmpty() || good.first().share < kLeastShare ||
      (result.blocked && result.blocked->share > good.first().share)) {
    good.clear();
    return result;
  }
  const double least = good.first().share * kNearlyAsGood;
  while (good.last().share < least) good.removeLast();
  const Alignment best = good.first();
  good.removeIf([&](const Alignment& other) { return isPlainlyBetter(best, other, old); });
  return result;
}

}  // namespace waferpair::pairing
