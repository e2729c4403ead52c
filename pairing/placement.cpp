// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placement.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include "editor/text/line_diff.h"
#include "editor/text/quoted.h"
#include "editor/text/text_codec.h"
#include "pairing/placing/alignment.h"
#include "pairing/placing/fitting.h"
#include "pairing/translate.h"

namespace waferpair::pairing {

using editor::fail;
using editor::Result;
using editor::Snapshot;
using editor::TextEdit;

namespace {

constexpr qsizetype kMostQuoted = 60;  // bytes

// Quotes the first line that says anything.
QString quoted(const QByteArray& text) {
  return editor::quotedText(text.trimmed().split('\n').first(), kMostQuoted);
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
  return editor::lineEndBytes(ends.dominant());
}

QByteArray withLineEnds(QByteArray text, const QByteArray& end) {
  return end == "\n" ? text : text.replace("\n", end);
}

// Returns which of several equally good places is meant: the only one, or the one nearest to the
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
      : text_(text),
        change_(change),
        whole_(text.toByteArray()),
        lineEnd_(lineEndOf(text)),
        changes_(replacementsBetween(change.oldText, change.newText)) {}

  std::optional<Result<Placement>> exactly() const;
  std::optional<Result<Placement>> butForBlanks() const;
  std::optional<Result<Placement>> byMerging() const;

 private:
  Result<Placement> fittedTo(const QVector<qint64>& lines, const QVector<LineReplacement>& changes,
                             Fit fit) const;

  const Snapshot& text_;
  const ProposedChange& change_;
  QByteArray whole_;
  QByteArray lineEnd_;
  QVector<LineReplacement> changes_;
};

std::optional<Result<Placement>> Placer::exactly() const {
  const QByteArray old = withLineEnds(change_.oldText, lineEnd_);
  QVector<qint64> places;
  QVector<qint64> atLineStarts;
  // The end of a line that says something is not the empty line that is quoted first.
  const bool beginsWithEmptyLine = old.startsWith(lineEnd_);
  for (qsizetype at = whole_.indexOf(old); at >= 0; at = whole_.indexOf(old, at + 1)) {
    if (at == text_.lineStart(text_.lineAt(at)))
      atLineStarts.append(at);
    else if (!beginsWithEmptyLine)
      places.append(at);
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

std::optional<Result<Placement>> Placer::butForBlanks() const {
  const TextLines text(whole_), old(change_.oldText);
  QVector<qint64> places;
  for (qsizetype line = 0; line + old.count() <= text.count(); ++line) {
    qsizetype same = 0;
    while (same < old.count() && old.squeezed(same) == text.squeezed(line + same)) ++same;
    if (same == old.count()) places.append(line);
  }
  if (places.isEmpty()) return std::nullopt;
  const qsizetype chosen =
      meant(places.size(), change_.hintLine, [&](qsizetype i) { return places[i]; });
  if (chosen < 0) return ambiguous(change_.oldText, places.size());
  QVector<qint64> lines(old.count());
  std::iota(lines.begin(), lines.end(), places[chosen]);
  return fittedTo(lines, changes_, Fit::kBlanks);
}

std::optional<Result<Placement>> Placer::byMerging() const {
  const TextLines text(whole_), old(change_.oldText), fresh(change_.newText);
  const Alignments found = alignmentsOf(text, old, fresh, changes_);
  const QVector<Alignment>& places = found.possible;
  if (places.isEmpty() && found.blocked) {
    return fail(
        translate("Lines %1 to %2 are no longer as the change expects, which begins with %3.")
            .arg(found.blocked->firstLine() + 1)
            .arg(found.blocked->lastLine() + 1)
            .arg(quoted(change_.oldText)),
        translate("Ask for the change again, for the text as it is now."));
  }
  if (places.isEmpty()) return std::nullopt;
  // When the lines have changed, a line's number says too little.
  if (places.size() > 1) return ambiguous(change_.oldText, places.size());
  return fittedTo(places.first().lines, places.first().changes, Fit::kMerged);
}

Result<Placement> Placer::fittedTo(const QVector<qint64>& lines,
                                   const QVector<LineReplacement>& changes, Fit fit) const {
  const auto found = fitted(whole_, change_.oldText, change_.newText, changes, lines);
  if (!found) {
    return fail(translate("How new lines are to be indented is not clear where %1 stands.")
                    .arg(quoted(change_.oldText)),
                translate("Copy the new text, and put it there."));
  }
  return Placement{
      editsOf(Snapshot(text_.slice(found->start, found->end)), Snapshot(found->text), found->start),
      fit};
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
  // Lines of an answer end with LF; with a CR elsewhere it has no lines to compare.
  if (change.oldText.contains('\r') || change.newText.contains('\r'))
    return missing(change.oldText);
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
