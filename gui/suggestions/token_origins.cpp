// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/suggestions/token_origins.h"

#include <algorithm>

#include "editor/assist/suggestion_controller.h"

namespace waferpair::gui {

using editor::DocumentId;
using editor::SuggestionController;

TokenOrigins::TokenOrigins(editor::DocumentSync* sync) : sync_(sync) { sync_->subscribe(this); }

void TokenOrigins::watch(SuggestionController* suggestions, std::function<DocumentId()> document) {
  connect(
      suggestions, &SuggestionController::accepted, this,
      [this, suggestions, document = std::move(document)](qint64 start, const QByteArray& text) {
        accepted(document(), *suggestions, start, text);
      });
}

void TokenOrigins::accepted(const DocumentId& document, const SuggestionController& by,
                            qint64 start, const QByteArray& text) {
  const SuggestionController::Source source = by.shownSource();
  if (source.request == 0 || sync_->find(document) == nullptr) return;
  if (accepted_.size() == kMost) accepted_.removeFirst();
  accepted_.append({document,
                    editor::AnchoredRange::fixed(start, start + text.size()),
                    text,
                    {source.request, bytesBetween(document, source.origin, start)}});
}

qint64 TokenOrigins::bytesBetween(const DocumentId& document, qint64 origin, qint64 end) const {
  const editor::SyncedDocument* told = sync_->find(document);
  if (told == nullptr || end < origin) return 0;
  return end - origin - told->text.slice(origin, end).count('\r');
}

std::optional<TokenOrigins::Place> TokenOrigins::at(const DocumentId& document, qint64 offset,
                                                    const SuggestionController* suggestions) const {
  if (suggestions != nullptr && suggestions->isSuggesting()) {
    const SuggestionController::Source source = suggestions->shownSource();
    if (source.request != 0)
      return Place{source.request, bytesBetween(document, source.origin, offset)};
  }
  const editor::SyncedDocument* told = sync_->find(document);
  if (told == nullptr) return std::nullopt;
  const Accepted* before = nullptr;  // ends right there
  for (auto one = accepted_.crbegin(); one != accepted_.crend(); ++one) {
    const editor::AnchoredRange& range = one->range;
    if (one->document != document || offset < range.start() || offset > range.end()) continue;
    if (told->text.slice(range.start(), range.end()) != one->text) continue;
    if (offset == range.end()) {
      if (before == nullptr) before = &*one;
      continue;
    }
    const QByteArray passed = one->text.left(offset - range.start());
    return Place{one->first.completion, one->first.byte + passed.size() - passed.count('\r')};
  }
  if (before == nullptr) return std::nullopt;
  return Place{before->first.completion,
               before->first.byte + before->text.size() - before->text.count('\r') - 1};
}

void TokenOrigins::opened(const editor::SyncedDocument& document) { closed(document.id); }

void TokenOrigins::changed(const editor::SyncedDocument& document,
                           const QVector<editor::TextEdit>& edits) {
  for (Accepted& one : accepted_) {
    if (one.document != document.id) continue;
    for (const editor::TextEdit& edit : edits) {
      const bool wasEmpty = one.range.isEmpty();
      const qint64 place = one.range.start();
      one.range.follow(edit);
      // Taken out and put back in the same place, by undo and redo, it is the same.
      if (wasEmpty && edit.start == place && edit.text == one.text)
        one.range = editor::AnchoredRange::fixed(place, place + edit.text.size());
    }
  }
}

void TokenOrigins::closed(const DocumentId& id) {
  accepted_.removeIf([&](const Accepted& one) { return one.document == id; });
}

}  // namespace waferpair::gui
