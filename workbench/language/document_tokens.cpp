// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/document_tokens.h"

#include <QFuture>
#include <QPromise>
#include <QThreadPool>

namespace waferpair::workbench {

using editor::DocumentId;
using editor::TextEdit;

namespace {

constexpr char kTokensProvider[] = "semanticTokensProvider";
constexpr std::chrono::milliseconds kTokensPause(300);
// Following an edit takes a walk over all tokens of a text: beyond so many at a time they are asked
// for anew instead.
constexpr qsizetype kMostFollowedEdits = 64;

}  // namespace

DocumentTokens::DocumentTokens(editor::DocumentSync* sync, LanguageService* service,
                               QObject* parent)
    : QObject(parent),
      service_(service),
      question_(
          sync, service, QLatin1String(kTokensProvider), kTokensPause,
          [this](LanguageClient* client, const DocumentId& id,
                 const LanguageClient::Answered& answered) { return ask(client, id, answered); }) {
  connect(&question_, &RepeatedQuestion::answered, this, &DocumentTokens::take);
  connect(&question_, &RepeatedQuestion::edited, this,
          qOverload<const DocumentId&, const QVector<TextEdit>&>(&DocumentTokens::follow));
  connect(&question_, &RepeatedQuestion::lost, this, [this](const DocumentId& id) {
    if (!texts_.take(id).tokens.isEmpty()) Q_EMIT tokensChanged(id);
  });
}

void DocumentTokens::stopAll() {
  question_.unfollowAll();
  const QList<DocumentId> ids = texts_.keys();
  texts_.clear();
  for (const DocumentId& id : ids) Q_EMIT tokensChanged(id);
}

const QVector<SemanticToken>& DocumentTokens::tokens(const DocumentId& id) const {
  static const QVector<SemanticToken> none;
  const auto found = texts_.constFind(id);
  return found == texts_.cend() ? none : found->tokens;
}

qint64 DocumentTokens::ask(LanguageClient* client, const DocumentId& id,
                           const LanguageClient::Answered& answered) {
  const QJsonValue full = client->abilities()[QLatin1String(kTokensProvider)][u"full"];
  if (!full.isObject() && !full.toBool()) return 0;
  const QString before = full[u"delta"].toBool() ? texts_.value(id).resultId : QString();
  const bool isDelta = !before.isEmpty();
  QJsonObject params;
  if (isDelta) params.insert(QStringLiteral("previousResultId"), before);
  return client->ask(
      isDelta ? QStringLiteral("textDocument/semanticTokens/full/delta")
              : QStringLiteral("textDocument/semanticTokens/full"),
      id, params, [this, at = QPointer(this), id, isDelta, answered](const LanguageAnswer& answer) {
        if (!at) return;
        // One that was started anew may not know what it said before.
        const bool again = isDelta && !answer.problem.isEmpty();
        if (again && texts_.contains(id)) texts_[id].resultId.clear();
        answered(answer);
        if (again) question_.askAgain(id);
      });
}

void DocumentTokens::take(const DocumentId& id, const LanguageAnswer& answer) {
  const LanguageClient* client = service_->clientOf(id);
  if (!client) return;
  Tokens& known = texts_[id];
  known.reading = ++lastReading_;
  const QJsonValue result = answer.result;
  const auto promise = std::make_shared<QPromise<Read>>();
  promise->future().then(this, [this, id, number = lastReading_, version = answer.version,
                                resultId = result[u"resultId"].toString()](const Read& read) {
    if (!texts_.contains(id) || texts_[id].reading != number) return;
    set(id, version, resultId, read);
  });
  QThreadPool::globalInstance()->start(
      [promise, result, before = known.data, text = answer.text, unit = answer.unit,
       legend = readTokenLegend(client->abilities()[QLatin1String(kTokensProvider)])] {
        promise->start();
        Read read{before, {}, true};
        if (result[u"edits"].isArray()) {
          read.isWhole = editTokenData(result[u"edits"], &read.data);
        } else {
          read.data = readTokenData(result[u"data"]);
        }
        if (read.isWhole) read.tokens = semanticTokens(read.data, legend, text, unit);
        promise->addResult(read);
        promise->finish();
      });
}

void DocumentTokens::set(const DocumentId& id, qint64 version, const QString& resultId,
                         const Read& read) {
  Tokens& known = texts_[id];
  known.reading = 0;
  known.resultId = read.isWhole ? resultId : QString();
  known.data = known.resultId.isEmpty() ? TokenData() : read.data;
  const auto edits = question_.editsSince(id, version);
  const bool fits = read.isWhole && edits && edits->size() <= kMostFollowedEdits;
  if (!fits) return question_.askAgain(id);
  known.tokens = read.tokens;
  for (const TextEdit& edit : *edits) followEdit(edit, &known.tokens);
  Q_EMIT tokensChanged(id);
}

void DocumentTokens::follow(const DocumentId& id, const QVector<TextEdit>& edits) {
  const auto found = texts_.find(id);
  if (found == texts_.end()) return;
  if (edits.size() > kMostFollowedEdits) return found->tokens.clear();
  for (const TextEdit& edit : edits) followEdit(edit, &found->tokens);
}

}  // namespace waferpair::workbench
