// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/placement.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "editor/text/indentation.h"
#include "editor/text/line_diff.h"
#include "editor/text/line_ends.h"
#include "editor/text/quoted.h"
#include "editor/text/text_codec.h"
#include "editor/text/translate.h"
#include "editor/text/word_byte.h"
#include "pairing/placing/alignment.h"
#include "pairing/placing/answer_habits.h"
#include "pairing/placing/code_hints.h"
#include "pairing/placing/drifted_blanks.h"
#include "pairing/placing/empty_lines.h"
#include "pairing/placing/expansion.h"
#include "pairing/placing/fitting.h"
#include "pairing/placing/lost_marks.h"
#include "pairing/placing/placeholders.h"
#include "pairing/placing/repairs.h"

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

// One line in so many is hardly any.
constexpr int kHardlyAny = 20;
// So far from where a change says that it stands it may still be meant, if no other place is
// nearly as near.
constexpr qint64 kMostOff = 3;

// The line of the text behind which the change stands, by the lines that it names; 0: it names
// none, or none that stands once.
qint64 lineBelow(const Snapshot& text, const ProposedChange& change) {
  if (change.under.isEmpty()) return 0;
  const TextLines lines(text.toByteArray());
  qint64 below = 0;
  for (const QByteArray& name : change.under) {
    const QByteArray wanted = name.simplified();
    qint64 found = -1;
    for (qint64 i = below; i < lines.count(); ++i) {
      const QByteArray& here = lines.squeezed(i);
      if (here != wanted && !(here.startsWith(wanted) && wanted.size() > 3)) continue;
      if (found >= 0) return 0;
      found = i;
    }
    if (found < 0) return 0;
    below = found + 1;
  }
  return below;
}

