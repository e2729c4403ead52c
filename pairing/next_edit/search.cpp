// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/search.h"

#include <algorithm>
#include <utility>

namespace waferpair::pairing {

namespace {

constexpr int kMostSources = 24;

}  // namespace

QByteArray changeName(QByteArrayView oldBytes, QByteArrayView newBytes) {
  return oldBytes.trimmed().toByteArray() + '\1' + newBytes.trimmed().toByteArray();
}

QByteArray changeName(const ChangedLine& change, const ChangedSpan& span) {
  return changeName(change.oldBytes(span), change.newBytes(span));
}

Search::Search(const Situation& situation, const std::atomic_bool* cancelled)
    : situation_(situation), cancelled_(cancelled) {
  for (qsizetype i = situation.edits.size(); i-- > 0;) {
    const LineEdit& edit = situation.edits[i];
    const int text = textOf(edit.document);
    const LanguageFamily& family = text >= 0 ? code(text).family() : languageFamily({});
    const int age = static_cast<int>(situation.edits.size() - 1 - i);
    QVector<LineEdit> parts = partsOf(edit);
    std::reverse(parts.begin(), parts.end());
    for (const LineEdit& part : std::as_const(parts)) {
      if (sources_.size() >= kMostSources) break;
      if (part.before.size() != 1 || part.after.size() != 1) continue;
      ChangedLine change(part, family);
      if (!change.spans().empty()) sources_.push_back({part, age, text, std::move(change)});
    }
  }
  countChanges();
}

// Each change counts once for a line, however often it was made there.
void Search::countChanges() {
  for (const SourceLine& source : sources_) {
    QByteArrayList counted;
    for (const ChangedSpan& span : source.change.spansAndWhole()) {
      const QByteArray change = changeName(source.change, span);
      if (counted.contains(change)) continue;
      ++made_[change];
      counted += change;
    }
  }
  for (const LineEdit& edit : situation_.edits) {
    for (const LineEdit& part : partsOf(edit)) {
      if (part.after.isEmpty()) ++made_[changeName(part.before.join('\n'), {})];
      if (part.before.isEmpty()) ++made_[changeName({}, part.after.join('\n'))];
    }
  }
}

int Search::textOf(const editor::DocumentId& id) const {
  for (int i = 0; i < situation_.texts.size(); ++i)
    if (situation_.texts[i].document == id) return i;
  return -1;
}

int Search::timesDismissed(const QByteArray& change) const {
  return static_cast<int>(
      std::count_if(situation_.dismissed.begin(), situation_.dismissed.end(),
                    [&](const DismissedEdit& edit) { return edit.change == change; }));
}

void Search::addAll(std::vector<Candidate> found) {
  for (Candidate& candidate : found) {
    candidate.places = static_cast<int>(found.size());
    add(std::move(candidate));
  }
}

void Search::add(Candidate candidate) {
  const CodeText& text = code(candidate.text);
  const editor::DocumentId& document = situation_.texts[candidate.text].document;
  QByteArrayList before;
  for (int i = 0; i < candidate.count; ++i) before += text.line(candidate.line + i).toByteArray();
  if (before == candidate.lines) return;
  for (const DismissedEdit& edit : situation_.dismissed) {
    if (edit.document == document && edit.before == before && edit.after == candidate.lines) return;
  }
  for (const LineEdit& edit : situation_.edits) {
    if (edit.document == document && edit.before == candidate.lines && edit.after == before &&
        edit.line == candidate.line)
      return;
  }
  candidates_.push_back(std::move(candidate));
}

}  // namespace waferpair::pairing
