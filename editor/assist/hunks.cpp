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

void followInsertion(Hunk* hunk, const TextEdit& edit) {
  const qint64 place = hunk->range.start();
  if (edit.start != place || edit.end != place) {
    if (touches(edit, hunk->range)) hunk->state = HunkState::kStale;
    hunk->range.follow(edit);
    return;
  }
  const bool isBeginning = hunk->text.startsWith(edit.text);
  if (isBeginning) hunk->text.remove(0, edit.text.size());
  hunk->range = AnchoredRange::at(place + edit.text.size());
  if (!isBeginning) hunk->state = HunkState::kStale;
  if (hunk->text.isEmpty()) hunk->state = HunkState::kAccepted;  // typed to its end
}

}  // namespace

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

void Hunks::follow(const QVector<TextEdit>& edits) {
  if (suggestion_.hunks.isEmpty() && !suggestion_.jump) return;
  for (const TextEdit& edit : edits) {
    for (Hunk& hunk : suggestion_.hunks) {
      if (hunk.state == HunkState::kOffered && hunk.isInsertion()) {
        followInsertion(&hunk, edit);
        continue;
      }
      if (hunk.state == HunkState::kOffered && touches(edit, hunk.range))
        hunk.state = HunkState::kStale;
      hunk.range.follow(edit);
    }
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
