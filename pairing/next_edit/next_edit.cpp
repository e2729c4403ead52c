// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/next_edit.h"

#include <tuple>
#include <utility>

#include "pairing/next_edit/search.h"

namespace waferpair::pairing {

namespace {

using editor::AnchoredRange;
using editor::Hunk;

// Whole lines that come or go, with the line ends that the text has.
Hunk hunkOfLines(const CodeText& code, const LineEdit& edit) {
  const auto count = static_cast<int>(edit.before.size());
  const QByteArray end = code.bytes().contains("\r\n") ? "\r\n" : "\n";
  Q_ASSERT(edit.line < code.lineCount());  // lines come before one that is there
  const qint64 start = code.lineStart(edit.line);
  if (edit.after.isEmpty()) {
    const int next = edit.line + count;
    if (next < code.lineCount()) return {AnchoredRange::fixed(start, code.lineStart(next)), {}};
    // The last lines go with the line end before them.
    const qint64 from = edit.line > 0 ? code.lineEnd(edit.line - 1) : 0;
    return {AnchoredRange::fixed(from, code.bytes().size()), {}};
  }
  if (edit.before.isEmpty()) return {AnchoredRange::at(start), edit.after.join(end) + end};
  return {AnchoredRange::fixed(start, code.lineEnd(edit.line + count - 1)), edit.after.join(end)};
}

// The smallest hunk for a line that becomes another: without the tokens both begin and end with.
Hunk hunkInLine(const CodeText& code, const LineEdit& edit) {
  const ChangedLine change(edit, code.family());
  if (change.spans().empty()) return hunkOfLines(code, edit);
  const ChangedSpan whole = change.whole();
  const qint64 start = code.lineStart(edit.line) +
                       (change.oldBytes(whole).data() - change.before().bytes().constData());
  const qint64 end = start + change.oldBytes(whole).size();
  const QByteArray text = change.newBytes(whole).toByteArray();
  QByteArray result = edit.before.first();
  result.replace(start - code.lineStart(edit.line), end - start, text);
  if (result != edit.after.first()) return hunkOfLines(code, edit);  // blanks changed, too
  return {start == end ? AnchoredRange::at(start) : AnchoredRange::fixed(start, end), text};
}

}  // namespace

Hunk hunkOf(const CodeText& code, const LineEdit& edit) {
  const bool inLine = edit.before.size() == 1 && edit.after.size() == 1;
  return inLine ? hunkInLine(code, edit) : hunkOfLines(code, edit);
}

namespace {

NextEdit made(const Situation& situation, const Candidate& candidate) {
  const SearchedText& text = situation.texts[candidate.text];
  NextEdit next;
  next.edit = {text.document, candidate.line, {}, candidate.lines};
  for (int i = 0; i < candidate.count; ++i)
    next.edit.before += text.code->line(candidate.line + i).toByteArray();
  next.hunk = hunkOf(*text.code, next.edit);
  next.finder = candidate.finder;
  next.change = candidate.change;
  next.imported = candidate.imported;
  next.places = candidate.places;
  if (!text.isOpen) next.closed = text.code;
  next.probability = candidate.probability;
  return next;
}

// Where the same can be done at several places, they are gone through in order: down from the last
// edit, then from the top, then in the other texts. Each is likely enough by itself.
const Candidate& firstAlike(const Situation& situation, const Gate& gate,
                            const std::vector<Candidate>& candidates, const Candidate& best) {
  const LineEdit& last = situation.edits.last();
  const auto order = [&](const Candidate& candidate) {
    const bool elsewhere = situation.texts[candidate.text].document != last.document;
    const bool above = !elsewhere && candidate.line < last.line;
    return std::tuple(elsewhere, above, candidate.text, candidate.line);
  };
  const Candidate* first = &best;
  for (const Candidate& candidate : candidates) {
    if (candidate.change != best.change || candidate.finder != best.finder ||
        candidate.probability < gate.threshold(candidate.finder))
      continue;
    if (order(candidate) < order(*first)) first = &candidate;
  }
  return *first;
}

}  // namespace

QString Situation::pathOf(const editor::DocumentId& id) const {
  const bool isBelow = !root.isEmpty() && id.startsWith(root + u'/');
  return isBelow ? id.sliced(root.size() + 1) : id;
}

std::vector<Candidate> nextEditCandidates(const Situation& situation,
                                          const std::atomic_bool* cancelled) {
  if (situation.edits.isEmpty()) return {};
  Search search(situation, cancelled);
  for (const auto find : {findNames, findSpans, findLikeLines, findCalls, findBlocks, findImports,
                          findUnused, findPlainRename}) {
    if (search.isCancelled()) return {};
    find(search);
  }
  for (Candidate& candidate : search.candidates()) describe(search, &candidate);
  return std::move(search.candidates());
}

std::optional<NextEdit> findNextEdit(const Situation& situation, const Gate& gate,
                                     const std::atomic_bool* cancelled) {
  std::vector<Candidate> candidates = nextEditCandidates(situation, cancelled);
  const Candidate* best = nullptr;
  for (Candidate& candidate : candidates) {
    candidate.probability = gate.probability(candidate.finder, candidate.features);
    if (candidate.probability < gate.threshold(candidate.finder)) continue;
    if (best == nullptr || candidate.probability > best->probability) best = &candidate;
  }
  if (best == nullptr) return {};
  return made(situation, firstAlike(situation, gate, candidates, *best));
}

}  // namespace waferpair::pairing
