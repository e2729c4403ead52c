// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/completion_service.h"

#include <QLoggingCategory>
#include <utility>

#include "gui/client/runtime_client.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

Q_LOGGING_CATEGORY(completionsLog, "waferpair.runtime.completions", QtWarningMsg)

using editor::CompletionEnd;
using editor::DocumentId;
using editor::RequestId;

constexpr qint64 kResyncMs = 5'000;
// The delay before a file that was held back is shown to the model: whoever writes a file of rules
// anew may have removed it first, and a key that is pasted in parts has no shape in between.
constexpr int kMirrorSettleMs = 500;

QString pathOf(const DocumentId& id) { return ModelGate::pathOf(id); }

CompletionEnd endFor(const QString& reason) {
  const std::string word = reason.toStdString();
  if (word == protocol::reason::kCancelled) return CompletionEnd::kCancelled;
  if (word == protocol::reason::kStale) return CompletionEnd::kStale;
  if (word == protocol::reason::kFailed) return CompletionEnd::kFailed;
  if (word == protocol::reason::kUnsure) return CompletionEnd::kUnsure;
  return CompletionEnd::kComplete;
}

}  // namespace

CompletionService::CompletionService(QObject* parent) : CompletionProvider(parent) {
  settle_.setSingleShot(true);
  settle_.setInterval(kMirrorSettleMs);
  connect(&settle_, &QTimer::timeout, this, &CompletionService::settle);
  connect(&gate_, &ModelGate::askAgain, this, &CompletionService::askAgain);
  connect(&gate_, &ModelGate::rulesChanged, this, &CompletionService::exclusionsChanged);
}

void CompletionService::setClient(RuntimeClient* client) {
  if (client_) client_->disconnect(this);
  onSessionEnd();
  client_ = client;
  if (!client_) return;
  connect(client_, &RuntimeClient::ready, this, &CompletionService::mirrorAll);
  connect(client_, &RuntimeClient::lost, this, &CompletionService::onSessionEnd);
  connect(client_, &RuntimeClient::unreachable, this, &CompletionService::onSessionEnd);
  connect(client_, &RuntimeClient::completionDelta, this, &CompletionService::onDelta);
  connect(client_, &RuntimeClient::completionDone, this, &CompletionService::onDone);
  connect(client_, &RuntimeClient::serverError, this, &CompletionService::onError);
  if (client_->isReady()) mirrorAll();
}

void CompletionService::setUnavailable(const QString& reason) {
  if (reason == unavailable_) return;
  unavailable_ = reason;
  Q_EMIT availabilityChanged();
}

void CompletionService::setProjectRoot(const QString& folder) {
  gate_.setProject(folder);
  askGateAgain();
  Q_EMIT exclusionsChanged();
}

void CompletionService::askGateAgain() {
  QStringList paths;
  for (const DocumentId& id : documents_.keys() + background_.keys())
    if (const QString path = pathOf(id); !path.isEmpty()) paths.append(path);
  askAgain(paths);
}

void CompletionService::askAgain(const QStringList& paths) {
  const QSet<QString> asked(paths.begin(), paths.end());
  bool changed = false;
  for (auto it = documents_.begin(); it != documents_.end(); ++it) {
    const QString path = pathOf(it.key());
    if (!asked.contains(path)) continue;
    gate_.watch(path);
    const QString reason = gate_.reason(it.key());
    if (!reason.isEmpty()) {
      changed = changed || it->passed || reason != it->heldBack.reason;
      holdBack(*it, {reason, true});
    } else if (!it->passed && it->heldBack.byFile) {
      unsettled_.insert(it.key());
      settle_.start();
    }
  }
  for (const DocumentId& id : background_.keys())
    if (asked.contains(pathOf(id)) && !gate_.reason(id).isEmpty()) dropBackground(id);
  if (changed) Q_EMIT availabilityChanged();
}

// Nothing has happened for a while to documents that may be shown again.
void CompletionService::settle() {
  for (const DocumentId& id : std::exchange(unsettled_, {}))
    if (const auto it = documents_.find(id); it != documents_.end() && !it->passed) judge(*it);
  Q_EMIT availabilityChanged();
}

void CompletionService::holdBack(Document& document, const HeldBack& why) {
  document.passed.reset();
  document.heldBack = why;
  if (std::exchange(document.mirrored, false) && client_) client_->closeDocument(document.text.id);
}

void CompletionService::judge(Document& document) {
  auto passed = gate_.pass(document.text);
  if (!passed) return holdBack(document, passed.error());
  document.passed = std::move(*passed);
  mirror(document);
}

void CompletionService::mirror(Document& document) {
  if (document.mirrored || !document.passed || !hasSession()) return;
  client_->openDocument(*document.passed);
  document.mirrored = true;
}

void CompletionService::mirrorAll() {
  for (Document& document : documents_) {
    document.mirrored = false;  // of a session that is over
    const QString reason = gate_.reason(document.text.id);
    if (!reason.isEmpty()) holdBack(document, {reason, true});
    mirror(document);
  }
  Q_EMIT availabilityChanged();
  Q_EMIT sessionBegan();
}

