// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/hunks.h"

#include <algorithm>
#include <utility>

namespace waferpair::editor {

namespace {

// Returns whether the edit touches the text in the range, rather than the text around it.
bool touches(const TextEdit& edit, const AnchoredRange& range) {
  return edit.start < range.end() && edit.end > range.start();
}

}  // namespace

void Hunk::follow(const TextEdit& edit) {
  const bool isAtPlace = isInsertion() && edit.start == range.start() && edit.end == range.start();
  if (state != HunkState::kOffered || !isAtPlace) {
    if (state == HunkState::kOffered && touches(edit, range)) state = HunkState::kStale;
    range.follow(edit);
    return;
  }
  const bool isBeginning = text.startsWith(edit.text);
  if (isBeginning) text.remove(0, edit.text.size());
  range = AnchoredRange::at(range.start() + edit.text.size());
  if (!isBeginning) state = HunkState::kStale;
  if (text.isEmpty()) state = HunkState::kAccepted;  // typed to its end
}

Suggestion suggestionOf(const DocumentId& document, const QVector<TextEdit>& edits,
                        std::optional<JumpPlace> jump) {
  Suggestion suggestion{document, {}, std::move(jump)};
  qint64 shift = 0;  // from the text before all edits to that before this one
  for (const TextEdit& edit : edits) {
    const qint64 start = edit.start - shift;
    const qint64 end = edit.end - shift;
    if (!suggestion.hunks.isEmpty() && suggestion.hunks.last().range.end() >= start) {
      Hunk& last = suggestion.hunks.last();
      Q_ASSERT(last.range.end() == start);
      last.text += edit.text;
      if (end > start) last.range = AnchoredRange::fixed(last.range.start(), end);
    } else {
      suggestion.hunks.append(
          {start == end ? AnchoredRange::at(start) : AnchoredRange::fixed(start, end), edit.text});
    }
    shift += edit.text.size() - (end - start);
  }
  return suggestion;
}

Hunks::Hunks(Apply apply, QObject* parent) : QObject(parent), apply_(std::move(apply)) {}

void Hunks::offer(const Suggestion& suggestion) {
  suggestion_ = suggestion;
  Q_EMIT changed();
}

bool Hunks::add(const QVector<Hunk>& hunks) {
  if (std::any_of(hunks.begin(), hunks.end(), [this](const Hunk& one) { return overlaps(one); }))
    return false;
  for (const Hunk& hunk : hunks) addOne(hunk);
  if (!hunks.isEmpty()) Q_EMIT changed();
  return true;
}

// With one on offer that is another one.
bool Hunks::overlaps(const Hunk& hunk) const {
  return std::any_of(hunks().begin(), hunks().end(), [&hunk](const Hunk& other) {
    return other.state == HunkState::kOffered && other != hunk &&
           other.range.start() < hunk.range.end() && hunk.range.start() < other.range.end();
  });
}

void Hunks::addOne(const Hunk& hunk) {
  Q_ASSERT(hunk.state == HunkState::kOffered && !overlaps(hunk));
  QVector<Hunk>& all = suggestion_.hunks;
  if (all.contains(hunk)) return;
  const auto isBefore = [](const Hunk& a, const Hunk& b) {
    return std::pair(a.range.start(), a.range.end()) < std::pair(b.range.start(), b.range.end());
  };
  // One at most on either side. An insertion stands before what is replaced behind it.
  QVector<Hunk> met;
  for (const Hunk& other : std::as_const(all)) {
    if (other.state == HunkState::kOffered && other.meets(hunk)) met.append(other);
  }
  all.removeIf([&met](const Hunk& other) { return met.contains(other); });
  met.insert(std::upper_bound(met.begin(), met.end(), hunk, isBefore), hunk);
  Hunk joined = met.first();
  for (const Hunk& part : met.sliced(1)) {
    joined.text += part.text;
    if (part.range.end() > joined.range.start())
      joined.range = AnchoredRange::fixed(joined.range.start(), part.range.end());
  }
  all.insert(std::upper_bound(all.begin(), all.end(), joined, isBefore), joined);
}

void Hunks::follow(const QVector<TextEdit>& edits) {
  if (suggestion_.hunks.isEmpty() && !suggestion_.jump) return;
  for (const TextEdit& edit : edits) {
    for (Hunk& hunk : suggestion_.hunks) hunk.follow(edit);
    if (suggestion_.jump && suggestion_.jump->document == suggestion_.document)
      suggestion_.jump->place.follow(edit);
  }
  Q_EMIT changed();
}

bool Hunks::isOffered(qsizetype index) const {
  return index >= 0 && index < hunks().size() && hunks()[index].state == HunkState::kOffered;
}

qsizetype Hunks::offeredCount() const {
  return std::count_if(hunks().begin(), hunks().end(),
                       [](const Hunk& hunk) { return hunk.state == HunkState::kOffered; });
}

qsizetype Hunks::at(qint64 offset) const {
  for (qsizetype i = 0; i < hunks().size(); ++i) {
    const AnchoredRange& range = hunks()[i].range;
    if (isOffered(i) && range.start() <= offset && offset <= range.end()) return i;
  }
  return -1;
}

qsizetype Hunks::next(qint64 offset) const {
  qsizetype first = -1;
  for (qsizetype i = 0; i < hunks().size(); ++i) {
    if (!isOffered(i)) continue;
    if (hunks()[i].range.start() > offset) return i;
    if (first < 0) first = i;
  }
  return first;
}

qsizetype Hunks::previous(qint64 offset) const {
  qsizetype last = -1;
  for (qsizetype i = hunks().size() - 1; i >= 0; --i) {
    if (!isOffered(i)) continue;
    if (hunks()[i].range.end() < offset) return i;
    if (last < 0) last = i;
  }
  return last;
}

bool Hunks::accept(qsizetype index) { return isOffered(index) && apply({index}); }

bool Hunks::acceptAll() {
  QVector<qsizetype> offered;
  for (qsizetype i = 0; i < hunks().size(); ++i)
    if (isOffered(i)) offered.append(i);
  return !offered.isEmpty() && apply(offered);
}

bool Hunks::apply(const QVector<qsizetype>& indices) {
  QVector<TextEdit> edits;
  qint64 shift = 0;
  for (const qsizetype index : indices) {
    Hunk& hunk = suggestion_.hunks[index];
    // First, so that its own edit, which comes back by follow(), does not make it stale.
    hunk.state = HunkState::kAccepted;
    edits.append({hunk.range.start() + shift, hunk.range.end() + shift, hunk.text});
    shift += hunk.text.size() - hunk.range.size();
  }
  const bool applied = apply_(edits);
  if (!applied)
    for (const qsizetype index : indices) suggestion_.hunks[index].state = HunkState::kOffered;
  Q_EMIT changed();
  return applied;
}

bool Hunks::dismiss(qsizetype index) {
  if (!isOffered(index)) return false;
  suggestion_.hunks[index].state = HunkState::kDismissed;
  Q_EMIT changed();
  return true;
}

void Hunks::dismissAll() {
  for (Hunk& hunk : suggestion_.hunks)
    if (hunk.state == HunkState::kOffered) hunk.state = HunkState::kDismissed;
  Q_EMIT changed();
}

}  // namespace waferpair::editor
