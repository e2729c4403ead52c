// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/repeated_question.h"

#include <utility>

namespace waferpair::workbench {

using editor::DocumentId;
using editor::SyncedDocument;
using editor::TextEdit;

RepeatedQuestion::Ask RepeatedQuestion::byMethod(const QString& method) {
  return [method](LanguageClient* client, const DocumentId& id,
                  const LanguageClient::Answered& answered) {
    return client->ask(method, id, {}, answered);
  };
}

RepeatedQuestion::RepeatedQuestion(editor::DocumentSync* sync, LanguageService* service,
                                   QString provider, std::chrono::milliseconds pause, Ask ask,
                                   QObject* parent)
    : QObject(parent),
      service_(service),
      provider_(std::move(provider)),
      pause_(pause),
      ask_(std::move(ask)) {
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, [this] {
    const QList<DocumentId> ids = texts_.keys();
    for (const DocumentId& id : ids)
      if (texts_.value(id).isStale) this->ask(id);
  });
  // Queued: the service tells of its state while it is told of texts.
  connect(service_, &LanguageService::stateChanged, this, &RepeatedQuestion::followServers,
          Qt::QueuedConnection);
  sync->subscribe(this);
}

void RepeatedQuestion::follow(const DocumentId& id) {
  if (texts_.contains(id)) return;
  texts_.insert(id, {});
  ask(id);
}

void RepeatedQuestion::askAgain(const DocumentId& id) {
  const auto found = texts_.find(id);
  if (found == texts_.end()) return;
  found->isStale = true;
  soon_.start(pause_);
}

void RepeatedQuestion::askAllAgain() {
  const QList<DocumentId> ids = texts_.keys();
  for (const DocumentId& id : ids) askAgain(id);
}

ByteRange RepeatedQuestion::now(const DocumentId& id, ByteRange range,
                                const LanguageAnswer& answer) const {
  const LanguageClient* client = service_->clientOf(id);
  const MirroredText* text = client ? client->text(id) : nullptr;
  return text ? text->now(range, answer.version) : range;
}

std::optional<QVector<TextEdit>> RepeatedQuestion::editsSince(const DocumentId& id,
                                                              qint64 version) const {
  const LanguageClient* client = service_->clientOf(id);
  const MirroredText* text = client ? client->text(id) : nullptr;
  return text ? text->editsSince(version) : std::nullopt;
}

// -- Open texts

void RepeatedQuestion::opened(const SyncedDocument& document) {
  if (texts_.contains(document.id)) ask(document.id);
}

void RepeatedQuestion::changed(const SyncedDocument& document, const QVector<TextEdit>& edits) {
  if (!texts_.contains(document.id)) return;
  Q_EMIT edited(document.id, edits);
  askAgain(document.id);
}

void RepeatedQuestion::closed(const DocumentId& id) {
  if (texts_.remove(id)) Q_EMIT lost(id);
}

// -- Servers

void RepeatedQuestion::followServers() {
  const QList<DocumentId> ids = texts_.keys();
  for (const DocumentId& id : ids) {
    Text& text = texts_[id];
    const LanguageClient* client = service_->clientOf(id);
    if (!client) {
      text.asked = nullptr;
      Q_EMIT lost(id);
    } else if (client->state() != LanguageClient::State::kReady) {
      text.asked = nullptr;
    } else if (text.asked != client) {
      ask(id);
    }
  }
}

void RepeatedQuestion::ask(const DocumentId& id) {
  Text& text = texts_[id];
  LanguageClient* client = service_->clientOf(id);
  if (!client || !client->offers(provider_)) return;
  // One question at a time: its answer is followed through the edits that were made meanwhile.
  if (text.isOpen && text.asked == client) return;
  const qint64 question =
      ask_(client, id, [this, id, at = QPointer(this), client](const LanguageAnswer& answer) {
        if (!at || service_->clientOf(id) != client) return;
        take(id, answer);
      });
  if (question == 0) return;
  text.asked = client;
  text.isOpen = true;
  text.isStale = false;
}

void RepeatedQuestion::take(const DocumentId& id, const LanguageAnswer& answer) {
  const auto found = texts_.find(id);
  if (found == texts_.end()) return;
  found->isOpen = false;
  if (found->isStale) soon_.start(pause_);
  const MirroredText* text = found->asked ? found->asked->text(id) : nullptr;
  if (!answer.problem.isEmpty() || !text) return;
  // Where the text's way from then to now is forgotten, another question is on its way.
  if (answer.isLate && !text->textOf(answer.version)) return;
  Q_EMIT answered(id, answer);
}

}  // namespace waferpair::workbench
