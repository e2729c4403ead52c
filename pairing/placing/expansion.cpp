// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/expansion.h"

#include <QHash>
#include <QSet>
#include <QVector>
#include <algorithm>
#include <utility>

#include "editor/text/indentation.h"
#include "pairing/placing/line_replacement.h"
#include "pairing/placing/placeholders.h"

namespace waferpair::pairing {
namespace {

// A longer line says no more than one of so many bytes.
constexpr qint64 kMostTold = 40;
constexpr int kTabStop = 4;
// Lines that run on for longer are not told apart.
constexpr qsizetype kLongestRun = 12;
// The lines at both ends of a segment say so much at least, in bytes.
constexpr qint64 kLeastRuns = 12;
// A segment takes the place of so many lines more than it has, and of so many times as many.
constexpr qsizetype kMostMore = 40;
constexpr qsizetype kMostTimes = 5;
// More places than so many are not looked at.
constexpr qsizetype kMostTried = 16;
// What is taken away is no more than so many times what comes instead, unless more of it stays.
constexpr qint64 kMostLost = 2;
constexpr double kLeastKept = 0.4;
// Both ends of a text tell less than lines in its midst: more has to be as it was.
constexpr double kLeastAlike = 0.6;
// Of places that tell alike, one costs so much less than the next.
constexpr double kClearlyLess = 0.5;
constexpr qint64 kLeastLess = 24;

// A part of a text: lines [first, end).
struct Segment {
  qsizetype first = 0;
  qsizetype end = 0;

  qsizetype count() const { return end - first; }
};

// The segments of `lines` around its placeholders.
QVector<Segment> segmentsOf(const TextLines& lines, const QSet<QByteArray>& original) {
  QVector<Segment> segments{{0, 0}};
  for (qsizetype i = 0; i < lines.count(); ++i) {
    if (isLeftOut(lines, i, original)) {
      segments.append({i + 1, i + 1});
    } else {
      segments.last().end = i + 1;
    }
  }
  return segments;
}

QByteArray withEnds(const TextLines& lines, qsizetype from, qsizetype to) {
  QByteArray text;
  for (qsizetype i = from; i < to; ++i) text += lines.line(i).toByteArray() + '\n';
  return text;
}

// The lines of a text that are not empty, as numbers that are the same where the lines are.
class FullLines {
 public:
  FullLines(const TextLines& text, QHash<QByteArray, int>* names) {
    for (qsizetype i = 0; i < text.count(); ++i) {
      const QByteArray& line = text.squeezed(i);
      if (line.isEmpty()) continue;
      const auto found = names->constFind(line);
      const int name = found == names->cend() ? static_cast<int>(names->size()) : *found;
      if (found == names->cend()) names->insert(line, name);
      lines_.append(i);
      names_.append(name);
      weights_.append(std::min<qint64>(line.size(), kMostTold));
      columns_.append(editor::columnsOf(text.indent(i), kTabStop));
    }
  }

  qsizetype count() const { return lines_.size(); }
  int name(qsizetype i) const { return names_[i]; }
  qint64 weight(qsizetype i) const { return weights_[i]; }
  int columns(qsizetype i) const { return columns_[i]; }
  // Its line in the text.
  qsizetype line(qsizetype i) const { return lines_[i]; }
  // The first full line at or behind a line of the text.
  qsizetype at(qsizetype line) const {
    return std::lower_bound(lines_.cbegin(), lines_.cend(), line) - lines_.cbegin();
  }
  // The names as lines, to be compared.
  QByteArray named(qsizetype from, qsizetype to) const {
    QByteArray all;
    for (qsizetype i = from; i < to; ++i) all += QByteArray::number(names_[i]) + '\n';
    return all;
  }

 private:
  QVector<qsizetype> lines_;
  QVector<int> names_;
  QVector<qint64> weights_;
  QVector<int> columns_;  // of their indentation
};

// Where the segments of an answer stand in the original.
class SegmentPlaces {
 public:
  SegmentPlaces(const TextLines& answer, const TextLines& original)
      : answer_(answer, &names_), original_(original, &names_), lines_(original.count()) {}

  // The lines of the original whose place the segment takes, from line `from` on; none: that is not
  // certain. `begins`, `ends`: it is the answer's first or last, and so begins or ends the text.
  std::optional<Segment> placeOf(const Segment& segment, qsizetype from, bool begins, bool ends) {
    first_ = answer_.at(segment.first);
    end_ = answer_.at(segment.end);
    from_ = original_.at(from);
    if (first_ == end_ || from_ >= original_.count()) return {};
    const QVector<End> heads = begins ? QVector<End>{head(from_)} : headsFrom();
    const qsizetype last = original_.count() - 1;
    const QVector<End> tails = ends ? QVector<End>{tail(last)} : tailsFrom();
    const auto place = chosen(heads, tails, begins || ends);
    if (!place || !isSound(*place, begins, ends)) return {};
    return Segment{begins ? from : original_.line(place->first),
                   ends ? lines_ : original_.line(place->end - 1) + 1};
  }

