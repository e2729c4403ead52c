// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placement.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "editor/text/indentation.h"
#include "editor/text/line_diff.h"
#include "editor/text/text_codec.h"
#include "pairing/translate.h"

namespace waferpair::pairing {

using editor::fail;
using editor::Result;
using editor::Snapshot;
using editor::TextEdit;

namespace {

constexpr qint64 kMostCandidates = 64;  // places that are looked at for the nearest one
constexpr qint64 kLongerBy = 3;  // lines that a place may have more or fewer than the old text
constexpr qsizetype kMostQuoted = 60;  // bytes

QString quoted(const QByteArray& text) {
  QByteArray line = text.trimmed().split('\n').first().trimmed();
  const bool cut = line.size() > kMostQuoted;
  if (cut) line.truncate(kMostQuoted);
  while (cut && !line.isValidUtf8()) line.chop(1);
  return u'“' + QString::fromUtf8(line) + (cut ? QStringLiteral("…”") : QStringLiteral("”"));
}

tl::unexpected<editor::Error> missing(const QByteArray& oldText) {
  return fail(translate("What is to be replaced, beginning with %1, does not stand in the text.")
                  .arg(quoted(oldText)),
              translate("Ask for the change again: the text may be another one since."));
}

tl::unexpected<editor::Error> ambiguous(const QByteArray& oldText, qsizetype places) {
  return fail(translate("What is to be replaced, beginning with %1, stands in the text %2 times.")
                  .arg(quoted(oldText))
                  .arg(places),
              translate("Ask for the change with more of the lines around it."));
}

QByteArray lineEndOf(const Snapshot& text) {
  editor::LineEndCounter ends;
  text.read(0, text.size(), [&ends](QByteArrayView piece) { ends.feed(piece.toByteArray()); });
  ends.finish();
  switch (ends.dominant()) {
    case editor::LineEnds::kCrLf:
      return "\r\n";
    case editor::LineEnds::kCr:
      return "\r";
    case editor::LineEnds::kLf:
      break;
  }
  return "\n";
}

QByteArray withLineEnds(QByteArray text, const QByteArray& end) {
  return end == "\n" ? text : text.replace("\n", end);
}

// Without their line ends; a line end at the very end begins no line.
QList<QByteArray> linesOf(const QByteArray& text) {
  QList<QByteArray> lines = text.split('\n');
  if (lines.last().isEmpty()) lines.removeLast();
  return lines;
}

// Of places that are equally good, the one that is meant: the only one, or the one nearest to the
// line that the change names. -1: it cannot be told.
template <typename LineOf>
qsizetype meant(qsizetype count, qint64 hintLine, LineOf lineOf) {
  if (count == 1) return 0;
  if (hintLine < 0) return -1;
  qsizetype best = -1;
  qint64 distance = 0;
  bool tie = false;
  for (qsizetype i = 0; i < count; ++i) {
    const qint64 here = std::abs(lineOf(i) - hintLine);
    tie = best >= 0 && here == distance;
    if (best >= 0 && here > distance) continue;
    if (best < 0 || here < distance) best = i;
    distance = here;
  }
  return tie ? -1 : best;
}

// Edits that make `region`, bytes of `text` from `start` on, into `becomes`.
QVector<TextEdit> editsOf(const Snapshot& region, const Snapshot& becomes, qint64 start) {
  QVector<TextEdit> edits = editor::lineEdits(region, becomes);
  for (TextEdit& edit : edits) {
    edit.start += start;
    edit.end += start;
  }
  return edits;
}

// One change on its way to its place. Each way of placing gives nothing where it finds no place.
class Placer {
 public:
  Placer(const Snapshot& text, const ProposedChange& change)
      : text_(text), change_(change), lineEnd_(lineEndOf(text)) {}

  std::optional<Result<Placement>> exactly() const;
  std::optional<Result<Placement>> butForBlanks() const;
  std::optional<Result<Placement>> byMerging() const;

 private:
  Snapshot lines(qint64 first, qint64 last) const {
    return Snapshot(text_.slice(text_.lineStart(first), text_.lineStart(last)));
  }
  QByteArray reindented(const QByteArray& newText, const QByteArray& wanted,
                        const QByteArray& actual) const;