void CompletionService::onSessionEnd() {
  for (Document& document : documents_) document.mirrored = false;
  for (const DocumentId& id : background_.keys()) gate_.forget(pathOf(id));
  background_.clear();
  readingAhead_.clear();
  dropped_.clear();
  Q_EMIT sessionEnded();
  for (const RequestId larger : larger_.keys()) finishLarger(larger, CompletionEnd::kFailed);
  // finish() tells editors, who may call back: iterate over a copy.
  for (const RequestId request : requests_.keys()) finish(request, CompletionEnd::kFailed);
  Q_EMIT availabilityChanged();
}

void CompletionService::opened(const editor::SyncedDocument& told) {
  const DocumentId& id = told.id;
  if (!told.silent.isEmpty()) return;
  dropBackground(id);
  if (documents_.size() + background_.size() >= kMostDocuments && !background_.isEmpty())
    dropBackground(background_.cbegin().key());
  Document& document = documents_[id];
  document.text = {id, told.language, told.version, told.text, -1};
  if (const QString path = pathOf(id); !path.isEmpty()) gate_.watch(path);
  judge(document);
  if (!document.passed) Q_EMIT availabilityChanged();
  Q_EMIT documentOpened(id);
}

void CompletionService::changed(const editor::SyncedDocument& told,
                                const QVector<editor::TextEdit>& edits) {
  const auto it = documents_.find(told.id);
  if (it == documents_.end()) return;
  Q_EMIT documentEdited();
  it->text.version = told.version;
  it->text.text = told.text;
  if (!edits.isEmpty()) it->text.editedAt = edits.last().start + edits.last().text.size();
  if (!it->passed) {
    // The edit may have taken out what must not be shown; to look at each key would cost too much.
    unsettled_.insert(told.id);
    settle_.start();
    return;
  }
  const auto change = ModelGate::pass(&*it->passed, told.version, edits, told.text);
  if (!change) {
    holdBack(*it, change.error());
    Q_EMIT availabilityChanged();
  } else if (it->mirrored) {
    client_->changeDocument(*change);
  }
}

void CompletionService::closed(const DocumentId& id) {
  const auto it = documents_.find(id);
  if (it == documents_.end()) return;
  for (const RequestId request : requests_.keys())
    if (requests_[request].document == id) cancelCompletion(request);
  holdBack(*it, {});
  documents_.erase(it);
  gate_.forget(pathOf(id));
  Q_EMIT documentClosed(id);
}

bool CompletionService::hasSession() const { return client_ && client_->isReady(); }

bool CompletionService::openBackground(const DocumentId& id, const QString& language,
                                       const QByteArray& utf8) {
  closeBackground(id);
  if (!hasSession() || documents_.contains(id) ||
      documents_.size() + background_.size() >= kMostDocuments)
    return false;
  const auto passed = gate_.pass({id, language, 1, editor::Snapshot(utf8), -1});
  if (!passed) return false;
  gate_.watch(pathOf(id));
  // It may have changed before it was watched.
  if (!gate_.reason(id).isEmpty()) {
    gate_.forget(pathOf(id));
    return false;
  }
  client_->openDocument(*passed);
  background_.insert(id, utf8.size());
  return true;
}

void CompletionService::closeBackground(DocumentId id) {
  if (!background_.remove(id)) return;
  gate_.forget(pathOf(id));
  client_->closeDocument(id);
}

void CompletionService::dropBackground(DocumentId id) {
  if (!background_.contains(id)) return;
  closeBackground(id);
  Q_EMIT backgroundDropped(id);
}

RequestId CompletionService::requestCompletion(const editor::CompletionQuery& query) {
  const auto it = documents_.constFind(query.document);
  if (it == documents_.cend() || !it->mirrored || it->text.version != query.version ||
      !unavailable_.isEmpty())
    return 0;
  const auto asked = ModelGate::pass(*it->passed, query);
  if (!asked) return 0;
  const RequestId request = ++lastRequest_;
  Request& made = *requests_.insert(request, {query.document, query.version, query.offset});
  client_->createCompletion(request, *asked);
  if (!largerModel_.isEmpty() && query.alternative == 0 && query.inserted.isEmpty()) {
    made.larger = ++lastRequest_;
    larger_.insert(made.larger, {.of = request});
    client_->createCompletion(made.larger, *asked, largerModel_);
  }
  return request;
}

void CompletionService::cancelCompletion(RequestId request) {
  const auto it = requests_.find(request);
  if (it == requests_.end() || std::exchange(it->cancelled, true)) return;
  dropLarger(*it);
  if (it->finished)
    requests_.erase(it);
  else
    client_->cancelCompletion(request);  // its end comes as any other's
}