 private:
  // A line of the original that a segment may begin or end with, and how much of what is behind or
  // before it is as in the segment, too.
  struct End {
    qsizetype at = 0;
    qint64 run = 0;
    qsizetype lines = 0;  // of the run

    bool tells() const { return run >= kLeastRuns; }
  };
  struct Tried {
    Segment place;
    End first, last;
    qint64 cost = 0;
  };
  // What a place takes away and what it brings.
  struct Cost {
    qint64 lost = 0, brought = 0, kept = 0;

    qint64 all() const { return lost + brought; }
  };

  End head(qsizetype at) const {
    End head{at, 0, 0};
    for (qsizetype& i = head.lines; i < kLongestRun; ++i) {
      if (first_ + i >= end_ || at + i >= original_.count()) break;
      if (answer_.name(first_ + i) != original_.name(at + i)) break;
      head.run += original_.weight(at + i);
    }
    return head;
  }
  End tail(qsizetype at) const {
    End tail{at, 0, 0};
    for (qsizetype& i = tail.lines; i < kLongestRun; ++i) {
      if (end_ - 1 - i < first_ || at - i < from_) break;
      if (answer_.name(end_ - 1 - i) != original_.name(at - i)) break;
      tail.run += original_.weight(at - i);
    }
    return tail;
  }
  QVector<End> headsFrom() const {
    QVector<End> heads;
    for (qsizetype at = from_; at < original_.count(); ++at)
      if (original_.name(at) == answer_.name(first_)) heads.append(head(at));
    return heads;
  }
  QVector<End> tailsFrom() const {
    QVector<End> tails;
    for (qsizetype at = from_; at < original_.count(); ++at)
      if (original_.name(at) == answer_.name(end_ - 1)) tails.append(tail(at));
    return tails;
  }

  // The ends that have one of the others near enough, of those with the longest run.
  static QVector<End> longest(const QVector<End>& ends, const QVector<End>& others, qsizetype least,
                              qsizetype most) {
    QVector<End> best;
    for (const End& end : ends) {
      const auto other =
          std::lower_bound(others.cbegin(), others.cend(), end.at + least,
                           [](const End& each, qsizetype at) { return each.at < at; });
      if (other == others.cend() || other->at > end.at + most) continue;
      if (!best.isEmpty() && end.run < best.first().run) continue;
      if (!best.isEmpty() && end.run > best.first().run) best.clear();
      best.append(end);
    }
    return best;
  }

  std::optional<Segment> chosen(const QVector<End>& heads, const QVector<End>& tails,
                                bool isAtEnd) const {
    const qsizetype count = end_ - first_;
    const qsizetype most = isAtEnd ? original_.count() : kMostTimes * count + kMostMore;
    const QVector<End> firsts = longest(heads, tails, 0, most);
    const QVector<End> lasts = longest(tails, heads, -most, most);
    if (firsts.size() > kMostTried || lasts.size() > kMostTried) return {};
    QVector<Tried> tried;
    for (const End& first : firsts) {
      for (const End& last : lasts) {
        if (last.at < first.at || last.at > first.at + most) continue;
        if (!isAtEnd && first.run + last.run < kLeastRuns) continue;
        const Segment place{first.at, last.at + 1};
        tried.append({place, first, last, costOf(place).all()});
      }
    }
    if (tried.isEmpty()) return {};
    const auto isLess = [](const Tried& one, const Tried& other) { return one.cost < other.cost; };
    std::sort(tried.begin(), tried.end(), isLess);
    const Tried& best = tried.first();
    if (best.cost == 0) {
      // Lines that are as they were may be meant to take the place of others that are like them.
      const bool hasOther = (tried.size() > 1 && tried[1].cost == 0) ||
                            (!isAtEnd && hasTwin(heads, best.place)) ||
                            isRepeated(heads, tails, best, most);
      return hasOther ? std::nullopt : std::optional(best.place);
    }
    // The place that takes least away is meant, unless what another one takes away, too, looks like
    // something that was to go.
    for (const Tried& other : std::as_const(tried).sliced(1)) {
      const bool isOther = (other.first.tells() && isBlockBetween(other.first, best.place.first)) ||
                           (other.last.tells() && isBlockBetween(best.last, other.last.at));
      if (isOther || other.cost - best.cost < clearlyLess()) return {};
    }
    return best.place;
  }