// Returns which of several equally good places is meant: the only one, the one at the line that the
// change names or hardly off it, or the first one below those that it names. -1: it cannot be told.
template <typename LineOf>
qsizetype meant(const Snapshot& text, const ProposedChange& change, qsizetype count,
                LineOf lineOf) {
  if (count == 1) return 0;
  if (const qint64 below = lineBelow(text, change); below > 0) {
    for (qsizetype i = 0; i < count; ++i)
      if (lineOf(i) >= below - 1) return i;
    return -1;
  }
  if (change.hintLine < 0) return -1;
  qsizetype best = -1;
  qint64 distance = 0, next = 0;
  for (qsizetype i = 0; i < count; ++i) {
    const qint64 here = std::abs(lineOf(i) - change.hintLine);
    if (best < 0 || here < distance) {
      next = best < 0 ? std::numeric_limits<qint64>::max() : distance;
      best = i;
      distance = here;
    } else {
      next = std::min(next, here);
    }
  }
  if (distance == 0) return best;
  return distance <= kMostOff && next >= 3 * distance ? best : -1;
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

// One hunk on its way to its place, which is found in a text that may have changed since. Each way
// of placing gives nothing where it finds no place.
class Placer {
 public:
  Placer(const Snapshot& text, const ProposedChange& change)
      : text_(text),
        change_(change),
        whole_(text.toByteArray()),
        ends_(editor::lineEndsOf(text)),
        lineEnd_(editor::lineEndBytes(ends_)),
        changes_(replacementsBetween(change.oldText, change.newText)) {}

  std::optional<Result<Placement>> exactly() const;
  std::optional<Result<Placement>> butForBlanks() const;
  std::optional<Result<Placement>> byMerging() const;

 private:
  bool isPart(qint64 at) const;
  Placement everywhere(const QVector<qint64>& places, const QByteArray& old,
                       const QByteArray& fresh) const;
  Result<Placement> fittedTo(const QVector<qint64>& lines, const QVector<LineReplacement>& changes,
                             Fit fit, bool asWritten = false) const;
  bool hasOnlyLostMarks(const TextLines& text, const TextLines& old, qint64 first) const;
  bool isForeignBlanks() const;

  const Snapshot& text_;
  const ProposedChange& change_;
  QByteArray whole_;
  editor::LineEnds ends_;
  QByteArray lineEnd_;
  QVector<LineReplacement> changes_;
};

std::optional<Result<Placement>> Placer::exactly() const {
  const QByteArray old = editor::withLineEnds(change_.oldText, ends_);
  QVector<qint64> places;
  QVector<qint64> atLineStarts;
  // The end of a line that says something is not the empty line that is quoted first.
  const bool beginsWithEmptyLine = old.startsWith(lineEnd_);
  for (qsizetype at = whole_.indexOf(old); at >= 0; at = whole_.indexOf(old, at + 1)) {
    if (at == text_.lineStart(text_.lineAt(at)))
      atLineStarts.append(at);
    else if (!beginsWithEmptyLine && isPart(at))
      places.append(at);
  }
  // Models quote whole lines: the end of a longer line is not what is meant.
  if (!atLineStarts.isEmpty() && !change_.verbatim) {
    places = atLineStarts;
  } else {
    places += atLineStarts;
    std::sort(places.begin(), places.end());
  }
  if (change_.atEnd)
    places.removeIf([&](qint64 at) { return at + old.size() < whole_.trimmed().size(); });
  if (places.isEmpty()) return std::nullopt;
  if (isForeignBlanks() && !change_.everywhere && !change_.oldText.contains('\r'))
    return std::nullopt;  // by lines they are indented as the text is
  const QByteArray fresh = editor::withLineEnds(change_.newText, ends_);
  if (change_.everywhere) return everywhere(places, old, fresh);
  const qsizetype chosen =
      meant(text_, change_, places.size(), [&](qsizetype i) { return text_.lineAt(places[i]); });
  if (chosen < 0) return ambiguous(change_.oldText, places.size());
  const qint64 start = places[chosen];
  return Placement{editsOf(Snapshot(old), Snapshot(fresh), start), Fit::kExact};
}

Placement Placer::everywhere(const QVector<qint64>& places, const QByteArray& old,
                             const QByteArray& fresh) const {
  Placement placement;
  qint64 shift = 0, free = 0;
  for (const qint64 at : places) {
    if (at < free) continue;  // it overlaps the one before
    placement.edits.append({at + shift, at + shift + old.size(), fresh});
    shift += fresh.size() - old.size();
    free = at + old.size();
  }
  return placement;
}

// Within a line the old text begins at `at`: does it mean that part of it? Where only blanks stand
// before it, the first line has lost them; what the new lines then have to have is told by lines.
bool Placer::isPart(qint64 at) const {
  const qint64 line = text_.lineAt(at);
  const QByteArray before = text_.slice(text_.lineStart(line), at);
  const QByteArray fresh =
      change_.newText.endsWith('\n') ? change_.newText.chopped(1) : change_.newText;
  const QByteArray old =
      change_.oldText.endsWith('\n') ? change_.oldText.chopped(1) : change_.oldText;
  if (!fresh.contains('\n')) return true;
  if (!before.trimmed().isEmpty()) return change_.verbatim;
  // Some of the blanks are quoted, and some are not: by lines it is told what new ones are to have.
  if (!before.isEmpty() && editor::isBlankByte(old.front())) return false;
  if (old.contains('\n')) return !editor::isBlankByte(fresh.front());
  const qsizetype least = before.size();
  const QList<QByteArray> lines = fresh.split('\n');
  return std::all_of(lines.cbegin() + 1, lines.cend(), [least](const QByteArray& each) {
    return each.trimmed().isEmpty() || editor::leadingBlanks(each).size() >= least;
  });
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
  if (change_.everywhere && places.size() > 1) return ambiguous(change_.oldText, places.size());
  const qsizetype chosen =
      meant(text_, change_, places.size(), [&](qsizetype i) { return places[i]; });
  if (chosen < 0) return ambiguous(change_.oldText, places.size());
  QVector<qint64> lines(old.count());
  std::iota(lines.begin(), lines.end(), places[chosen]);
  return fittedTo(lines, changes_, Fit::kBlanks, hasOnlyLostMarks(text, old, places[chosen]));
}

// Each line is as in the text, or lacks the one blank that marks those that stay.
bool Placer::hasOnlyLostMarks(const TextLines& text, const TextLines& old, qint64 first) const {
  if (change_.signs.isEmpty()) return false;
  for (qsizetype i = 0; i < old.count(); ++i) {
    if (old.squeezed(i).isEmpty()) continue;
    const QByteArray here = text.indent(first + i), quoted = old.indent(i);
    if (here != quoted && here != ' ' + quoted) return false;
  }
  return true;
}

// New lines are indented by tabs in a text that has none, or by blanks where all is tabs.
bool Placer::isForeignBlanks() const {
  const auto kindsIn = [](const QByteArray& text) {
    std::pair<int, int> kinds;  // lines by tabs, by blanks
    const TextLines lines(text);
    for (qsizetype i = 0; i < lines.count(); ++i) {
      const QByteArray blanks = lines.indent(i);
      if (lines.squeezed(i).isEmpty()) continue;
      kinds.first += blanks.startsWith('\t');
      kinds.second += blanks.startsWith("  ");
    }
    return kinds;
  };
  const auto [newTabs, newBlanks] = kindsIn(change_.newText);
  if (newTabs == 0 && newBlanks == 0) return false;
  const auto [tabs, blanks] = kindsIn(whole_);
  return (newTabs > 0 && kHardlyAny * tabs < blanks) ||
         (newBlanks > 0 && kHardlyAny * blanks < tabs);
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
                                   const QVector<LineReplacement>& changes, Fit fit,
                                   bool asWritten) const {
  const auto found = fitted(whole_, change_.oldText, change_.newText, changes, lines, asWritten);
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
  return Placement{{{at, at, editor::withLineEnds(change.newText, editor::lineEndsOf(text))}},
                   Fit::kExact};
}

// As it is, and without what models do to lines that they copy.
std::optional<Result<Placement>> copied(const Snapshot& text, const ProposedChange& given) {
  const TextLines lines(text.toByteArray());
  const Result<ProposedChange> marked = withMarks(given, lines);
  if (!marked) return tl::unexpected(marked.error());
  const ProposedChange& change = *marked;
  const auto tried = [&](const ProposedChange& each) -> std::optional<Result<Placement>> {
    const Placer placer(text, each);
    if (auto placed = placer.exactly()) return placed;
    // Lines of an answer end with LF; with a CR elsewhere it has no lines to compare.
    if (each.oldText.contains('\r') || each.newText.contains('\r')) return std::nullopt;
    return placer.butForBlanks();
  };
  if (auto placed = tried(change)) return placed;
  for (const RepairedChange& repair : repairsOf(change.oldText, change.newText)) {
    ProposedChange plain = change;
    plain.oldText = repair.oldText;
    plain.newText = repair.newText;
    if (repair.line >= 0) plain.hintLine = repair.line;
    if (plain.oldText == plain.newText) continue;
    if (auto placed = tried(plain)) return placed;
  }
  for (const auto& with : {withTextsBlanks, withEmptyLines}) {
    const auto repair = with(change.oldText, change.newText, lines);
    if (!repair) continue;
    ProposedChange whole = change;
    whole.oldText = repair->oldText;
    whole.newText = repair->newText;
    if (auto placed = tried(whole)) return placed;
  }
  const TextLines old(change.oldText);
  if (!hasPlaceholder(old, lines)) return std::nullopt;
  const auto whole = expandedPair(old, TextLines(change.newText), lines);
  if (!whole) {
    return fail(translate("Which lines the change leaves out is not clear where it begins with %1.")
                    .arg(quoted(change.oldText)),
                translate("Ask for the change with all of its lines."));
  }
  ProposedChange complete = change;
  complete.oldText = whole->oldText;
  complete.newText = whole->newText;
  return tried(complete);
}

}  // namespace

