// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/snippet_session.h"

#include <algorithm>

namespace waferpair::editor {

SnippetSession::SnippetSession(const SnippetText& snippet, qint64 offset)
    : fields_(snippet.fields), whole_{offset, offset + snippet.text.size()} {
  wasEmpty_ = snippet.text.isEmpty();
  for (const SnippetPlace& place : snippet.places)
    places_.append(
        {{offset + place.start, offset + place.end}, place.field, place.parent, place.transform});
}

bool SnippetSession::isAround(int outer, int inner) const {
  for (int at = places_[inner].parent; at >= 0; at = places_[at].parent)
    if (at == outer) return true;
  return false;
}

// The place of the current field that the edit lies in; -1: none.
int SnippetSession::currentPlaceAt(qint64 start, qint64 end) const {
  if (written_ >= 0) return written_;
  for (const int i : fields_[current_].places) {
    const Range range = places_[i].range;
    if (!places_[i].isGone && range.start <= start && end <= range.end) return i;
  }
  return -1;
}

void SnippetSession::follow(const TextEdit& edit) {
  const int active = currentPlaceAt(edit.start, edit.end);
  const qint64 removed = edit.end - edit.start;
  const qint64 delta = edit.text.size() - removed;
  // `grows`: what is put in at the edge belongs to the range. `after`: it goes behind what is put
  // in where it is empty.
  const auto moved = [&](Range range, bool grows, bool after) {
    const bool isInside = range.start <= edit.start && edit.end <= range.end;
    if (isInside && grows) return Range{range.start, range.end + delta};
    if (removed == 0) {
      if (range.start == range.end && range.start == edit.start)
        return after ? Range{range.start + delta, range.end + delta} : range;
      if (range.start >= edit.start) return Range{range.start + delta, range.end + delta};
      if (range.end > edit.start) return Range{range.start, range.end + delta};
      return range;
    }
    // What replaces a part of it that goes beyond it is not its own.
    const auto map = [&](qint64 at, bool isEnd) {
      if (at <= edit.start) return at;
      if (at >= edit.end) return at + delta;
      return isEnd ? edit.start : edit.start + edit.text.size();
    };
    const Range mapped{map(range.start, false), map(range.end, true)};
    return mapped.end < mapped.start ? Range{mapped.start, mapped.start} : mapped;
  };
  for (int i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    const bool wasFilled = place.range.end > place.range.start;
    const bool isOuter = active >= 0 && isAround(i, active);
    place.range = moved(place.range, i == active || isOuter, active >= 0 && i > active);
    // What was written over with the place that it lay in is not visited any more.
    const bool isInner = active >= 0 && isAround(active, i);
    if (isInner && wasFilled && place.range.start == place.range.end) place.isGone = true;
  }
  whole_ = moved(whole_, true, false);
}

bool SnippetSession::step(int by) {
  for (qsizetype next = current_ + by; next >= 0 && next < fields_.size(); next += by) {
    const QVector<int>& places = fields_[next].places;
    const bool isThere = std::any_of(places.begin(), places.end(),
                                     [this](int place) { return !places_[place].isGone; });
    if (!isThere) continue;
    current_ = static_cast<int>(next);
    return true;
  }
  return false;
}

QVector<SnippetSession::Range> SnippetSession::typedPlaces() const {
  QVector<Range> ranges;
  for (const int i : fields_[current_].places)
    if (!places_[i].isGone && !places_[i].transform) ranges.append(places_[i].range);
  if (!ranges.isEmpty()) return ranges;
  for (const int i : fields_[current_].places)
    if (!places_[i].isGone && ranges.isEmpty()) ranges.append(places_[i].range);
  return ranges;
}

QVector<SnippetSession::Range> SnippetSession::allPlaces() const {
  QVector<Range> ranges;
  for (const Place& place : places_)
    if (!place.isGone) ranges.append(place.range);
  return ranges;
}

bool SnippetSession::holds(qint64 offset) const { return currentPlaceAt(offset, offset) >= 0; }

bool SnippetSession::enter(qint64 offset) {
  int found = -1;
  for (int i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (place.isGone || offset < place.range.start || offset > place.range.end) continue;
    if (found < 0 || isAround(found, i)) found = i;
  }
  if (found >= 0) current_ = places_[found].field;
  return found >= 0;
}

QVector<SnippetSession::MirrorEdit> SnippetSession::mirrorEdits(
    const std::function<QByteArray(const Range&)>& textAt) const {
  QVector<MirrorEdit> edits;
  const QVector<Range> typed = typedPlaces();
  if (typed.isEmpty()) return edits;
  const QByteArray said = textAt(typed.front());
  for (const int i : fields_[current_].places) {
    const Place& place = places_[i];
    if (place.isGone) continue;
    const QByteArray wanted =
        place.transform ? place.transform->apply(QString::fromUtf8(said)).toUtf8() : said;
    const QByteArray now = textAt(place.range);
    // With the places of others in it, it may say the same by now.
    if (now != wanted) edits.append({{place.range.start, place.range.end, wanted}, i});
  }
  std::sort(edits.begin(), edits.end(),
            [](const MirrorEdit& a, const MirrorEdit& b) { return a.edit.start > b.edit.start; });
  return edits;
}

}  // namespace waferpair::editor