void CompletionService::dropLarger(Request& request) {
  const RequestId larger = std::exchange(request.larger, 0);
  if (!larger_.remove(larger)) return;
  dropped_.insert(larger);
  client_->cancelCompletion(larger);
}

bool CompletionService::mayBeTakenOver(RequestId request) const {
  return requests_.value(request).larger != 0;
}

void CompletionService::readAhead(const DocumentId& id, qint64 version, qint64 offset) {
  const auto it = documents_.constFind(id);
  if (!mayAskAhead() || it == documents_.cend() || !it->mirrored || it->text.version != version ||
      !unavailable_.isEmpty())
    return;
  for (const RequestId before : std::as_const(readingAhead_)) client_->cancelCompletion(before);
  const auto asked = ModelGate::pass(
      *it->passed, {.document = id, .version = version, .offset = offset, .isAhead = true});
  if (!asked) return;
  QStringList models{QString()};  // the first one
  if (!largerModel_.isEmpty()) models.append(largerModel_);
  for (const QString& model : std::as_const(models)) {
    readingAhead_.insert(++lastRequest_);
    client_->createCompletion(lastRequest_, *asked, model);
  }
}

QString CompletionService::silenceReason(const DocumentId& id) const {
  if (!unavailable_.isEmpty()) return unavailable_;
  const auto it = documents_.constFind(id);
  if (it == documents_.cend()) return tr("No document");
  if (!it->passed) return it->heldBack.reason;
  return it->mirrored ? QString() : tr("Not connected to the model");
}

void CompletionService::onDelta(const CompletionDelta& delta) {
  if (const auto larger = larger_.find(delta.request); larger != larger_.end()) {
    larger->answer.text += delta.utf8;
    return;
  }
  const auto it = requests_.find(delta.request);
  if (it == requests_.end() || it->cancelled) return;
  if (it->version != delta.version || it->offset != delta.offset) {
    qCWarning(completionsLog) << "the completion" << delta.request
                              << "answers another place: dropped";
    return;
  }
  it->answer.text += delta.utf8;
  Q_EMIT completionText(delta.request, delta.utf8);
}

void CompletionService::onDone(const CompletionDone& done) {
  if (readingAhead_.remove(done.request)) return;  // its figures are no suggestion's
  if (const auto larger = larger_.find(done.request); larger != larger_.end()) {
    larger->answer.probability = done.probability;
    return finishLarger(done.request, endFor(done.reason));
  }
  if (dropped_.remove(done.request)) return;
  const auto it = requests_.find(done.request);
  if (it != requests_.end()) it->answer.probability = done.probability;
  Q_EMIT measured(done.figures);
  finish(done.request, endFor(done.reason));
}

void CompletionService::onError(const ServerError& error) {
  namespace code = protocol::error_code;
  const std::string word = error.code.toStdString();
  const bool documentMessage = !error.request && word == code::kInvalidField;
  if (documentMessage || word == code::kUnknownDocument || word == code::kVersionConflict)
    resynchronize();
  if (!error.request) return;
  if (larger_.contains(*error.request)) {
    dropped_.insert(*error.request);  // another event may tell its end, too
    return finishLarger(*error.request, CompletionEnd::kFailed);
  }
  if (!requests_.contains(*error.request)) return;
  finish(*error.request, CompletionEnd::kFailed);
}

// The server refused what it was told of a document: the two sides no longer agree. Told anew, they
// do; if they still do not, telling it again and again would not help.
void CompletionService::resynchronize() {
  if (lastResync_.isValid() && lastResync_.elapsed() < kResyncMs) return;
  lastResync_.start();
  for (auto it = documents_.begin(); it != documents_.end(); ++it) {
    if (!std::exchange(it->mirrored, false)) continue;
    client_->closeDocument(it.key());
    mirror(*it);
  }
  for (const DocumentId& id : background_.keys()) dropBackground(id);
}

void CompletionService::finish(RequestId request, CompletionEnd end) {
  const auto it = requests_.find(request);
  if (it == requests_.end()) return;
  if (it->finished) return;
  if (it->cancelled) end = CompletionEnd::kCancelled;
  it->answer.end = end;
  it->finished = it->larger != 0;
  if (!it->finished) requests_.erase(it);
  Q_EMIT completionFinished(request, end);
  compare(request);
}

void CompletionService::finishLarger(RequestId larger, CompletionEnd end) {
  const auto it = larger_.find(larger);
  if (it == larger_.end()) return;
  it->answer.end = end;
  it->finished = true;
  compare(it->of);
}

void CompletionService::compare(RequestId request) {
  const auto first = requests_.constFind(request);
  if (first == requests_.cend() || !first->finished || !larger_.value(first->larger).finished)
    return;
  const RequestId id = first->larger;
  const ModelAnswer larger = larger_.take(id).answer;
  const bool isTaken = takesOver(larger, first->answer);
  requests_.erase(first);
  Q_EMIT completionTakenOver(request, isTaken ? id : 0, isTaken ? larger.text : QByteArray(),
                             larger.end);
}

}  // namespace waferpair::gui
