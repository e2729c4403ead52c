// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/document_sync.h"

#include <QScopedValueRollback>

namespace waferpair::editor {

namespace {

[[maybe_unused]] qint64 sizeAfter(const QVector<TextEdit>& edits, qint64 before) {
  qint64 size = before;
  for (const TextEdit& edit : edits) size += edit.text.size() - (edit.end - edit.start);
  return size;
}

}  // namespace

DocumentSubscriber::~DocumentSubscriber() {
  if (sync_ != nullptr) sync_->unsubscribe(this);
}

DocumentSync::~DocumentSync() {
  for (DocumentSubscriber* subscriber : subscribers_) subscriber->sync_ = nullptr;
}

void DocumentSync::subscribe(DocumentSubscriber* subscriber) {
  Q_ASSERT(subscriber->sync_ == nullptr && !telling_);
  subscriber->sync_ = this;
  subscribers_.append(subscriber);
  const QScopedValueRollback telling(telling_, true);
  for (const SyncedDocument& document : documents_) subscriber->opened(document);
}

void DocumentSync::unsubscribe(DocumentSubscriber* subscriber) {
  Q_ASSERT(subscriber->sync_ == this && !telling_);
  subscriber->sync_ = nullptr;
  subscribers_.removeOne(subscriber);
}

void DocumentSync::open(const SyncedDocument& document) {
  close(document.id);
  Q_ASSERT(!telling_);
  documents_.insert(document.id, document);
  const QScopedValueRollback telling(telling_, true);
  for (DocumentSubscriber* subscriber : subscribers_) subscriber->opened(document);
}

bool DocumentSync::change(const DocumentId& id, qint64 version, const QVector<TextEdit>& edits,
                          const Snapshot& text) {
  Q_ASSERT(!telling_);
  const auto found = documents_.find(id);
  if (found == documents_.end() || version <= found->version) return false;
  Q_ASSERT(sizeAfter(edits, found->text.size()) == text.size());
  found->text = text;
  found->version = version;
  const QScopedValueRollback telling(telling_, true);
  for (DocumentSubscriber* subscriber : subscribers_) subscriber->changed(*found, edits);
  return true;
}

void DocumentSync::close(const DocumentId& id) {
  Q_ASSERT(!telling_);
  // A copy: `id` may be that of the document itself.
  const DocumentId closed = id;  // NOLINT(performance-unnecessary-copy-initialization)
  if (documents_.remove(closed) == 0) return;
  const QScopedValueRollback telling(telling_, true);
  for (DocumentSubscriber* subscriber : subscribers_) subscriber->closed(closed);
}

const SyncedDocument* DocumentSync::find(const DocumentId& id) const {
  const auto found = documents_.constFind(id);
  return found == documents_.cend() ? nullptr : &*found;
}

}  // namespace waferpair::editor