  // From where the run of `end` begins, or further on in it, up to where the same lines stand
  // again: there is a block of lines of which none is less deep than its first.
  bool isBlockBetween(const End& end, qsizetype again) const {
    const qsizetype distance = again - end.at;
    if (distance <= 0) return false;
    for (qsizetype slide = -end.lines; slide <= end.lines; ++slide) {
      const qsizetype first = end.at + slide, last = std::min(first + distance, original_.count());
      if (first < 0 || first >= last) continue;
      bool isBlock = true;
      for (qsizetype i = first; i < last && isBlock; ++i)
        isBlock = original_.columns(i) >= original_.columns(first);
      if (isBlock) return true;
    }
    return false;
  }

  // What stands twice, one behind the other, and once in the answer: one of both was to go, which
  // looks like nothing was.
  bool isRepeated(const QVector<End>& heads, const QVector<End>& tails, const Tried& best,
                  qsizetype most) const {
    const auto isBefore = [&](const End& head) {
      const qsizetype distance = best.place.first - head.at;
      return distance > 0 && distance <= most && head.tells() &&
             isBlockBetween(head, best.place.first);
    };
    const auto isBehind = [&](const End& tail) {
      const qsizetype distance = tail.at - best.last.at;
      return distance > 0 && distance <= most && tail.tells() && isBlockBetween(best.last, tail.at);
    };
    return std::any_of(heads.cbegin(), heads.cend(), isBefore) ||
           std::any_of(tails.cbegin(), tails.cend(), isBehind);
  }

  qint64 clearlyLess() const {
    return std::max(kLeastLess, static_cast<qint64>(kClearlyLess * static_cast<double>(weight())));
  }

  qint64 weight() const {
    qint64 all = 0;
    for (qsizetype i = first_; i < end_; ++i) all += answer_.weight(i);
    return all;
  }

  bool hasTwin(const QVector<End>& heads, const Segment& place) const {
    const qint64 all = weight();
    for (const End& head : heads) {
      if (head.at == place.first) continue;
      qint64 same = 0;
      for (qsizetype i = 0; first_ + i < end_ && head.at + i < original_.count(); ++i)
        if (answer_.name(first_ + i) == original_.name(head.at + i))
          same += answer_.weight(first_ + i);
      if (static_cast<double>(same) >= kLeastAlike * static_cast<double>(all)) return true;
    }
    return false;
  }

  Cost costOf(const Segment& place) const {
    Cost cost;
    qint64 all = 0;
    for (qsizetype i = place.first; i < place.end; ++i) all += original_.weight(i);
    for (const LineReplacement& change : replacementsBetween(
             original_.named(place.first, place.end), answer_.named(first_, end_))) {
      for (qint64 i = 0; i < change.oldCount; ++i)
        cost.lost += original_.weight(place.first + change.oldStart + i);
      for (qint64 i = 0; i < change.newCount; ++i)
        cost.brought += answer_.weight(first_ + change.newStart + i);
    }
    cost.kept = all - cost.lost;
    return cost;
  }

  bool isSound(const Segment& place, bool begins, bool ends) const {
    const Cost cost = costOf(place);
    if (cost.lost == 0) return cost.kept > 0;
    const bool isLoose =
        (begins && head(place.first).run == 0) || (ends && tail(place.end - 1).run == 0);
    const double ofNew = static_cast<double>(cost.kept) /
                         static_cast<double>(std::max<qint64>(1, cost.kept + cost.brought));
    if (isLoose)
      return std::min(ofOld(cost), ofNew) >= kLeastKept && (ofOld(cost) + ofNew) / 2 >= kLeastAlike;
    // Enough of what is taken away comes back, or stays.
    return ofOld(cost) >= kLeastKept || (cost.kept > 0 && cost.lost <= kMostLost * cost.brought);
  }
  static double ofOld(const Cost& cost) {
    return static_cast<double>(cost.kept) /
           static_cast<double>(std::max<qint64>(1, cost.kept + cost.lost));
  }