PutCode placeCode(const Snapshot& text, const ProposedChange& change, const CodeTarget& target) {
  CodeTarget of = target;
  if (of.path.isEmpty()) of.path = change.path;
  const QByteArray code = withoutOwnName(withoutNumbers(change.newText), text, of.path);
  return putCode(text.toByteArray(), {code, change.language, change.lead}, of);
}

Result<Placement> place(const Snapshot& text, const ProposedChange& change,
                        const CodeTarget& target) {
  using Kind = ProposedChange::Kind;
  Q_ASSERT(change.kind == Kind::kReplace || change.kind == Kind::kCode ||
           change.kind == Kind::kCreate);
  if (change.kind == Kind::kCreate && !text.isEmpty()) {
    return fail(translate("The file that is to be made is there already."),
                translate("Ask for a change of it, or for another name."));
  }
  if (change.kind == Kind::kCreate)
    return Placement{
        editsOf(text, Snapshot(editor::withLineEnds(change.newText, editor::lineEndsOf(text))), 0),
        Fit::kExact};
  if (change.kind == Kind::kCode) {
    const PutCode put = placeCode(text, change, target);
    if (put.outcome == PutCode::Outcome::kUnchanged) return Placement{};
    if (put.outcome != PutCode::Outcome::kPut) return tl::unexpected(put.why);
    return Placement{editsOf(text, Snapshot(put.text), 0), Fit::kExact};
  }
  if (change.oldText.isEmpty()) return insertion(text, change);
  if (change.oldText.trimmed().isEmpty()) return missing(change.oldText);
  // A placeholder that becomes text would stand there for what it leaves out.
  const TextLines lines(text.toByteArray()), old(change.oldText);
  if (hasPlaceholder(TextLines(change.newText), lines) && !hasPlaceholder(old, lines)) {
    return fail(translate("The change leaves lines out, and does not say which."),
                translate("Ask for the change with all of its lines."));
  }
  if (auto placed = copied(text, change)) return *placed;
  if (change.oldText.contains('\r') || change.newText.contains('\r'))
    return missing(change.oldText);
  if (change.verbatim && change.everywhere) return missing(change.oldText);
  if (auto placed = Placer(text, change).byMerging()) return *placed;
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
  const Snapshot theirs = madeFor.replaced(
      madeFor.lineStart(change.first), madeFor.lineStart(change.first + change.count),
      editor::withLineEnds(change.newText, editor::lineEndsOf(madeFor)));
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