  const Snapshot& text_;
  const ProposedChange& change_;
  QByteArray lineEnd_;
};

std::optional<Result<Placement>> Placer::exactly() const {
  const QByteArray whole = text_.toByteArray();
  const QByteArray old = withLineEnds(change_.oldText, lineEnd_);
  QVector<qint64> places;
  QVector<qint64> atLineStarts;
  for (qsizetype at = whole.indexOf(old); at >= 0; at = whole.indexOf(old, at + 1)) {
    places.append(at);
    if (at == text_.lineStart(text_.lineAt(at))) atLineStarts.append(at);
  }
  // Models quote whole lines: the end of a longer line is not what is meant.
  if (!atLineStarts.isEmpty()) places = atLineStarts;
  if (places.isEmpty()) return std::nullopt;
  const qsizetype chosen =
      meant(places.size(), change_.hintLine, [&](qsizetype i) { return text_.lineAt(places[i]); });
  if (chosen < 0) return ambiguous(change_.oldText, places.size());
  const qint64 start = places[chosen];
  return Placement{editsOf(Snapshot(old), Snapshot(withLineEnds(change_.newText, lineEnd_)), start),
                   Fit::kExact};
}

QByteArray Placer::reindented(const QByteArray& newText, const QByteArray& wanted,
                              const QByteArray& actual) const {
  QByteArray text;
  for (const QByteArray& line : linesOf(newText)) {
    if (line.trimmed().isEmpty()) {
      text += line;
    } else {
      text += line.startsWith(wanted) ? actual + line.mid(wanted.size()) : line;
    }
    text += lineEnd_;
  }
  return text;
}

std::optional<Result<Placement>> Placer::butForBlanks() const {
  const QList<QByteArray> old = linesOf(change_.oldText);
  const qint64 count = text_.lineCount();
  QList<QByteArray> actual;
  for (qint64 line = 0; line < count; ++line) actual += text_.line(line).simplified();
  QVector<qint64> places;
  for (qint64 line = 0; line + old.size() <= count; ++line) {
    qsizetype same = 0;
    while (same < old.size() && old[same].simplified() == actual[line + same]) ++same;
    if (same == old.size()) places.append(line);
  }
  if (places.isEmpty()) return std::nullopt;
  const qsizetype chosen =
      meant(places.size(), change_.hintLine, [&](qsizetype i) { return places[i]; });
  if (chosen < 0) return ambiguous(change_.oldText, places.size());
  const qint64 first = places[chosen];
  const qint64 start = text_.lineStart(first);
  const qint64 last = first + old.size();
  const qint64 end = text_.lineStart(last);
  const auto inked = std::find_if(old.begin(), old.end(),
                                  [](const QByteArray& line) { return !line.trimmed().isEmpty(); });
  QByteArray becomes = reindented(change_.newText, editor::leadingBlanks(*inked),
                                  editor::leadingBlanks(text_.line(first + (inked - old.begin()))));
  // The text's last line may have no line end.
  const bool endsInLine = end == text_.lineEnd(last - 1);
  if (endsInLine && becomes.endsWith(lineEnd_)) becomes.chop(lineEnd_.size());
  return Placement{editsOf(Snapshot(text_.slice(start, end)), Snapshot(becomes), start),
                   Fit::kBlanks};
}

std::optional<Result<Placement>> Placer::byMerging() const {
  const Snapshot old(withLineEnds(change_.oldText, lineEnd_));
  const QList<QByteArray> wanted = linesOf(change_.oldText);
  // Each line that stands in both says where the old text would begin.
  QHash<QByteArray, QVector<qint64>> linesByText;
  for (qint64 line = 0; line < text_.lineCount(); ++line)
    if (const QByteArray text = text_.line(line); !text.trimmed().isEmpty())
      linesByText[text].append(line);
  std::map<qint64, qint64> votes;
  for (qsizetype i = 0; i < wanted.size(); ++i)
    for (const qint64 line : linesByText.value(wanted[i])) ++votes[std::max<qint64>(0, line - i)];
  QVector<std::pair<qint64, qint64>> ranked;  // votes, line
  for (const auto& [line, count] : votes) ranked.append({-count, line});
  std::sort(ranked.begin(), ranked.end());
  ranked.resize(std::min<qsizetype>(ranked.size(), kMostCandidates));

  struct Candidate {
    qint64 first = 0;
    qint64 last = 0;
    qint64 same = 0;  // lines of the old text
  };
  QVector<Candidate> best;
  for (const auto& [count, first] : std::as_const(ranked)) {
    Candidate here;
    for (qint64 last = first + std::max<qint64>(1, wanted.size() - kLongerBy);
         last <= first + wanted.size() + kLongerBy && last <= text_.lineCount(); ++last) {
      qint64 same = wanted.size();
      for (const editor::ChangedLines& change : editor::lineDiff(old, lines(first, last)))
        same -= change.oldCount;
      if (same > here.same) here = {first, last, same};
    }
    if (2 * here.same <= wanted.size()) continue;
    const auto overlaps = [&here](const Candidate& other) {
      return here.first < other.last && other.first < here.last;
    };
    const auto rival = std::find_if(best.begin(), best.end(), overlaps);
    if (rival == best.end()) {
      best.append(here);
    } else if (here.same > rival->same) {
      *rival = here;
    }
  }
  if (best.isEmpty()) return std::nullopt;
  const qint64 most =
      std::max_element(best.begin(), best.end(), [](const Candidate& a, const Candidate& b) {
        return a.same < b.same;
      })->same;
  best.removeIf([most](const Candidate& candidate) { return candidate.same < most; });
  const qsizetype chosen =
      meant(best.size(), change_.hintLine, [&](qsizetype i) { return best[i].first; });
  if (chosen < 0) return ambiguous(change_.oldText, best.size());
  const Candidate& place = best[chosen];
  const Snapshot region = lines(place.first, place.last);
  const auto merged =
      editor::lineMerge(old, region, Snapshot(withLineEnds(change_.newText, lineEnd_)));
  if (!merged) {
    return fail(
        translate("Lines %1 to %2 are no longer as the change expects, which begins with %3.")
            .arg(place.first + 1)
            .arg(place.last)
            .arg(quoted(change_.oldText)),
        translate("Ask for the change again, for the text as it is now."));
  }
  return Placement{editsOf(region, *merged, text_.lineStart(place.first)), Fit::kMerged};
}

Result<Placement> insertion(const Snapshot& text, const ProposedChange& change) {
  if (change.hintLine < 0 && !text.isEmpty()) {
    return fail(translate("The change does not say where %1 is to be inserted.")
                    .arg(quoted(change.newText)),
                translate("Ask for it with the lines around it."));
  }
  if (change.hintLine > text.lineCount()) {
    return fail(translate("%1 is to be inserted before line %2, but the text has %3 lines.")
                    .arg(quoted(change.newText))
                    .arg(change.hintLine + 1)
                    .arg(text.lineCount()),
                translate("Ask for the change again, for the text as it is now."));
  }
  const qint64 at = text.lineStart(std::max<qint64>(0, change.hintLine));
  return Placement{{{at, at, withLineEnds(change.newText, lineEndOf(text))}}, Fit::kExact};
}

}  // namespace

Result<Placement> place(const Snapshot& text, const ProposedChange& change) {
  using Kind = ProposedChange::Kind;
  Q_ASSERT(change.kind == Kind::kReplace || change.kind == Kind::kWholeFile ||
           change.kind == Kind::kCreate);
  if (change.kind == Kind::kCreate && !text.isEmpty()) {
    return fail(translate("The file that is to be made is there already."),
                translate("Ask for a change of it, or for another name."));
  }
  if (change.kind != Kind::kReplace)
    return Placement{editsOf(text, Snapshot(withLineEnds(change.newText, lineEndOf(text))), 0),
                     Fit::kExact};
  if (change.oldText.isEmpty()) return insertion(text, change);
  if (change.oldText.trimmed().isEmpty()) return missing(change.oldText);
  const Placer placer(text, change);
  if (auto placed = placer.exactly()) return *placed;
  if (auto placed = placer.butForBlanks()) return *placed;
  if (auto placed = placer.byMerging()) return *placed;
  return missing(change.oldText);
}

Result<Placement> placeLines(const Snapshot& text, const Snapshot& madeFor,
                             const LineChange& change) {
  if (change.first < 0 || change.count < 0 || change.first + change.count > madeFor.lineCount()) {
    return fail(translate("Lines %1 to %2 are to be changed, but the text had %3 lines.")
                    .arg(change.first + 1)
                    .arg(change.first + change.count)
                    .arg(madeFor.lineCount()),
                translate("Ask for the change again."));
  }
  const Snapshot theirs = madeFor.replaced(madeFor.lineStart(change.first),
                                           madeFor.lineStart(change.first + change.count),
                                           withLineEnds(change.newText, lineEndOf(madeFor)));
  if (text == madeFor) return Placement{editsOf(text, theirs, 0), Fit::kExact};
  const auto merged = editor::lineMerge(madeFor, text, theirs);
  if (!merged) {
    return fail(translate("Lines %1 to %2 were changed since the change was asked for.")
                    .arg(change.first + 1)
                    .arg(change.first + change.count),
                translate("Ask for the change again, for the text as it is now."));
  }
  return Placement{editsOf(text, *merged, 0), Fit::kMerged};
}

}  // namespace waferpair::pairing