  QHash<QByteArray, int> names_;
  FullLines answer_, original_;
  qsizetype lines_ = 0;
  // The segment that is looked for, in full lines of the answer, and where it may begin.
  qsizetype first_ = 0, end_ = 0, from_ = 0;
};

Segment withoutEmptyEnds(const TextLines& lines, Segment segment, bool isFirst, bool isLast) {
  // The text's own ends are no edges.
  while (!isFirst && segment.first < segment.end && lines.squeezed(segment.first).isEmpty())
    ++segment.first;
  while (!isLast && segment.first < segment.end && lines.squeezed(segment.end - 1).isEmpty())
    --segment.end;
  return segment;
}

// Where a segment of a quote stands whole in the text, between lines `from` and `to`.
QVector<qsizetype> standsAt(const TextLines& lines, const Segment& segment, const TextLines& text,
                            qsizetype from, qsizetype to) {
  QVector<qsizetype> found;
  for (qsizetype line = from; line + segment.count() <= to; ++line) {
    qsizetype same = 0;
    while (same < segment.count() &&
           text.squeezed(line + same) == lines.squeezed(segment.first + same))
      ++same;
    if (same == segment.count()) found.append(line);
  }
  return found;
}

bool isSame(const TextLines& a, const Segment& one, const TextLines& b, const Segment& other) {
  if (one.count() != other.count()) return false;
  for (qsizetype i = 0; i < one.count(); ++i)
    if (a.line(one.first + i) != b.line(other.first + i)) return false;
  return true;
}

}  // namespace

std::optional<QByteArray> expanded(const TextLines& answer, const TextLines& original) {
  QVector<Segment> segments = segmentsOf(answer, original.squeezedLines());
  if (segments.size() < 2) return {};
  SegmentPlaces found(answer, original);
  QByteArray text;
  qsizetype from = 0;  // behind what was placed
  for (qsizetype i = 0; i < segments.size(); ++i) {
    const bool isFirst = i == 0, isLast = i + 1 == segments.size();
    const Segment segment = withoutEmptyEnds(answer, segments[i], isFirst, isLast);
    Segment place;
    if (segment.count() == 0) {
      // Nothing stands before the first placeholder or behind the last; between two something does.
      if (!isFirst && !isLast) return {};
      place = isFirst ? Segment{0, 0} : Segment{original.count(), original.count()};
    } else if (const auto there = found.placeOf(segment, from, isFirst, isLast)) {
      place = *there;
    } else {
      return {};
    }
    if (!isFirst) {
      const QByteArray between = withEnds(original, from, std::max(from, place.first));
      // A placeholder that stands for nothing is a comment, or stands elsewhere.
      if (between.trimmed().isEmpty()) return {};
      text += between;
    }
    text += withEnds(answer, segment.first, segment.end);
    from = place.end;
  }
  return text;
}

std::optional<ExpandedPair> expandedPair(const TextLines& oldText, const TextLines& newText,
                                         const TextLines& text) {
  const QSet<QByteArray> there = text.squeezedLines();
  QVector<Segment> old = segmentsOf(oldText, there), fresh = segmentsOf(newText, there);
  const qsizetype count = old.size();
  if (count < 2 || count != fresh.size()) return {};
  for (qsizetype i = 0; i < count; ++i) {
    const bool isFirst = i == 0, isLast = i + 1 == count;
    const Segment segment = withoutEmptyEnds(oldText, old[i], isFirst, isLast);
    const Segment other = withoutEmptyEnds(newText, fresh[i], isFirst, isLast);
    if (segment.count() == 0) return {};
    // Empty lines beside a placeholder belong to a segment where they are what changes.
    if (segment.first - old[i].first != other.first - fresh[i].first ||
        old[i].end - segment.end != fresh[i].end - other.end)
      continue;
    old[i] = segment;
    fresh[i] = other;
  }
  // The earliest and the latest place of each, one behind the other.
  QVector<qsizetype> earliest(count), latest(count);
  for (qsizetype i = 0, from = 0; i < count; ++i) {
    const QVector<qsizetype> found = standsAt(oldText, old[i], text, from, text.count());
    if (found.isEmpty()) return {};
    earliest[i] = found.first();
    from = found.first() + old[i].count();
  }
  for (qsizetype i = count - 1, to = text.count(); i >= 0; --i) {
    latest[i] = standsAt(oldText, old[i], text, earliest[i], to).last();
    to = latest[i];
  }
  // Those that stay may stand anywhere; those that change stand in one place only.
  ExpandedPair pair;
  qsizetype behind = -1;  // the last one that changes
  for (qsizetype i = 0; i < count; ++i) {
    if (isSame(oldText, old[i], newText, fresh[i])) continue;
    if (standsAt(oldText, old[i], text, earliest[i], latest[i] + old[i].count()).size() != 1)
      return {};
    const QByteArray between =
        behind < 0 ? QByteArray() : withEnds(text, behind, std::max(behind, earliest[i]));
    pair.oldText += between + withEnds(oldText, old[i].first, old[i].end);
    pair.newText += between + withEnds(newText, fresh[i].first, fresh[i].end);
    behind = earliest[i] + old[i].count();
  }
  if (behind < 0) return {};
  return pair;
}

}  // namespace waferpair::pairing
