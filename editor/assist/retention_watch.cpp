// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/retention_watch.h"

#include <algorithm>
#include <utility>

namespace waferpair::editor {

RetentionWatch::RetentionWatch(DocumentSync* sync, std::chrono::milliseconds after)
    : sync_(sync), after_(after) {
  clock_.start();
  due_.setSingleShot(true);
  connect(&due_, &QTimer::timeout, this, &RetentionWatch::judgeDue);
  sync_->subscribe(this);
}

void RetentionWatch::accepted(const DocumentId& document, quint64 number, qint64 start,
                              const QByteArray& text) {
  const SyncedDocument* told = sync_->find(document);
  if (told == nullptr) return;
  texts_[document] = told->text;
  const qint64 end = start + text.size();
  Accepted one{document, number, AnchoredRange::fixed(start, end), text,
               clock_.elapsed() + after_.count()};
  const auto earlier = std::find_if(accepted_.begin(), accepted_.end(), [&](const Accepted& other) {
    return other.number == number && other.document == document;
  });
  if (earlier != accepted_.end()) {
    // The text that was typed of it between the two belongs to it, too.
    const qint64 first = std::min(earlier->range.start(), start);
    one.range = AnchoredRange::fixed(first, end);
    one.text = told->text.slice(first, end);
    accepted_.erase(earlier);
  }
  accepted_.append(std::move(one));
  wait();
}

void RetentionWatch::opened(const SyncedDocument& document) { closed(document.id); }

void RetentionWatch::changed(const SyncedDocument& document, const QVector<TextEdit>& edits) {
  const auto known = texts_.find(document.id);
  if (known == texts_.end()) return;
  *known = document.text;
  for (Accepted& one : accepted_) {
    if (one.document != document.id) continue;
    for (const TextEdit& edit : edits) {
      const bool wasEmpty = one.range.isEmpty();
      const qint64 place = one.range.start();
      one.range.follow(edit);
      // Taken out and put back in the same place, by undo and redo, it is the same.
      if (wasEmpty && edit.start == place && edit.text == one.text)
        one.range = AnchoredRange::fixed(place, place + edit.text.size());
    }
  }
}

void RetentionWatch::closed(const DocumentId& id) {
  if (!texts_.contains(id)) return;
  QVector<Accepted> ended;
  accepted_.removeIf([&](const Accepted& one) {
    if (one.document == id) ended.append(one);
    return one.document == id;
  });
  for (const Accepted& one : std::as_const(ended)) judge(one);
  texts_.remove(id);
  wait();
}

void RetentionWatch::settle() {
  for (const Accepted& one : std::exchange(accepted_, {})) judge(one);
  texts_.clear();
  wait();
}

void RetentionWatch::judgeDue() {
  while (!accepted_.isEmpty() && accepted_.first().due <= clock_.elapsed())
    judge(accepted_.takeFirst());
  if (accepted_.isEmpty()) texts_.clear();
  wait();
}

void RetentionWatch::judge(const Accepted& one) {
  const Snapshot& text = texts_[one.document];
  Q_EMIT judged(one.number, text.slice(one.range.start(), one.range.end()) == one.text);
}

void RetentionWatch::wait() {
  if (accepted_.isEmpty()) return due_.stop();
  due_.start(
      std::chrono::milliseconds(std::max<qint64>(0, accepted_.first().due - clock_.elapsed())));
}

}  // namespace waferpair::editor
